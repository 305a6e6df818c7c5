import { type InstallPlan, installArguments, isPackageName, isProgramName } from '@plugmark/shared/install'
import type { JobAction } from '../../protocol/index.ts'
import type { Approval } from '../builds/allow.ts'

/** What a person agreed to, and a job does. */
export interface JobRequest {
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

/** Whether a job only enables or disables a plugin that the profile has. No command line does that. */
export const isToggle = ({ action }: Pick<JobRequest, 'action'>): boolean => action === 'enable' || action === 'disable'

/**
 * The arguments of the harness's command line for a request, without the program itself.
 *
 * @throws for a plan or a package that was not parsed, and for what no command line does
 */
export function commandArguments({ action, plan, package: name }: JobRequest): string[] {
  const add = installArguments(plan)
  if (add === null || isToggle({ action })) throw new Error('a plan that was not parsed')
  if (action === 'install' || action === 'approve') return add
  if (!isPackageName(name)) throw new Error('a package that was not parsed')
  const verb = action === 'remove' ? ['remove'] : ['update', '--latest']
  return [...add.slice(0, -2), ...verb, name]
}

/** The command that a person would type; null when there is none. No character of it is special in a shell. */
export function renderCommand(request: JobRequest): string | null {
  if (isToggle(request)) return null
  if (!isProgramName(request.plan.cli)) throw new Error('a plan that was not parsed')
  return [request.plan.cli, ...commandArguments(request)].join(' ')
}

/** The command that takes a plugin out of a profile that it breaks; null when there is nothing to take out. */
export function renderRemoveCommand(request: JobRequest, name: string | null): string | null {
  return request.action === 'remove' || name === null
    ? null
    : renderCommand({ ...request, action: 'remove', package: name })
}
