import type { Verdict } from '@plugmark/shared/contract'

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
