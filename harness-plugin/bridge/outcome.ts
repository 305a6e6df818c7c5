/**
 * How an install ended, read from the profile's own files.
 * - `registered`: the harness boots it as a layer
 * - `not-a-layer`: installed as a dependency, and declares no layer
 * - `build-blocked`: its build script, or a dependency's, was not run
 * - `git-prepare-blocked`: its repository must be built first, and the package manager refuses
 * - `not-found`: the registry or the code host does not have it, or does not have something it needs
 * - `unreachable`: the registry or the code host could not be reached
 * - `pnpm-missing`, `harness-missing`: that program could not be started
 * - `profile-missing`: the profile is gone since it was chosen
 * - `not-prepared`: the profile could not be put aside, so nothing was run; the subject is the system's word for why
 * - `interrupted`: the console ended in the middle of it; told at its next start
 * - `timed-out`, `cancelled`: ended from here
 * - `failed`: another reason, which the output tells
 */
export type OutcomeKind =
  | 'registered'
  | 'not-a-layer'
  | 'build-blocked'
  | 'git-prepare-blocked'
  | 'not-found'
  | 'unreachable'
  | 'pnpm-missing'
  | 'harness-missing'
  | 'profile-missing'
  | 'not-prepared'
  | 'interrupted'
  | 'timed-out'
  | 'cancelled'
  | 'failed'

/**
 * What became of the changes of an install that did not register its plugin.
 * - `undone`: the profile's files and node_modules are as they were
 * - `changed-elsewhere`: somebody else changed the profile meanwhile, so it was left as it is
 * - `failed`: it could not be put back; the next install into it, and the next start, try again
 */
export type Undo = 'undone' | 'changed-elsewhere' | 'failed'

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

export interface Outcome {
  readonly kind: OutcomeKind
  /** What it is about: the packages whose builds were blocked, the exact key, the name that was not found. */
  readonly subjects: readonly string[]
  /** Null when there was nothing to undo: the plugin is registered, or nothing was started. */
  readonly undo: Undo | null
  /** How the profile stands now; null when nothing was started, and when it cannot be read. */
  readonly profile: ProfileOutcome | null
}
