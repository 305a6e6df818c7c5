/**
 * What the host answers and pushes. Every shape is JSON: it crosses a connection to a page as it stands.
 * Times are ms since 1970, unless a field says otherwise.
 */
import type { Verdict } from '@plugmark/shared/contract'

/**
 * Why a call was refused.
 * - `untrusted`: it did not come from this console's own page
 * - `malformed`: it is not of the call's shape, or too big
 * - `unknown-listing`, `unknown-profile`, `unknown-job`: there is none of that name
 * - `not-installable`: the listing has no command that installs it
 * - `bad-token`: the consent was used, ran out, or is for something else
 * - `not-acknowledged`: this listing takes a deliberate step that was not taken
 * - `already-running`: the same install is queued or running
 * - `directory`: the directory could not be asked
 * - `internal`: a fault of ours; the host's log has it
 */
export type RefusalCode =
  | 'untrusted'
  | 'malformed'
  | 'unknown-listing'
  | 'unknown-profile'
  | 'unknown-job'
  | 'not-installable'
  | 'bad-token'
  | 'not-acknowledged'
  | 'already-running'
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

/** One listing that is known to have passed its install check, as a row shows it. */
export interface StoreListing {
  /** The record's `fullName`. */
  readonly id: string
  readonly summary: string | null
  readonly summaryZh: string | null
  readonly category: string | null
  readonly stars: number
  readonly license: string | null
  readonly language: string | null
  readonly npmPackage: string | null
  readonly riskFlags: readonly string[]
  readonly blockedBuilds: readonly string[]
  readonly verdict: Verdict
  /** When the install check ran, ISO 8601; null when the directory does not say. */
  readonly checkedAt: string | null
  /** Source repository, an http or https address. */
  readonly repoUrl: string
}

/**
 * - `idle`: nobody asked yet
 * - `loading`: rows arrive
 * - `ready`: every row is here; none of them means that nothing has passed
 * - `unverifiable`: the directory has listings, but does not say which passed
 * - `failed`: the directory could not be read; rows of an earlier load are still here
 */
export type CatalogueState = 'idle' | 'loading' | 'ready' | 'unverifiable' | 'failed'

export interface CatalogueStatus {
  readonly state: CatalogueState
  /** Changes when rows of an earlier answer no longer hold; then start again from row 0. */
  readonly revision: number
  /** Rows that are here. */
  readonly count: number
  /** Rows that the directory sent and that did not parse. */
  readonly rejected: number
  /** When the rows were complete; null while they never were. */
  readonly loadedAt: number | null
  /** Why the last load failed: for a person, in English. */
  readonly failure: { readonly kind: string; readonly message: string } | null
}

export interface ListingsPage {
  readonly status: CatalogueStatus
  /** Position of the first row. */
  readonly from: number
  readonly rows: readonly StoreListing[]
}

export interface Profile {
  readonly name: string
  /** `dsh.profile.bundles`: the layers that the harness boots. */
  readonly bundles: readonly string[]
  /** Names and specs of its dependencies. */
  readonly dependencies: Readonly<Record<string, string>>
}

export interface Overview {
  /** Program that install commands name. */
  readonly cli: string
  /** Address of the directory. */
  readonly directory: string
  readonly profiles: readonly Profile[]
  /** The profile that is offered first; it may be missing from `profiles`. */
  readonly profile: string
  /** Whether the harness's program is there to be started. */
  readonly harness: 'found' | 'missing'
  readonly jobs: readonly Job[]
}

/** What must be said yes to by a step of its own. */
export type Caution = 'verdict' | 'risk-flags'

/** What a person is shown before they agree. */
export interface Review {
  readonly id: string
  readonly profile: string
  /** The exact command that will run. */
  readonly command: string
  /** The command that the install check ran, in the profile of the check. */
  readonly checkedCommand: string
  /** Null when it is not known here. */
  readonly verdict: Verdict | null
  readonly checkedAt: string | null
  readonly riskFlags: readonly string[]
  readonly blockedBuilds: readonly string[]
  readonly license: string | null
  readonly repoUrl: string
  readonly cautions: readonly Caution[]
  /** Spent by one install of this listing, of this spec, into this profile. */
  readonly token: string
  readonly expiresAt: number
}

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

export interface Outcome {
  readonly kind: OutcomeKind
  /** What it is about: the packages whose builds were blocked, the exact key, the name that was not found. */
  readonly subjects: readonly string[]
  /** Null when there was nothing to undo: the plugin is registered, or nothing was started. */
  readonly undo: Undo | null
  /** How the profile stands now; null when nothing was started, and when it cannot be read. */
  readonly profile: {
    /** The plugin is among the layers that the harness boots. */
    readonly registered: boolean
    /** It was among them before. */
    readonly registeredBefore: boolean
    /** The plugin's package is among the dependencies. */
    readonly dependency: boolean
    /** Files of the profile that are not as they were. */
    readonly changed: readonly string[]
  } | null
}

export interface Job {
  readonly id: string
  /** The listing's `fullName`. */
  readonly listing: string
  readonly profile: string
  readonly command: string
  readonly state: 'queued' | 'running' | 'cancelling' | 'done'
  /** Jobs of the same profile before it. */
  readonly position: number
  readonly queuedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly outcome: Outcome | null
  /** The last lines that it wrote, without terminal codes. */
  readonly output: readonly string[]
  /** Earlier lines that are no longer kept. */
  readonly dropped: number
}

/** What is pushed to a page. `output` continues a job's lines: `from` counts every line it ever wrote. */
export type StoreEvent =
  | { readonly type: 'catalogue'; readonly status: CatalogueStatus }
  | { readonly type: 'job'; readonly job: Omit<Job, 'output' | 'dropped'> }
  | { readonly type: 'output'; readonly job: string; readonly from: number; readonly lines: readonly string[] }
  | { readonly type: 'profiles'; readonly profiles: readonly Profile[] }
