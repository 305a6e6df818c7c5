/**
 * The ids that the contract uses. Each list has the ids of a server of 2026-08. Servers may add ids, so every reader
 * accepts any string and treats an unlisted one as "other".
 *
 * Source: docs/contract.md.
 */

/** Category ids, in the order in which surfaces show them. */
export const CATEGORIES = [
  'tools',
  'ui',
  'dev',
  'workflow',
  'memory',
  'session',
  'skill',
  'vision',
  'model',
  'notify',
  'usage',
  'theme',
  'market',
  'fun',
] as const
export type Category = (typeof CATEGORIES)[number]

/** Install-check verdicts. A listing that was never tested has none. */
export const VERDICTS = ['passed', 'needs-approval', 'not-a-layer', 'failed', 'timeout'] as const
export type Verdict = (typeof VERDICTS)[number]

/** Verdicts of commands that were run and did not work. */
export const DOUBTFUL_VERDICTS = ['failed', 'timeout', 'not-a-layer'] as const satisfies readonly Verdict[]

/** Risk flags, in the directory's own words. */
export const RISK_FLAGS = ['install script', 'terminal surface', 'requires credentials'] as const
export type RiskFlag = (typeof RISK_FLAGS)[number]

/** Kinds of publication of a listing. `bundle` and `skill` are reserved by the contract and not sent yet. */
export const INSTALL_KINDS = ['npm', 'github', 'unknown', 'bundle', 'skill'] as const

const isOneOf =
  <T extends string>(list: readonly T[]) =>
  (value: unknown): value is T =>
    list.includes(value as T)

export const isCategory = isOneOf(CATEGORIES)
export const isVerdict = isOneOf(VERDICTS)
export const isRiskFlag = isOneOf(RISK_FLAGS)
