import type { Fit } from './review.ts'

/** Returns true if a plugin fits, false if not, and null when that is unknown. */
export function fits({ state }: Pick<Fit, 'state'>): boolean | null {
  if (state === 'runs' || state === 'declared-to-fit') return true
  return state === 'does-not-run' || state === 'declared-not-to-fit' || state === 'not-found' ? false : null
}

/** Reason why a plugin is known not to fit, as a row shows it. */
export interface Misfit {
  /**
   * - `did-not-start`: it was tried here
   * - `needs-newer`, `needs-older`: it declares to need another version of the harness
   * - `other`: it declares not to fit
   * - `not-found`: the registry or the code host does not have it
   */
  readonly reason: 'did-not-start' | 'needs-newer' | 'needs-older' | 'other' | 'not-found'
  /** Time of the trial; null when there was none. */
  readonly triedAt: number | null
}

/** Returns why a plugin does not fit; null when it fits or that is unknown. */
export function misfitOf(fit: Pick<Fit, 'state' | 'needs' | 'triedAt'>): Misfit | null {
  const { state, needs, triedAt } = fit
  if (fits(fit) !== false) return null
  if (state === 'does-not-run') return { reason: 'did-not-start', triedAt }
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
