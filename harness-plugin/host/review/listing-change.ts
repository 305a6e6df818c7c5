/** Works out the change of a profile that an action on a listing makes, or why there is none. */

import { contractMessages } from '@plugmark/shared/i18n'
import {
  bindInstall,
  findDependency,
  findListedDependency,
  type InstallPlan,
  isProfileName,
  type NotInstallableReason,
  renderInstall,
  specKey,
  specText,
} from '@plugmark/shared/install'
import type { JobAction, Refusal } from '../../protocol/index.ts'
import { refuse } from '../../protocol/protocol.ts'
import type { BlockedBuilds } from '../builds/blocked.ts'
import type { KnownRecord } from '../catalogue/listings.ts'
import type { PluginChange } from '../harness/job.ts'
import { isVersion } from '../harness/requirements.ts'

/** Works out the exact change of a profile that an action on a listing makes. */
export function resolveChange(
  { record }: Pick<KnownRecord, 'record'>,
  given: {
    readonly cli: string
    readonly profile: string
    readonly action: JobAction
    /** Version to install instead of the newest. */
    readonly version?: string | undefined
    /** Build scripts that were blocked when it was installed last. */
    readonly blocked: BlockedBuilds | null
    /** Names and specs of the profile's dependencies. */
    readonly dependencies: Readonly<Record<string, string>>
    /** Names of the profile's layers. */
    readonly layers: readonly string[]
    /** Dependencies whose folder package.json does not have: an update by name would take the root of the repository. */
    readonly lostFolders?: ReadonlySet<string>
  },
): Refusal | { readonly change: PluginChange; readonly checkedCommand: string } {
  const { cli, profile, action, version, blocked, dependencies, layers, lostFolders } = given
  const bound = bindInstall(record, { cli })
  const isInstall = action === 'install' || action === 'approve'
  const { fullName, npmPackage } = record
  const key = bound.ok ? specKey(bound.plan.spec) : null
  const listed = findListedDependency({ fullName, npmPackage, specKey: key }, dependencies)
  // What is installed can be changed although the directory has no command for it.
  if (!bound.ok && (isInstall || listed === null)) return notInstallable(bound.reason)
  const checkedCommand = bound.ok ? renderInstall(bound.plan) : ''
  // Change an installed plugin by its name and its own source: the directory may list another source now.
  const spec = isInstall || listed === null ? bound.ok && bound.plan.spec : listed.spec
  if (!spec || checkedCommand === null || !isProfileName(profile)) return notInstallable('bad-profile')
  const plan: InstallPlan = { cli, profile, spec }
  const isOther = listed !== null && specKey(listed.spec) !== specKey(plan.spec)
  if (isOther || findDependency(plan.spec, dependencies) === 'other-source')
    return refuse('other-source', 'The profile has this plugin from another source. Remove that one first.')
  if (listed === null && !isInstall) return notInstalled()
  if (version !== undefined && (!isInstall || plan.spec.kind !== 'npm' || !isVersion(version)))
    return refuse('no-versions', 'Only a package of the registry has versions to choose. Leave the version out.')
  let approval: PluginChange['approval'] = null
  if (action === 'approve') {
    if (blocked === null)
      return refuse('nothing-blocked', 'None of its build scripts are known to be blocked. Install it.')
    const { setting, builds } = blocked
    if (setting === null)
      return refuse(
        'unknown-package-manager',
        'The version of pnpm is unknown, so these scripts cannot be allowed. Install it again.',
      )
    approval = { setting, builds }
  }
  // The install command would not fetch a newer version: for an installed plugin the blocked job was its update.
  const name = listed?.name ?? null
  const isFolderLost = name !== null && lostFolders?.has(name) === true
  const isUpdate = action === 'approve' && name !== null && layers.includes(name)
  const change: PluginChange = {
    action: isUpdate ? 'update' : action,
    listing: fullName,
    plan,
    package: name,
    approval,
    ...(version === undefined ? {} : { version }),
    ...(action === 'update' && isFolderLost ? { source: specText(spec) } : {}),
  }
  return { change, checkedCommand }
}

export const notInstalled = () => refuse('not-installed', 'This plugin is not installed in the profile.')

const notInstallable = (reason: NotInstallableReason): Refusal => ({
  ...refuse('not-installable', contractMessages('en').reason(reason)),
  reason,
})
