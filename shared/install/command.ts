/**
 * The install command. In ABNF, with the names of `names.ts`:
 *
 *     command = program " plugin --profile " profile " add " spec
 *     spec    = package / ( "github:" owner "/" repo )
 *
 * Single spaces, no trimming, nothing else. Cases: `cases/commands.*.txt`.
 */
import { isOwnerName, isPackageName, isProfileName, isProgramName, isRepoName } from './names.ts'
import type { InstallPlan, InstallResult, InstallSpec } from './types.ts'

/** Longer than the longest command, in characters. */
const MAX_COMMAND_LENGTH = 1000
const GITHUB = 'github:'

/**
 * Parses an install command.
 *
 * Accepts any value, never throws, and is linear in the length of the text.
 *
 * @param text the install command of a listing
 * @param options.cli the person's harness program
 */
export function parseInstallCommand(text: unknown, { cli }: { readonly cli: string }): InstallResult {
  if (typeof text !== 'string') return { ok: false, reason: 'not-text' }
  const words = text.length > MAX_COMMAND_LENGTH ? [] : text.split(' ')
  const [program, plugin, option, profile, add, last] = words
  if (words.length !== 6 || plugin !== 'plugin' || option !== '--profile' || add !== 'add')
    return { ok: false, reason: 'malformed' }
  if (program !== cli) return { ok: false, reason: 'other-cli' }
  if (!isProfileName(profile)) return { ok: false, reason: 'bad-profile' }
  const spec = parseSpec(last!)
  return spec === null ? { ok: false, reason: 'bad-spec' } : { ok: true, plan: { cli, profile, spec } }
}

/** Parses the last word of an install command; null when it is neither a package name nor `github:<owner>/<repo>`. */
function parseSpec(text: string): InstallSpec | null {
  if (!text.startsWith(GITHUB)) return isPackageName(text) ? { kind: 'npm', name: text } : null
  const [owner, repo, ...rest] = text.slice(GITHUB.length).split('/')
  return rest.length === 0 && isOwnerName(owner) && isRepoName(repo) ? { kind: 'github', owner, repo } : null
}

/** Returns the spec in the form of the command line; the inverse of `parseSpec`. */
export function specText(spec: InstallSpec): string {
  return spec.kind === 'npm' ? spec.name : `${GITHUB}${spec.owner}/${spec.repo}`
}

export interface RenderOptions {
  /** The person's own profile. @default the plan's */
  readonly profile?: string
}

/**
 * Returns the arguments that run a plan in a process without a shell. They do not include the program itself.
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
 * Returns the command that a person types for a plan. No character of it has a special meaning in a shell.
 *
 * @returns null when a part of the plan, or the profile, breaks its rules; a parsed plan never does
 */
export function renderInstall(plan: InstallPlan, options: RenderOptions = {}): string | null {
  const args = installArguments(plan, options)
  return args === null || !isProgramName(plan.cli) ? null : [plan.cli, ...args].join(' ')
}
