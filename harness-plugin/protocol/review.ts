import type { Verdict } from '@plugmark/shared/contract'
import type { PluginTrial } from './fit.ts'
import type { JobAction } from './jobs.ts'

/** A caution that a person must acknowledge before the job can start. */
export type Caution = 'verdict' | 'other-version' | 'unlisted' | 'risk-flags' | 'build-scripts'

/** A package with install scripts. */
export interface BuildRequest {
  readonly package: string
  /** Null when it is unknown. */
  readonly version: string | null
  /** The exact key that allows these scripts, and no other version's. */
  readonly key: string
  /** Commands by the name of their script, such as `postinstall`. Empty when they are unknown. */
  readonly scripts: Readonly<Record<string, string>>
}

/** The facts that a person sees before they agree to a job. */
export interface Review {
  readonly id: string
  readonly profile: string
  readonly action: JobAction
  /** The version that a person chose; null for the newest. */
  readonly version: string | null
  /** The exact command that will run; null when the plugin manager does it without a command. */
  readonly command: string | null
  /** The command that the install check ran, in the profile of the check; empty for a package without a listing. */
  readonly checkedCommand: string
  /** Null when it is unknown. */
  readonly verdict: Verdict | null
  /** ISO 8601; null when it is unknown. */
  readonly checkedAt: string | null
  readonly riskFlags: readonly string[]
  readonly blockedBuilds: readonly string[]
  readonly license: string | null
  readonly repoUrl: string
  /** After `approve`: the scripts that will be allowed, and the setting of pnpm-workspace.yaml that will allow them. */
  readonly approval: {
    readonly setting: 'onlyBuiltDependencies' | 'allowBuilds'
    readonly builds: readonly BuildRequest[]
  } | null
  /** True if the plugin is first tested in a copy of the profile, where its code runs too. */
  readonly trial: boolean
  /**
   * The profile's other plugins in the trial: `off` until the new plugin turns out not to start without them, or
   * `started`. Null when there is no trial or no other plugin.
   */
  readonly otherPlugins: 'off' | 'started' | null
  /** True if the profile is the Desktop app's, for which a trial is impossible. */
  readonly desktop: boolean
  readonly cautions: readonly Caution[]
  /** For an update of the store itself: a command that installs the present version again; otherwise null. */
  readonly wayBack: string | null
  /** Starts one such job: of this action and listing, from this source, in this profile. */
  readonly token: string
  readonly expiresAt: number
}

/**
 * Compatibility of a plugin's requirements with the harness.
 * - `met`: they are met, or there are none
 * - `refused`: they are not met, and the harness would refuse the plugin
 * - `allowed`: they are not met, and a person told the harness to accept this version anyway
 * - `not-enforced`: they are not met, and this harness does not check them
 * - `unknown`: the version of the harness is unknown
 * - `not-found`: the registry or the code host does not have the plugin
 */
export type CompatibilityState = 'met' | 'refused' | 'allowed' | 'not-enforced' | 'unknown' | 'not-found'

/** The requirements of a plugin. */
export interface Compatibility {
  readonly state: CompatibilityState
  /** `name@version` that an install would take; its source when it was not found. */
  readonly plugin: string
  /** Null when it is unknown. */
  readonly harnessVersion: string | null
  /** Such as `dsh ^0.2.0`: those that are not met, or all when all are met. Empty when there are none. */
  readonly requirements: readonly string[]
  /** When refused: the harness's own command that accepts the risk. A person runs it, never the store. */
  readonly allowCommand: string | null
  /** Packages of the harness among its dependencies, which can take the place of the harness's own. */
  readonly shadows: readonly string[]
  /** The author's message; null unless that version is deprecated. */
  readonly deprecated: string | null
  /** When unmet: the newest other version that declares to fit; null when none is known. */
  readonly fitting: string | null
  /** The last trial of this version in this version of the harness; null when there was none. */
  readonly trial: PluginTrial | null
}
