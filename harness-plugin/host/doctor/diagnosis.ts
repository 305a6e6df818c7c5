/** The state of a profile and of the programs it needs. Plain data; paths are not redacted. */
export interface Diagnosis {
  readonly home: string
  readonly profile: string
  /** The Node.js that this process runs on. */
  readonly node: { readonly path: string; readonly version: string }
  readonly harness: {
    /** Program and leading arguments that start it. */
    readonly command: readonly string[]
    /** The file that this starts; null when there is none. */
    readonly path: string | null
    /** Null when it does not answer as the harness does. */
    readonly version: string | null
  }
  readonly packageManager: {
    readonly name: 'pnpm'
    /** Null when it is not on the PATH of jobs. */
    readonly path: string | null
    readonly version: string | null
  }
  /**
   * Result of starting the harness from a copy of the profile as it is now, packages included.
   * - `starts`: it came up and stayed up
   * - `does-not-start`: `why` quotes its output
   * - `not-tried`: something that this needs is missing, another program works on the profile, or it was not asked for
   */
  readonly start: { readonly state: 'starts' | 'does-not-start' | 'not-tried'; readonly why: readonly string[] }
  /** Most severe first; empty where all is well. */
  readonly findings: readonly Finding[]
}

export interface Finding {
  readonly kind: FindingKind
  /** The subjects: names of packages, files or jobs, or lines of output. */
  readonly subjects: readonly string[]
  /**
   * - `error`: jobs fail, or the harness does not start
   * - `warning`: something does not work as the profile says
   * - `note`: nothing has to be done
   */
  readonly severity: 'error' | 'warning' | 'note'
  /** True if `repair` deals with it. */
  readonly repairable: boolean
}

/**
 * - `harness-missing`: its program cannot be started
 * - `not-harness`: the program does not answer `--version` as the harness does
 * - `package-manager-missing`: pnpm is not on the PATH of jobs
 * - `profile-missing`: the home has no such profile; the subjects are those that it has
 * - `profile-unreadable`: the profile's package.json cannot be parsed
 * - `does-not-start`: the harness does not start from the profile; the subjects quote its output
 * - `row-inactive`: it starts, but a row of it does not run; the subject says which and how it stands
 * - `layer-not-installed`: `dsh.profile.bundles` has a layer whose package is not there; the subject is its name
 * - `layer-not-enabled`: a dependency declares a layer that is not in `dsh.profile.bundles`, as when it was disabled;
 *   the subject is its name
 * - `page-part-broken`: a plugin's part of the web page does not parse or is missing; the subject names file and error
 * - `page-does-not-load`: the harness starts, but a browser does not get its page; the subject is what the page reported
 * - `setting-invalid`: pnpm cannot use a setting of the profile; the subjects are the setting and its file
 * - `trial-removed`: the trial of a job that is not known any more was left, and is removed now; the subjects are ids
 * - `job-running`: another program has a job of this profile; the subjects are the ids that are known
 * - `job-unfinished`: an earlier job could not be rolled back; the subject is its id
 * - `job-recovered`: an earlier job was interrupted, and was rolled back just now or never began; the subject is its id
 * - `journal-unreadable`: an earlier job's journal cannot be read
 * - `store-outdated`: a newer version of the store left an unfinished job, which only that version can end
 * - `unreadable-kept`: what could not be read is kept under these names in the profile's directory
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

export interface DoctorOptions {
  readonly profile: string
  /** True to start the harness from a copy, which takes seconds. @default true */
  readonly start?: boolean
  /** Ends what was started; what is known by then is the result. */
  readonly signal?: AbortSignal
  /** Called with lines that the harness wrote as it started. */
  readonly onLines?: (lines: readonly string[]) => void
}
