import {
  type InstallPlan,
  installArguments,
  isPackageName,
  isProgramName,
  sourceOfId,
  specText,
} from '@plugmark/shared/install'
import valid from 'semver/functions/valid.js'
import type { Job, JobAction, RepairStep } from '../../protocol/index.ts'
import type { Approval } from '../builds/allow.ts'

/** Change of one plugin that a person agreed to. */
export interface PluginChange {
  readonly action: JobAction
  /** The listing's `fullName`. */
  readonly listing: string
  /** Its install command for the profile. */
  readonly plan: InstallPlan
  /** Its package in the profile; null before it is installed. */
  readonly package: string | null
  /** Version that an install takes instead of the newest. */
  readonly version?: string
  /** Source that is installed instead of the plan's own, which then only names the package. */
  readonly source?: string
  /** Build scripts that are allowed to run. */
  readonly approval: Approval | null
}

/** Request for a job on a profile: one change, or several that succeed or fail as a whole. */
export type JobRequest = Pick<Job, 'action' | 'listing' | 'more' | 'profile'> & {
  /** Empty for an undo or a repair. */
  readonly changes: readonly PluginChange[]
  /** True if an agent asked a person for it. */
  readonly byAgent?: boolean
  /** For an undo, the id of the job whose change it undoes. */
  readonly undoes?: string
  /** For a repair, the reviewed steps. */
  readonly repairs?: readonly RepairStep[]
}

/** Creates the request for a job of these changes, which are all for one profile. */
export function toRequest(changes: readonly [PluginChange, ...PluginChange[]]): JobRequest {
  const [{ action, listing, plan }, ...others] = changes
  return { action, listing, more: others.map(({ listing }) => listing), profile: plan.profile, changes }
}

/** Returns true for a step of a repair that the package manager makes. */
export const usesPackageManager = ({ action }: Pick<RepairStep, 'action'>): boolean =>
  action === 'install' || action === 'update' || action === 'unpin'

/** Returns true if a job only enables or disables an installed plugin, which no command line can do. */
export const isToggle = ({ action }: Pick<PluginChange, 'action'>): boolean =>
  action === 'enable' || action === 'disable'

/**
 * Returns the source of an install, as the command line and the plugin manager take it.
 *
 * @throws for a version that was not parsed, and for a repository, which has none
 */
export function sourceText({ plan, version, source }: Pick<PluginChange, 'plan' | 'version' | 'source'>): string {
  if (source !== undefined) {
    if (sourceOfId(source) === null) throw new Error('a source that was not parsed')
    return source
  }
  const text = specText(plan.spec)
  if (version === undefined) return text
  if (plan.spec.kind !== 'npm' || valid(version) !== version) throw new Error('a version that was not parsed')
  return `${text}@${version}`
}

/**
 * Returns the arguments of the harness's command line for a change, without the program.
 *
 * @throws for a plan or a package that was not parsed, and for a change that no command line can make
 */
export function commandArguments(change: PluginChange): string[] {
  const { action, plan, package: name } = change
  const add = installArguments(plan)
  if (add === null || isToggle({ action })) throw new Error('a plan that was not parsed')
  if (action === 'install' || action === 'approve') return [...add.slice(0, -1), sourceText(change)]
  if (!isPackageName(name)) throw new Error('a package that was not parsed')
  const verb = action === 'remove' ? ['remove'] : ['update', '--latest']
  return [...add.slice(0, -2), ...verb, name]
}

/** Returns the command that a person would type, without characters that are special in a shell; null for none. */
export function renderCommand(change: PluginChange): string | null {
  if (isToggle(change)) return null
  if (!isProgramName(change.plan.cli)) throw new Error('a plan that was not parsed')
  return [change.plan.cli, ...commandArguments(change)].join(' ')
}

/** Returns the command that removes a plugin from a profile that it breaks; null when there is nothing to remove. */
export function renderRemoveCommand(change: PluginChange, name: string | null): string | null {
  return change.action === 'remove' || name === null
    ? null
    : renderCommand({ ...change, action: 'remove', package: name })
}
