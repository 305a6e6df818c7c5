import type { JobState } from './jobs.ts'
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

/** A release that pnpm does not install yet, because it waits for some time after a release. */
export interface WaitingRelease {
  readonly version: string
  /** When pnpm installs it, ISO 8601, in whole minutes. */
  readonly until: string
  /** Major version of pnpm. */
  readonly pnpm: number
  /** Length of the wait: the setting `minimumReleaseAge`, or pnpm's default. */
  readonly minutes: number
}

/** A version that a person keeps: it is left out when all plugins are updated. */
export interface Hold {
  /** In the person's words; null when none was given. */
  readonly reason: string | null
  /** Ms since 1970. */
  readonly since: number
  /** The one update that is skipped, as `latest` names it; without it, none is offered. */
  readonly skips?: string | undefined
}

/** An installed package before or after a change. */
export interface PackageState {
  /** Null when the package has none. */
  readonly version: string | null
  /** True if the harness boots it as a layer. */
  readonly layer: boolean
}

/** The last change of a profile, whose snapshot is kept. */
export interface LastChange {
  readonly job: Pick<JobState, 'id' | 'action' | 'listing' | 'more' | 'command' | 'startedAt'>
  /** Time when it was stored, ms since 1970. */
  readonly endedAt: number
  /** Files of the profile that another program has changed since, so that the change cannot be undone. */
  readonly changed: readonly string[]
  /** Packages that an undo changes, as they are now and as they are after it; null where it is not installed. */
  readonly packages: readonly {
    readonly name: string
    readonly now: PackageState | null
    readonly after: PackageState | null
  }[]
}

/** Automatic checks for updates of a profile's plugins. */
export interface UpdateChecks {
  /** True if an open store checks by itself, at most every six hours. */
  readonly automatic: boolean
  /** Time of the last successful check, ms since 1970; null before the first. */
  readonly checkedAt: number | null
}

/** A dependency of a profile, as the profile's files describe it. */
export interface InstalledPlugin {
  /** Package name. */
  readonly name: string
  /** Its spec in the profile's package.json, such as `^1.2.0` or `github:owner/repo`; redacted, as it may hold a password. */
  readonly spec: string
  /** The installed version; null when the package is missing or has no version. */
  readonly version: string | null
  /**
   * The newest version of the registry that pnpm installs now, if it is newer, or the abbreviated newest commit of its repository; null when there is none or
   * `checkUpdates` was not called.
   */
  readonly latest: string | null
  /** The newest version, if pnpm does not install it yet; null otherwise. */
  readonly waiting: WaitingRelease | null
  /** Null when it is not held. */
  readonly hold: Hold | null
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
