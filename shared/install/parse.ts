import { isProfileName } from './names.ts'
import { parseSpec } from './spec.ts'
import type { InstallResult, NotInstallableReason } from './types.ts'

export const refuse = (reason: NotInstallableReason): InstallResult => ({ ok: false, reason })

/** A name, a profile and a spec at their longest are far below this. */
const LONGEST_COMMAND = 1000

/**
 * Parses `<cli> plugin --profile <profile> add <spec>`: single spaces, no trimming, nothing else.
 *
 * Total: takes any value, never throws, linear in the length of the text.
 *
 * @param text what a listing calls its install command
 * @param options.cli the harness program the person has
 */
export function parseInstallCommand(text: unknown, { cli }: { readonly cli: string }): InstallResult {
  if (typeof text !== 'string') return refuse('not-text')
  if (text.length > LONGEST_COMMAND) return refuse('malformed')
  const words = text.split(' ')
  const [program, plugin, option, profile, add, last] = words
  if (words.length !== 6 || plugin !== 'plugin' || option !== '--profile' || add !== 'add') return refuse('malformed')
  if (program !== cli) return refuse('other-cli')
  if (!isProfileName(profile)) return refuse('bad-profile')
  const spec = parseSpec(last!)
  return spec === null ? refuse('bad-spec') : { ok: true, plan: { cli, profile, spec } }
}
