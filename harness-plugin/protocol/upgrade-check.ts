import type { PluginState } from './plugin-states.ts'

/** One plugin under another version of the harness. */
export interface UpgradedPlugin {
  readonly name: string
  readonly version: string | null
  readonly state: PluginState
  /** False when it does not run, or declares not to fit; null when it says nothing. */
  readonly fits: boolean | null
  /** Version that declares to fit, when this one does not; null when none is known. */
  readonly fitting: string | null
}

export interface UpgradeCheck {
  readonly harnessVersion: string
  /** `starts` or `does-not-start` when a copy was started under that harness, with its own words; else `not-tried`. */
  readonly start: { readonly state: 'starts' | 'does-not-start' | 'not-tried'; readonly why: readonly string[] }
  readonly plugins: readonly UpgradedPlugin[]
}
