/**
 * How the harness takes a plugin's requirements.
 * - `met`: they are met, or there are none
 * - `refused`: they are not, and the harness would refuse it
 * - `allowed`: they are not, and a person told the harness to take this version all the same
 * - `not-enforced`: they are not, and this harness does not look at them
 * - `unknown`: this harness did not say its version
 */
export type CompatibilityState = 'met' | 'refused' | 'allowed' | 'not-enforced' | 'unknown'

/** What a plugin asks of the harness, beside the one that it would run in. */
export interface Compatibility {
  readonly state: CompatibilityState
  /** The plugin in the version that an install would take, `name@version`. */
  readonly plugin: string
  /** Version of the harness; null when it did not say. */
  readonly harnessVersion: string | null
  /** Such as `dsh ^0.2.0`: what is not met, else all. Empty when it asks for nothing. */
  readonly requirements: readonly string[]
  /** For a refused one, the harness's own command that accepts the risk. A person runs it, never the store. */
  readonly allowCommand: string | null
}
