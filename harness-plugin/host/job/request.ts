import { type InstallPlan, installArguments, isPackageName, isProgramName } from '@plugmark/shared/install'
import type { JobAction } from '../../bridge/index.ts'
import type { Approval } from '../builds/allow.ts'

/** What a person agreed to, and a job does. */
export interface Order {
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

/** Whether an order only turns a plugin on or off that the profile has. No command line does that. */
export const isSwitch = ({ action }: Pick<Order, 'action'>): boolean => action === 'enable' || action === 'disable'

/**
 * The arguments that carry an order out; the program itself is not among them.
 *
 * @throws for a plan or a package that was not parsed, and for what no command line does
 */
export function orderArguments({ action, plan, package: name }: Order): string[] {
  const add = installArguments(plan)
  if (add === null || isSwitch({ action })) throw new Error('a plan that was not parsed')
  if (action === 'install' || action === 'approve') return add
  if (!isPackageName(name)) throw new Error('a package that was not parsed')
  const verb = action === 'remove' ? ['remove'] : ['update', '--latest']
  return [...add.slice(0, -2), ...verb, name]
}

/** The command a person would type for it; null when there is none. Every character of it means itself in a shell. */
export function renderOrder(order: Order): string | null {
  if (isSwitch(order)) return null
  if (!isProgramName(order.plan.cli)) throw new Error('a plan that was not parsed')
  return [order.plan.cli, ...orderArguments(order)].join(' ')
}
