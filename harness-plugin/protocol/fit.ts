/**
 * How a plugin goes together with one version of the harness. What was tried outranks what is declared.
 * - `runs`: this version of the harness was seen running this version of the plugin
 * - `does-not-run`: it was tried and did not start; `why` has the harness's own words
 * - `declared-to-fit`, `declared-not-to-fit`: by `engines.dsh`, else by its peers, and by the harness's own rule
 * - `not-declared`: it declares nothing about the harness
 * - `unknown`: what it declares, or the version of the harness, could not be read
 */
export type FitState = 'runs' | 'does-not-run' | 'declared-to-fit' | 'declared-not-to-fit' | 'not-declared' | 'unknown'

export interface Fit {
  readonly state: FitState
  /** `name@version` that this is about; null when it is unknown. */
  readonly plugin: string | null
  /** Null when it is unknown. */
  readonly harnessVersion: string | null
  /** What it declares, such as `dsh ^0.2.0`. */
  readonly requirements: readonly string[]
  /** The harness's own words, when it does not run. */
  readonly why: readonly string[]
  /** When it was tried; null when it was not. */
  readonly triedAt: number | null
  /** When it does not fit: the newest other version that declares to fit; null when none is known. */
  readonly fitting: string | null
}

/** Returns whether a plugin fits: null stands for not known. */
export function fits({ state }: Pick<Fit, 'state'>): boolean | null {
  if (state === 'runs' || state === 'declared-to-fit') return true
  return state === 'does-not-run' || state === 'declared-not-to-fit' ? false : null
}

/**
 * Progress of the run that asks what every plugin declares.
 * - `idle`: it was not asked for
 * - `running`: it goes on
 * - `stopped`: somebody stopped it, or nobody answers any more; it can go on from there
 * - `done`: every plugin that can be installed was asked for within a week
 */
export interface FitSurvey {
  readonly state: 'idle' | 'running' | 'stopped' | 'done'
  /** Sources that are known, of all that a run asks for. */
  readonly done: number
  readonly total: number
  /** Of these: packages, which the registry is asked for; the others are repositories of the code host. */
  readonly packages: number
  /** A server asked to wait until then, in ms since 1970; null while none does. */
  readonly waitsUntil: number | null
  /** Why it stopped by itself. */
  readonly problem: 'unreachable' | null
}

/** Listings by whether they fit the harness; those that are not named are not known. */
export interface Fits {
  readonly harnessVersion: string | null
  readonly fits: readonly (readonly [id: string, fits: boolean])[]
  readonly survey: FitSurvey
}
