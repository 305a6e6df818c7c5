import type { Category, RiskFlag, Verdict } from '../contract/index.ts'
import type { NotInstallableReason } from '../install/index.ts'

/** The languages every surface speaks. */
export type Language = 'en' | 'zh'

/** A short name, and a plain sentence for a person who has never met it. */
export interface Explained {
  readonly name: string
  readonly sentence: string
}

/** Words for the contract's ids in one language. The same words stand on every surface. */
export interface Lexicon {
  readonly categories: Readonly<Record<Category | 'other', string>>
  /** `unknown` is for a listing without a verdict, or with one newer than this client. */
  readonly verdicts: Readonly<Record<Verdict | 'unknown', Explained>>
  readonly riskFlags: Readonly<Record<RiskFlag, Explained>>
  /** The sentence for a flag newer than this client; its name is the flag itself. */
  readonly otherRiskFlag: string
  readonly reasons: Readonly<Record<NotInstallableReason, string>>
  readonly notAReview: string
}
