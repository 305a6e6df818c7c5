import type { EntryState } from './findings.ts'

/**
 * One step of a repair.
 * - `enable`: the profile loads the plugin again
 * - `install`: the plugin's missing files are installed again
 * - `update`: the plugin is updated to `version`, which declares to fit this harness
 * - `unpin`: an override that pins a package of the harness is removed
 * - `take-out`: the profile no longer loads a plugin that nothing installs
 */
export type RepairAction = 'enable' | 'install' | 'update' | 'unpin' | 'take-out'

export interface RepairStep extends EntryState {
  readonly action: RepairAction
  /** Version that is installed; null where the step installs none, or the one of the lockfile. */
  readonly version: string | null
}

/** What a repair of a profile will do, and what it leaves to a person. */
export interface RepairPlan {
  readonly profile: string
  readonly steps: readonly RepairStep[]
  /** Broken entries without a safe step. */
  readonly left: readonly EntryState[]
  /** Digest of the steps: the call `repair` does exactly these. */
  readonly digest: string
}
