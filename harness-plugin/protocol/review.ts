import type { Verdict } from '@plugmark/shared/contract'
import type { JobAction } from './jobs.ts'

/** What must be said yes to by a step of its own. */
export type Caution = 'verdict' | 'risk-flags' | 'build-scripts'

/** A package that wants to run scripts when it is installed. */
export interface BuildRequest {
  readonly package: string
  /** Null when it is not known here. */
  readonly version: string | null
  /** The exact key that allows these scripts, and no other version's. */
  readonly key: string
  /** Commands by the name of their script, such as `postinstall`. Empty when they are not known here. */
  readonly scripts: Readonly<Record<string, string>>
}

/** What a person is shown before they agree. */
export interface Review {
  readonly id: string
  readonly profile: string
  readonly action: JobAction
  /** The exact command that will run; null for what the plugin manager alone does. */
  readonly command: string | null
  /** The command that the install check ran, in the profile of the check. */
  readonly checkedCommand: string
  /** Null when it is not known here. */
  readonly verdict: Verdict | null
  readonly checkedAt: string | null
  readonly riskFlags: readonly string[]
  readonly blockedBuilds: readonly string[]
  readonly license: string | null
  readonly repoUrl: string
  /** For `approve`: the scripts that will be allowed, and under which setting of the profile's pnpm-workspace.yaml. */
  readonly approval: {
    readonly setting: 'onlyBuiltDependencies' | 'allowBuilds'
    readonly builds: readonly BuildRequest[]
  } | null
  /** Whether the plugin is first tried in a copy of the profile, where its code runs too. */
  readonly trial: boolean
  /**
   * What the trial does with the profile's other plugins: `off` until the new one is seen not to start without them, or
   * `started`. Null without a trial, and where there are none.
   */
  readonly otherPlugins: 'off' | 'started' | null
  /** It cannot be: the profile is the Desktop app's. */
  readonly desktop: boolean
  readonly cautions: readonly Caution[]
  /** Spent by one such job: of this listing, of this spec, into this profile. */
  readonly token: string
  readonly expiresAt: number
}
