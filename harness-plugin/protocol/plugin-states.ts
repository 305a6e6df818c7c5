/**
 * State of an installed plugin in the harness.
 * - `running`: its rows run in the harness, or ran when a copy was started
 * - `loaded`: the harness starts it as a layer; no run has been observed
 * - `off`: it is installed, but no layer: a person disabled it
 * - `not-a-layer`: it declares no layer, so the harness never loads it
 * - `refused`: this version of the harness does not accept it; `why` has what it declares
 * - `does-not-start`: it was started and does not run; `why` quotes the harness
 * - `package-missing`: the profile lists it, but its files are missing
 * - `layer-missing`: it ran before an upgrade of the harness, and is no layer any more
 * - `shadows-harness`: it brings the packages of the harness in `why`, which replace the harness's own
 * - `pins-harness`: an entry of the profile pins the version of a package of the harness; `why` names the entry
 * - `replaced`: another plugin's row has the same id as one of its rows; `why` has that id, and what runs there
 */
export type PluginStateKind =
  | 'running'
  | 'loaded'
  | 'off'
  | 'not-a-layer'
  | 'refused'
  | 'does-not-start'
  | 'package-missing'
  | 'layer-missing'
  | 'shadows-harness'
  | 'pins-harness'
  | 'replaced'

/** A step that a person can take about a state, in the order in which they are offered. */
export type PluginStep = 'update' | 'enable' | 'install' | 'remove' | 'allow-version'

export interface PluginState {
  readonly kind: PluginStateKind
  readonly why: readonly string[]
  /** Null when it is unknown. */
  readonly harnessVersion: string | null
  readonly steps: readonly PluginStep[]
  /** When refused: the harness's own command that accepts the risk. A person runs it, never the store. */
  readonly allowCommand: string | null
}

/** An upgrade of the harness since the profile was last inspected. */
export interface HarnessUpgrade {
  readonly from: string
  readonly to: string
  /** Packages that ran before the upgrade and no longer run. */
  readonly off: readonly string[]
  /** Number of packages that ran before. */
  readonly total: number
}

/** Returns true for a state in which a plugin that should run does not, or harms the harness. */
export const isBroken = ({ kind }: Pick<PluginState, 'kind'>): boolean =>
  !['running', 'loaded', 'off', 'not-a-layer'].includes(kind)
