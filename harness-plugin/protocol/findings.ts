import type { PluginState } from './plugin-states.ts'

export interface Finding {
  readonly kind: FindingKind
  /** The subjects: names of packages, files or jobs, or lines of output. */
  readonly subjects: readonly string[]
  /**
   * - `error`: jobs fail, or the harness does not start
   * - `warning`: something does not work as the profile says
   * - `note`: no action is needed
   */
  readonly severity: 'error' | 'warning' | 'note'
  /** True if `repair` can solve it. */
  readonly repairable: boolean
}

/**
 * - `harness-missing`: its program cannot be started
 * - `not-harness`: the program does not answer `--version` as the harness does
 * - `package-manager-missing`: pnpm is not on the PATH of jobs
 * - `profile-missing`: the home has no such profile; the subjects are its profiles
 * - `profile-unreadable`: the profile's package.json cannot be parsed
 * - `does-not-start`: the harness does not start from the profile; the subjects quote its output
 * - `row-inactive`: the harness starts, but a row does not run; the subject names the row and its state
 * - `layer-not-installed`: `dsh.profile.bundles` has a layer whose package is not installed; the subject is its name
 * - `layer-not-enabled`: a dependency declares a layer that is not in `dsh.profile.bundles`, for example because it was
 *   disabled; the subject is its name
 * - `page-part-broken`: a plugin's part of the web page does not parse or is missing; the subject names file and error
 * - `page-does-not-load`: the harness starts, but its page does not load in a browser; the subject is the page's report
 * - `setting-invalid`: pnpm cannot use a setting of the profile; the subjects are the setting and its file
 * - `trial-removed`: trials of jobs that no longer exist were removed; the subjects are the ids of the jobs
 * - `job-running`: another program runs a job of this profile; the subjects are the known ids
 * - `job-unfinished`: an earlier job could not be rolled back; the subject is its id
 * - `job-recovered`: an interrupted job was rolled back just now, or had never begun; the subject is its id
 * - `journal-unreadable`: an earlier job's journal cannot be read
 * - `store-outdated`: a newer version of the store left an unfinished job, which only that version can finish
 * - `unreadable-kept`: unreadable files were kept in the profile's directory under these names
 */
export type FindingKind =
  | 'harness-missing'
  | 'not-harness'
  | 'package-manager-missing'
  | 'profile-missing'
  | 'profile-unreadable'
  | 'does-not-start'
  | 'row-inactive'
  | 'layer-not-installed'
  | 'layer-not-enabled'
  | 'page-part-broken'
  | 'page-does-not-load'
  | 'setting-invalid'
  | 'trial-removed'
  | 'job-running'
  | 'job-unfinished'
  | 'job-recovered'
  | 'journal-unreadable'
  | 'store-outdated'
  | 'unreadable-kept'

/** The result of examining a profile, without paths of this machine. */
export interface ProfileCheck {
  readonly profile: string
  /**
   * Result of starting the harness from a copy of the profile: it came up and stayed up, it did not, or nobody tried
   * because a program is missing or another program is working on the profile. Null while the check runs.
   */
  readonly start: 'starts' | 'does-not-start' | 'not-tried' | null
  /** Most severe first; empty when there are no problems. */
  readonly findings: readonly Finding[]
  /** End of the check, in ms since 1970; null while it runs. */
  readonly checkedAt: number | null
}

/** An entry of a profile, and its state in the harness. */
export interface EntryState {
  readonly name: string
  readonly state: PluginState
}
