import {
  bindInstall,
  findDependency,
  findListedDependency,
  type InstallPlan,
  type NotInstallableReason,
  renderInstall,
  specKey,
} from '@plugmark/shared/install'
import type { Caution, JobAction, Review } from '../../protocol/index.ts'
import type { Blocked } from '../builds/allow.ts'
import type { KnownRecord } from '../catalogue/directory-record.ts'
import { type PluginChange, renderCommand } from '../harness/job.ts'
import { isVersion } from '../harness/requirements.ts'

export type ReviewResult =
  | {
      readonly ok: true
      readonly change: PluginChange
      readonly review: Omit<Review, 'otherPlugins' | 'token' | 'expiresAt'>
    }
  | {
      readonly ok: false
      readonly reason:
        | NotInstallableReason
        | 'not-installed'
        | 'other-source'
        | 'no-versions'
        | 'nothing-blocked'
        | 'unknown-package-manager'
    }

export interface Reviewing {
  readonly cli: string
  readonly profile: string
  readonly action: JobAction
  /** Version to install instead of the newest. */
  readonly version?: string | undefined
  readonly trial: boolean
  readonly desktop: boolean
  /** Build scripts that were blocked when it was installed last. */
  readonly blocked: Blocked | null
  /** Names and specs of the profile's dependencies. */
  readonly dependencies: Readonly<Record<string, string>>
  /** Names of the profile's layers. */
  readonly bundles: readonly string[]
}

/** Reviews a job before it starts: collects all known facts about the exact command that would run. */
export function reviewListing(
  { record, verdict }: KnownRecord,
  { cli, profile, action, version, trial, desktop, blocked, dependencies, bundles }: Reviewing,
): ReviewResult {
  const bound = bindInstall(record, { cli })
  if (!bound.ok) return bound
  const checkedCommand = renderInstall(bound.plan)
  const isInstall = action === 'install' || action === 'approve'
  const { fullName, npmPackage } = record
  const listed = findListedDependency({ fullName, npmPackage, specKey: specKey(bound.plan.spec) }, dependencies)
  // Change an installed plugin by its name and its own source: the directory may list another source now.
  const plan: InstallPlan = { ...bound.plan, profile, ...(!isInstall && listed ? { spec: listed.spec } : {}) }
  if (checkedCommand === null || renderInstall(plan) === null) return { ok: false, reason: 'bad-profile' }
  const isOther = listed !== null && specKey(listed.spec) !== specKey(plan.spec)
  if (isOther || findDependency(plan.spec, dependencies) === 'other-source')
    return { ok: false, reason: 'other-source' }
  const dependency = listed
  if (dependency === null && !isInstall) return { ok: false, reason: 'not-installed' }
  if (version !== undefined && (action !== 'install' || plan.spec.kind !== 'npm' || !isVersion(version)))
    return { ok: false, reason: 'no-versions' }
  let approval: PluginChange['approval'] = null
  if (action === 'approve') {
    if (blocked === null) return { ok: false, reason: 'nothing-blocked' }
    const { setting, builds } = blocked
    if (setting === null) return { ok: false, reason: 'unknown-package-manager' }
    approval = { setting, builds }
  }
  // The install command would not fetch a newer version: for an installed plugin the blocked job was its update.
  const name = dependency?.name ?? null
  const done = action === 'approve' && name !== null && bundles.includes(name) ? 'update' : action
  const change: PluginChange = {
    action: done,
    listing: record.fullName,
    plan,
    package: name,
    approval,
    ...(version === undefined ? {} : { version }),
  }

  const cautions: Caution[] = []
  const isLess = action === 'remove' || action === 'disable'
  if (!isLess && verdict !== 'passed') cautions.push('verdict')
  if (version !== undefined) cautions.push('other-version')
  if (!isLess && record.riskFlags.length > 0) cautions.push('risk-flags')
  if (approval) cautions.push('build-scripts')
  return {
    ok: true,
    change,
    review: {
      id: record.fullName,
      profile,
      action: done,
      version: version ?? null,
      command: renderCommand(change),
      checkedCommand,
      verdict,
      checkedAt: record.installCheckedAt ?? null,
      riskFlags: [...new Set(record.riskFlags)],
      blockedBuilds: record.blockedBuilds ?? [],
      license: record.license,
      repoUrl: record.repoUrl,
      approval,
      trial,
      desktop,
      cautions,
      wayBack: null,
    },
  }
}
