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

/**
 * The arguments that carry an order out; the program itself is not among them.
 *
 * @throws for a plan or a package that was not parsed
 */
export function orderArguments({ action, plan, package: name }: Order): string[] {
  const add = installArguments(plan)
  if (add === null) throw new Error('a plan that was not parsed')
  if (action === 'install' || action === 'approve') return add
  if (!isPackageName(name)) throw new Error('a package that was not parsed')
  const verb = action === 'remove' ? ['remove'] : ['update', '--latest']
  return [...add.slice(0, -2), ...verb, name]
}

/** The command a person would type for it. Every character of it means itself in a shell. */
export function renderOrder(order: Order): string {
  if (!isProgramName(order.plan.cli)) throw new Error('a plan that was not parsed')
  return [order.plan.cli, ...orderArguments(order)].join(' ')
}
