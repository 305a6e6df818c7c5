import type { Category, RiskFlag, Verdict } from '../contract/index.ts'
import type { NotInstallableReason } from '../install/index.ts'

/** A short name, and a plain sentence for somebody who has never seen it. */
export interface Explained {
  readonly name: string
  readonly sentence: string
}

/** The texts for the contract's ids in one language, the same on every surface. */
export interface ContractTexts {
  readonly categories: Readonly<Record<Category | 'other', string>>
  /** `unknown`: a listing without a verdict, or with one newer than this client. */
  readonly verdicts: Readonly<Record<Verdict | 'unknown', Explained>>
  /** Joins the name of a verdict and the age of its install check. */
  readonly checked: (verdict: string, age: string) => string
  /** The same for a check that passed. */
  readonly passed: (age: string) => string
  readonly riskFlags: Readonly<Record<RiskFlag, Explained>>
  /** The sentence for a flag newer than this client; its name is the flag itself. */
  readonly otherRiskFlag: string
  readonly reasons: Readonly<Record<NotInstallableReason, string>>
  /** Shown wherever an install is offered. */
  readonly notAReview: string
  /** The sentences that a directory writes as notes of install options, about a profile. */
  readonly notes: Readonly<Record<DirectoryNote, (profile: string) => string>>
  /** Separates two sentences. */
  readonly sentenceSpace: string
}

export type DirectoryNote = 'package' | 'profile' | 'buildKey' | 'published' | 'commit' | 'approval'
