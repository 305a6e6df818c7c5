import { isProfileName, isProgramName } from './names.ts'
import { parseSpec, specText } from './spec.ts'
import type { InstallPlan } from './types.ts'

export interface RenderOptions {
  /** The person's own profile. @default the plan's */
  readonly profile?: string
}

/**
 * The arguments that carry a plan out, for a process started without a shell; the program itself is not among them.
 *
 * @returns null when a part of the plan, or the profile, breaks its rules; a parsed plan never does
 */
export function installArguments(plan: InstallPlan, options: RenderOptions = {}): string[] | null {
  const profile = options.profile ?? plan.profile
  const spec = specText(plan.spec)
  if (!isProfileName(profile) || parseSpec(spec) === null) return null
  return ['plugin', '--profile', profile, 'add', spec]
}

/**
 * The command a person types for a plan. Every character of it means itself in a shell.
 *
 * @returns null when a part of the plan, or the profile, breaks its rules; a parsed plan never does
 */
export function renderInstall(plan: InstallPlan, options: RenderOptions = {}): string | null {
  const words = installArguments(plan, options)
  return words === null || !isProgramName(plan.cli) ? null : [plan.cli, ...words].join(' ')
}
