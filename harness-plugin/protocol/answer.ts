/**
 * Reason for a refused call.
 * - `untrusted`: it did not come from this console's own page
 * - `unauthorized`: the host requires a log-in, or more rights than this user has
 * - `login-required`: the store allows changes only where people log in, and the host has no log-in
 * - `malformed`: its input does not match the schema, or is too large
 * - `unknown-listing`, `unknown-profile`, `unknown-job`: none has that name
 * - `unknown-version`: the registry does not say which version of the harness is the newest
 * - `not-installable`: the listing has no command that installs it
 * - `not-installed`: the profile does not have the plugin
 * - `unknown-source`: there is no such package, repository, folder or tarball, or it has no package.json with a name
 * - `source-unreachable`: the registry or the code host of a source did not answer
 * - `other-source`: the profile has a package of that name from another source, which the store does not change
 * - `no-plugin-manager`: only the Desktop app, while it is running, can do this in its profile
 * - `nothing-blocked`: none of the plugin's build scripts are known to be blocked in this profile
 * - `unknown-package-manager`: build scripts were blocked by a package manager of unknown version, so the store does not
 *   know how to allow them
 * - `bad-token`: the token was used, has expired, or is for another listing
 * - `not-acknowledged`: the review has cautions that were not acknowledged
 * - `incompatible`: the harness would refuse this version of the plugin
 * - `already-running`: a job of the same listing and profile is queued or running
 * - `package-manager`: checking for newer versions failed
 * - `directory`: the directory could not be reached
 * - `bad-setting`: a setting is not accepted; the message says which and why
 * - `internal`: an error of the store itself; details are in the host's log
 */
export type RefusalCode =
  | 'untrusted'
  | 'unauthorized'
  | 'login-required'
  | 'malformed'
  | 'unknown-listing'
  | 'unknown-profile'
  | 'unknown-job'
  | 'unknown-version'
  | 'not-installable'
  | 'not-installed'
  | 'unknown-source'
  | 'source-unreachable'
  | 'other-source'
  | 'no-plugin-manager'
  | 'nothing-blocked'
  | 'unknown-package-manager'
  | 'bad-token'
  | 'not-acknowledged'
  | 'incompatible'
  | 'already-running'
  | 'package-manager'
  | 'directory'
  | 'bad-setting'
  | 'internal'

export interface Refusal {
  readonly ok: false
  readonly code: RefusalCode
  /** For a person, in English, without a stack or a path. */
  readonly message: string
}

/** The result of a call, or the reason why there is none. Calls do not throw: the page would get the error's stack. */
export type Answer<T> = { readonly ok: true; readonly value: T } | Refusal
