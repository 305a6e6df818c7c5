import { type InstallPlan, installArguments, isPackageName, isProgramName } from '@plugmark/shared/install'
import type { Job, JobAction } from '../../protocol/index.ts'
import type { Approval } from '../builds/allow.ts'

/** What a job does with one plugin, as a person agreed to it. */
export interface PluginChange {
  readonly action: JobAction
  /** The listing's `fullName`. */
  readonly listing: string
  /** Its install command, for the profile in question. */
  readonly plan: InstallPlan
  /** Its package in the profile; null before it is installed. */
  readonly package: string | null
  /** Build scripts that may run. */
  readonly approval: Approval | null
}

/** What a job does to a profile: one change or several, as a whole. */
export type JobRequest = Pick<Job, 'action' | 'listing' | 'more' | 'profile'> & {
  /** None for an undo or a repair. */
  readonly changes: readonly PluginChange[]
  /** Of an undo, the id of the job whose change it takes back. */
  readonly undoes?: string
}

/** A job of these changes, all of one profile. */
export function toRequest(changes: readonly [PluginChange, ...PluginChange[]]): JobRequest {
  const [{ action, listing, plan }, ...others] = changes
  return { action, listing, more: others.map(({ listing }) => listing), profile: plan.profile, changes }
}

/** Whether a job only enables or disables a plugin that the profile has. No command line does that. */
export const isToggle = ({ action }: Pick<PluginChange, 'action'>): boolean =>
  action === 'enable' || action === 'disable'

/**
 * The arguments of the harness's command line for a change, without the program itself.
 *
 * @throws for a plan or a package that was not parsed, and for what no command line does
 */
export function commandArguments({ action, plan, package: name }: PluginChange): string[] {
  const add = installArguments(plan)
  if (add === null || isToggle({ action })) throw new Error('a plan that was not parsed')
  if (action === 'install' || action === 'approve') return add
  if (!isPackageName(name)) throw new Error('a package that was not parsed')
  const verb = action === 'remove' ? ['remove'] : ['update', '--latest']
  return [...add.slice(0, -2), ...verb, name]
}

/** The command that a person would type; null when there is none. No character of it is special in a shell. */
export function renderCommand(change: PluginChange): string | null {
  if (isToggle(change)) return null
  if (!isProgramName(change.plan.cli)) throw new Error('a plan that was not parsed')
  return [change.plan.cli, ...commandArguments(change)].join(' ')
}

/** The command that takes a plugin out of a profile that it breaks; null when there is nothing to take out. */
export function renderRemoveCommand(change: PluginChange, name: string | null): string | null {
  return change.action === 'remove' || name === null
    ? null
    : renderCommand({ ...change, action: 'remove', package: name })
}
