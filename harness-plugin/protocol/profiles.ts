import type { PluginState } from './plugin-states.ts'

export interface Profile {
  readonly name: string
  /** `dsh.profile.bundles`: the layers that the harness boots. */
  readonly bundles: readonly string[]
  /** Names and specs of its dependencies, redacted. */
  readonly dependencies: Readonly<Record<string, string>>
}

/**
 * Reason why the store does not update or remove a plugin.
 * - `store`: it is this store
 * - `not-in-directory`: no listing installs it
 * - `other-source`: the listing of that name would install it from another source
 * - `directory`: the directory could not be reached
 */
export type UnmanagedReason = 'store' | 'not-in-directory' | 'other-source' | 'directory'

/** A dependency of a profile, as the profile's files describe it. */
export interface InstalledPlugin {
  /** Package name. */
  readonly name: string
  /** Its spec in the profile's package.json, such as `^1.2.0` or `github:owner/repo`; redacted, as it may hold a password. */
  readonly spec: string
  /** The installed version; null when the package is missing or has no version. */
  readonly version: string | null
  /**
   * A newer version of the registry, or the abbreviated newest commit of its repository; null when there is none or
   * `checkUpdates` was not called.
   */
  readonly latest: string | null
  /** `fullName` of its listing, found by its repository or its package. */
  readonly listing: string | null
  /** Reason why newer versions are unknown: its source does not have it, or did not answer; null otherwise. */
  readonly updateProblem: 'not-found' | 'no-answer' | null
  /** Source from which the directory installs it now, when it differs from the profile's; else null. */
  readonly directorySource: string | null
  /** Its state in the harness. */
  readonly state: PluginState
  /** True if the harness boots it as a layer. */
  readonly layer: boolean
  /** Null when it cannot be enabled or disabled. */
  readonly enabled: boolean | null
  /** True if the running harness enables and disables it at once, false if that takes a restart. */
  readonly switchesLive: boolean
  /** True if the store can update and remove it. */
  readonly removable: boolean
  /** Null when it is removable. */
  readonly unmanagedReason: UnmanagedReason | null
}
