/** Answers to the question if a plugin runs in a harness. Pages load this file, so it has no schemas. */
import { splitPackageId } from './package-id.ts'
import type { PluginState } from './profiles.ts'
import type { DeclaredFit, Fit } from './review.ts'

/** An answer that may be unknown: what nobody tried is neither yes nor no. */
export type YesNoUnknown = 'yes' | 'no' | 'unknown'

/** Returns true if a plugin fits, false if not, and null when that is unknown. */
export function fits({ state }: Pick<Fit, 'state'>): boolean | null {
  if (state === 'runs' || state === 'declared-to-fit') return true
  return state === 'does-not-run' || state === 'declared-not-to-fit' || state === 'not-found' ? false : null
}

/** Reason why a plugin is known not to fit, as a row shows it. */
export interface Misfit {
  /**
   * - `did-not-start`, `broke-page`: it was tried here
   * - `needs-newer`, `needs-older`: it declares to need another version of the harness
   * - `other`: it declares not to fit
   * - `not-found`: the registry or the code host does not have it
   */
  readonly reason: 'did-not-start' | 'broke-page' | 'needs-newer' | 'needs-older' | 'other' | 'not-found'
  /** Time of the trial; null when there was none. */
  readonly triedAt: number | null
}

/** Returns why a plugin does not fit; null when it fits or that is unknown. */
export function misfitOf(fit: Pick<Fit, 'state' | 'needs' | 'triedAt' | 'breaksPage'>): Misfit | null {
  const { state, needs, triedAt, breaksPage } = fit
  if (fits(fit) !== false) return null
  if (state === 'does-not-run') return { reason: breaksPage ? 'broke-page' : 'did-not-start', triedAt }
  if (state === 'not-found') return { reason: 'not-found', triedAt: null }
  return { reason: needs === null ? 'other' : `needs-${needs}`, triedAt: null }
}

/** Listings that are known to fit the harness, or known not to. For any other listing the fit is unknown. */
export interface Fits {
  readonly harnessVersion: string | null
  readonly fits: readonly (readonly [id: string, fits: boolean])[]
  /** Reasons for those that do not fit. */
  readonly misfits: readonly (readonly [id: string, misfit: Misfit])[]
  /** Number of listings that can be installed. */
  readonly total: number
}

// Of a review

/** A caution about a plugin's package that the user must acknowledge before an install. */
export type FitCaution = 'unmet' | 'foreign-scope' | 'shadows' | 'deprecated'

/** Returns the state of a fit that is known by the declaration alone. */
export const stateOfDeclared = (state: DeclaredFit['state']) =>
  state === 'refused' || state === 'allowed' || state === 'not-enforced' ? 'declared-not-to-fit' : state

/** Returns true if the harness has all that a package requires, also when it requires nothing. */
export const hasAllRequired = ({ state }: Pick<DeclaredFit, 'state'>): boolean =>
  state === 'declared-to-fit' || state === 'not-declared'

/** Returns true if this very version was tried on this machine, and failed. */
export const hasFailedHere = (fit: DeclaredFit | null | undefined): boolean => fit?.trial?.runs === false

/** Returns the cautions of a package; none while its fit is unknown. */
export function fitCautions(fit: DeclaredFit | null | undefined): FitCaution[] {
  if (!fit) return []
  return [
    ...(fit.state === 'allowed' || fit.state === 'not-enforced' ? (['unmet'] as const) : []),
    ...(fit.foreignScope ? (['foreign-scope'] as const) : []),
    ...(fit.shadows.length > 0 ? (['shadows'] as const) : []),
    ...(fit.deprecated === null ? [] : (['deprecated'] as const)),
  ]
}

/** Returns the version that a yes to a review is for; null when the package could not be read. */
export function agreedVersion(fit: DeclaredFit | null): string | null {
  if (fit === null || fit.state === 'not-found' || fit.problem !== null) return null
  return splitPackageId(fit.plugin).version
}

// Of an installed plugin, and of the harness itself

/** Returns true for a state in which a plugin that should run does not, or harms the harness. */
export const isBroken = ({ kind }: Pick<PluginState, 'kind'>): boolean =>
  !['running', 'loaded', 'untried', 'off', 'not-a-layer'].includes(kind)

/** Versions of the harness in which the tests run this version of the store, oldest first. */
export const TESTED_HARNESSES: readonly string[] = ['0.1.0-rc.8', '0.1.2-rc.1', '0.1.5-rc.1', '0.2.1-rc.2']

/** Returns whether this version of the store was tested with a version of the harness. */
export const isTestedHarness = (version: string | null): YesNoUnknown =>
  version === null ? 'unknown' : TESTED_HARNESSES.includes(version) ? 'yes' : 'no'
