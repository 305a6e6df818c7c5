/** The object of an install: a package by its registry name, or the root of a GitHub repository. */
export type InstallSpec =
  | { readonly kind: 'npm'; readonly name: string }
  | { readonly kind: 'github'; readonly owner: string; readonly repo: string }

/** A parsed install command. Commands are rendered from it, never edited as text. */
export interface InstallPlan {
  readonly cli: string
  readonly profile: string
  readonly spec: InstallSpec
}

/**
 * Reason why there is no plan.
 * - `no-command`: the listing has a package, but the directory has no command for it
 * - `subdirectory-unpublished`: it is in a subdirectory and its package is on no registry
 * - `unpublished`: its package is on no registry
 * - `not-text`, `malformed`: the command is not a string, or does not have the one accepted form
 * - `other-cli`: it calls another program
 * - `bad-profile`, `bad-spec`: that part breaks its rules
 * - `bad-listing`: the listing's own name does not parse
 * - `other-package`, `other-repository`: the command would not install this listing
 * - `subdirectory-needs-package`: a subdirectory cannot be installed from its repository
 */
export type NotInstallableReason = (typeof NOT_INSTALLABLE_REASONS)[number]
export const NOT_INSTALLABLE_REASONS = [
  'no-command',
  'subdirectory-unpublished',
  'unpublished',
  'not-text',
  'malformed',
  'other-cli',
  'bad-profile',
  'bad-spec',
  'bad-listing',
  'other-package',
  'other-repository',
  'subdirectory-needs-package',
] as const

export type InstallResult =
  | { readonly ok: true; readonly plan: InstallPlan }
  | { readonly ok: false; readonly reason: NotInstallableReason }
