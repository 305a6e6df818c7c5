/**
 * Why a call was refused.
 * - `untrusted`: it did not come from this console's own page
 * - `unauthorized`: the host asks for a log-in, or for more rights than this user has
 * - `malformed`: it is not of the call's shape, or too big
 * - `unknown-listing`, `unknown-profile`, `unknown-job`: there is none of that name
 * - `not-installable`: the listing has no command that installs it
 * - `not-installed`: the profile does not have the plugin
 * - `other-source`: the profile has a package of that name from elsewhere, which the store leaves alone
 * - `no-plugin-manager`: only the plugin manager of the harness that runs from this profile can do this
 * - `nothing-blocked`: no build script of it is known to be blocked in this profile
 * - `unknown-package-manager`: build scripts were blocked by a package manager that did not say its version, so nobody
 *   knows how to allow them
 * - `bad-token`: the consent was used, ran out, or is for something else
 * - `not-acknowledged`: this listing takes a deliberate step that was not taken
 * - `incompatible`: the harness would refuse this version of the plugin
 * - `already-running`: a job of the same listing and profile is queued or running
 * - `package-manager`: it could not be asked for newer versions
 * - `directory`: the directory could not be asked
 * - `internal`: a fault of ours; the host's log has it
 */
export type RefusalCode =
  | 'untrusted'
  | 'unauthorized'
  | 'malformed'
  | 'unknown-listing'
  | 'unknown-profile'
  | 'unknown-job'
  | 'not-installable'
  | 'not-installed'
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
  | 'internal'

export interface Refusal {
  readonly ok: false
  readonly code: RefusalCode
  /** For a person, in English; no stack, no path. */
  readonly message: string
}

/** Errors are answers: a thrown one would reach the page with its stack. */
export type Answer<T> = { readonly ok: true; readonly value: T } | Refusal
