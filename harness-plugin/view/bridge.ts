/**
 * All that the screen knows of where it stands. A shell implements it over its own connection; the shapes are JSON and
 * agree with the host's, which the shell's compiler checks. Times are ms since 1970 unless said otherwise.
 */
import type { Verdict } from '@plugmark/shared/contract'

export interface StoreBridge {
  overview(): Promise<Answer<Overview>>
  /** At most some hundred rows from this position on; ask again from where they end. */
  listings(from: number): Promise<Answer<ListingsPage>>
  /** A person asked for a new copy of the listings. */
  refresh(): Promise<Answer<CatalogueStatus>>
  /** What a person must see before they agree, and the token that says they did. */
  review(id: string, profile: string): Promise<Answer<Review>>
  install(id: string, token: string, acknowledged: boolean): Promise<Answer<Job>>
  cancel(job: string): Promise<Answer<Job>>
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: StoreEvent) => void): () => void
}

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: string; readonly message: string }

export interface StoreListing {
  /** `owner/repo`, or `owner/repo#sub/path`. */
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
  /** ISO 8601. */
  readonly checkedAt: string | null
  readonly repoUrl: string
}

export interface CatalogueStatus {
  readonly state: 'idle' | 'loading' | 'ready' | 'unverifiable' | 'failed'
  /** Another one means that the rows start anew. */
  readonly revision: number
  readonly count: number
  readonly rejected: number
  readonly loadedAt: number | null
  /** `kind` is `network`, `timeout`, `http` or `invalid`. */
  readonly failure: { readonly kind: string; readonly message: string } | null
}

export interface ListingsPage {
  readonly status: CatalogueStatus
  readonly from: number
  readonly rows: readonly StoreListing[]
}

export interface Profile {
  readonly name: string
  readonly bundles: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
}

export interface Overview {
  readonly cli: string
  readonly directory: string
  readonly profiles: readonly Profile[]
  readonly profile: string
  readonly harness: 'found' | 'missing'
  readonly jobs: readonly Job[]
}

export interface Review {
  readonly id: string
  readonly profile: string
  readonly command: string
  readonly checkedCommand: string
  readonly verdict: Verdict | null
  readonly checkedAt: string | null
  readonly riskFlags: readonly string[]
  readonly blockedBuilds: readonly string[]
  readonly license: string | null
  readonly repoUrl: string
  /** What takes a deliberate step. */
  readonly cautions: readonly ('verdict' | 'risk-flags')[]
  readonly token: string
  readonly expiresAt: number
}

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

export interface ProfileOutcome {
  readonly registered: boolean
  readonly registeredBefore: boolean
  readonly dependency: boolean
  readonly changed: readonly string[]
}

export interface Outcome {
  readonly kind: OutcomeKind
  readonly subjects: readonly string[]
  /** What became of its changes; null when there was nothing to undo. */
  readonly undo: 'undone' | 'changed-elsewhere' | 'failed' | null
  /** Null when nothing was started, and when it cannot be read. */
  readonly profile: ProfileOutcome | null
}

/** A job without what it wrote. */
export interface JobState {
  readonly id: string
  readonly listing: string
  readonly profile: string
  readonly command: string
  readonly state: 'queued' | 'running' | 'cancelling' | 'done'
  readonly position: number
  readonly queuedAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly outcome: Outcome | null
}

export interface Job extends JobState {
  readonly output: readonly string[]
  /** Earlier lines that are not kept. */
  readonly dropped: number
}

export type StoreEvent =
  | { readonly type: 'catalogue'; readonly status: CatalogueStatus }
  | { readonly type: 'job'; readonly job: JobState }
  /** `from` counts every line the job ever wrote. */
  | { readonly type: 'output'; readonly job: string; readonly from: number; readonly lines: readonly string[] }
  | { readonly type: 'profiles'; readonly profiles: readonly Profile[] }
