/**
 * How a job ended, read from the profile's own files.
 * - `registered`: the harness boots it as a layer
 * - `updated`, `up-to-date`: subjects are the version before and the one now
 * - `removed`: the profile no longer has it
 * - `enabled`, `disabled`: the harness boots it as a layer again, or no longer; it is installed
 * - `not-a-layer`: installed as a dependency, and declares no layer
 * - `build-blocked`: its build script, or a dependency's, was not run; the job `approve` can allow it
 * - `git-prepare-blocked`: its repository must be built first, and the package manager refuses; likewise
 * - `incompatible`: the harness refuses this version; the subjects are `name@version`, the harness's version, and what
 *   it asks for
 * - `not-found`: the registry or the code host does not have it, or does not have something it needs
 * - `file-missing`: a package that the profile has from a tarball on this machine, which is gone; the subjects are the
 *   file and the package
 * - `unreachable`: the registry or the code host could not be reached, or gave no answer that can be read
 * - `damaged`: what came is not what the registry had announced
 * - `stops-harness`: with it the harness does not start; the subjects are its last words
 * - `does-not-start`: with it the harness starts, but the plugin does not; the subjects are the harness's words for why
 * - `breaks-others`: with it rows of others do not run that do without it; the subjects are the harness's words, or ids
 * - `no-effect`: its bundle changes nothing in the harness
 * - `breaks-screen`: with it the harness starts, but not its web page; the subjects say what the page said
 * - `profile-broken`: the harness does not start from this profile without it either; likewise
 * - `trial-differs`: what was installed is not what was tried
 * - `other-source`: the profile has a package of this name from elsewhere; the subject is the name
 * - `profile-changed`: somebody else changed the profile while the plugin was tried in a copy
 * - `disk-full`: there was no room left
 * - `pnpm-missing`, `harness-missing`: that program could not be started
 * - `not-harness`: the program that should be the harness is another one; its last line of output names it
 * - `harness-old`: the harness does not know the command
 * - `profile-missing`: the profile is gone since it was chosen
 * - `not-prepared`: the profile could not be put aside or a file of it not be read, so nothing was run in it; the subject
 *   is the word for why
 * - `not-begun`: the store's process ended before it began; told at its next start
 * - `interrupted`: the store's process ended in the middle of it; likewise
 * - `timed-out`, `cancelled`: ended from here
 * - `rejected`: the harness itself does not take it; the subject is its word for why
 * - `failed`: another reason, which the output tells
 */
export type OutcomeKind =
  | 'registered'
  | 'updated'
  | 'up-to-date'
  | 'removed'
  | 'enabled'
  | 'disabled'
  | 'not-a-layer'
  | 'build-blocked'
  | 'git-prepare-blocked'
  | 'incompatible'
  | 'not-found'
  | 'file-missing'
  | 'unreachable'
  | 'damaged'
  | 'stops-harness'
  | 'does-not-start'
  | 'breaks-others'
  | 'no-effect'
  | 'breaks-screen'
  | 'profile-broken'
  | 'trial-differs'
  | 'other-source'
  | 'profile-changed'
  | 'disk-full'
  | 'pnpm-missing'
  | 'harness-missing'
  | 'not-harness'
  | 'harness-old'
  | 'profile-missing'
  | 'not-prepared'
  | 'not-begun'
  | 'interrupted'
  | 'timed-out'
  | 'cancelled'
  | 'rejected'
  | 'failed'

/**
 * What became of the changes of a job that did not come to its end.
 * - `undone`: the profile's files and node_modules are as they were, except for what somebody else changed of the files
 *   meanwhile: that stays, and `profile.changed` names them
 * - `failed`: it could not be put back; the next job of it, and the next start, try again
 * - `unreadable`: what was put aside cannot be read, so the profile is as the job left it; `quarantined` says where it is
 */
export type RollbackResult = 'complete' | 'failed' | 'unreadable'

/** How the profile stands after a job. */
export interface ProfileOutcome {
  /** The plugin is among the layers that the harness boots. */
  readonly registered: boolean
  /** It was among them before. */
  readonly registeredBefore: boolean
  /** The plugin's package is among the dependencies. */
  readonly dependency: boolean
  /** Files of the profile that are not as they were. */
  readonly changed: readonly string[]
}

/** What was tried before the profile was touched. */
export interface TrialReport {
  /**
   * The harness started from a copy of the profile; false when it does not start from this profile by itself, with the
   * plugin or without it.
   */
  readonly harnessStarted: boolean
  /**
   * Its web page came up in a browser; false when no page was open to try it in, or none answered in time; null for a
   * profile that has none.
   */
  readonly pageLoaded: boolean | null
}

/**
 * Whether what a job changed is in effect.
 * - `unchanged`: the harness boots what it booted before
 * - `live`: the running harness has applied it, and so have its open pages
 * - `restart`: it takes effect when the harness is started the next time
 * - `restart-for-page`: the running harness no longer has the plugin, but its page keeps the plugin's part until a restart
 */
export type Activation = 'unchanged' | 'live' | 'restart' | 'restart-for-page'

export interface Outcome {
  readonly kind: OutcomeKind
  /** What it is about: the packages whose builds were blocked, the exact key, the name that was not found. */
  readonly subjects: readonly string[]
  /** Null when there was nothing to rollback: the job did what it was for, or nothing was started. */
  readonly rollback: RollbackResult | null
  /**
   * Names in the profile's directory under which is kept what could not be read: files of the profile, and what this or
   * an earlier job had put aside.
   */
  readonly quarantined: readonly string[]
  /** How the profile stands now; null when nothing was started, and when it cannot be read. */
  readonly profile: ProfileOutcome | null
  /** Null when there was no trial. */
  readonly trial: TrialReport | null
  readonly activation: Activation
  /** A command that takes the plugin out of a profile by hand, where the trial found that it does harm. */
  readonly removeCommand: string | null
  /** The harness's own command that accepts a plugin that it refuses. A person runs it, never the store. */
  readonly allowCommand: string | null
}
