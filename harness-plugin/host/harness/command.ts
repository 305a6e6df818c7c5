import { join } from 'node:path'
import { installArguments, isPackageName, isProgramName, specOfId, specText } from '@plugmark/shared/install'
import valid from 'semver/functions/valid.js'
import type { Outcome } from '../../protocol/index.ts'
import { SILENCE_LINE } from '../../protocol/next-steps.ts'
import { blockedBuilds } from '../builds/blocked.ts'
import { JOB_VARIABLE } from '../process/orphaned-processes.ts'
import { type ProcessEnd, programExists, runProcess, withTimeout } from '../process/run.ts'
import { HOME_VARIABLE } from '../profile/home.ts'
import { addLayer, keepingDisabled } from '../profile/manifest.ts'
import { declaresLayer } from '../profile/state.ts'
import { type ChangeContext, isToggle, type JobContext, type PluginChange } from './job.ts'
import { readHarnessVersion } from './version.ts'

// The command of a change

/**
 * Returns the source of an install, as the command line and the plugin manager take it.
 *
 * @throws for a version that was not parsed, and for a repository, which has none
 */
export function sourceText({ plan, version, source }: Pick<PluginChange, 'plan' | 'version' | 'source'>): string {
  if (source !== undefined) {
    if (specOfId(source) === null) throw new Error('a source that was not parsed')
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
  // Only the source of an install is in its arguments, and a branch or a folder in none of a listing.
  const { spec } = plan
  const add = installArguments({
    ...plan,
    spec: spec.kind === 'npm' ? spec : { kind: 'github', owner: spec.owner, repo: spec.repo },
  })
  if (add === null || isToggle({ action })) throw new Error('a plan that was not parsed')
  // `update` would take the newest version, or the root of a repository.
  const isExact = change.version !== undefined || change.source !== undefined
  if (action === 'install' || action === 'approve' || (action === 'update' && isExact))
    return [...add.slice(0, -1), sourceText(change)]
  if (!isPackageName(name)) throw new Error('a package that was not parsed')
  const verb = action === 'remove' ? ['remove'] : ['update', '--latest']
  return [...add.slice(0, -2), ...verb, name]
}

/** Returns the command that the user would type, without characters that are special in a shell; null for none. */
export function renderCommand(change: PluginChange): string | null {
  if (isToggle(change)) return null
  if (!isProgramName(change.plan.cli)) throw new Error('a plan that was not parsed')
  return [change.plan.cli, ...commandArguments(change).map(quoteArgument)].join(' ')
}

/** Quotes a path for a shell. No argument has a quote in it. */
const quoteArgument = (argument: string): string => {
  if (argument.includes('$')) return `'${argument}'`
  return argument.includes(' ') ? `"${argument}"` : argument
}

/** Returns the command that removes a plugin from a profile that it breaks; null when there is nothing to remove. */
export function renderRemoveCommand(change: PluginChange, name: string | null): string | null {
  return change.action === 'remove' || name === null
    ? null
    : renderCommand({ ...change, action: 'remove', package: name })
}

// How it is run

/** End of a command of a job. `not-harness`: the program is not the harness, and was not started. */
export interface CommandEnd {
  readonly kind: ProcessEnd['kind'] | 'not-harness'
  readonly code: number | null
}

/**
 * Makes the package manager copy packages into a trial's home. By default it hard-links them from its store, like those
 * of the profile: a new link changes the ctime of the profile's own file, and a harness that runs from the profile
 * (0.2) then reloads that part of its page. pnpm 10 reads the first, pnpm 11 and 12 the second, for which pnpm 11
 * ignores `clone-or-copy`. See `copyProfile` for the setting that is stronger than these on pnpm 10.
 */
const COPY_PACKAGES = {
  npm_config_package_import_method: 'clone-or-copy',
  pnpm_config_package_import_method: 'copy',
}

/** Returns the environment of a job's processes in one home. */
export function homeEnvironment(
  { settings, job }: { readonly settings: JobContext['settings']; readonly job: Pick<JobContext['job'], 'id'> },
  home: string,
): Record<string, string> {
  // The temporary folder of a trial's programs is deleted with the trial.
  const tmp = join(home, 'tmp')
  const own = home === settings.home ? {} : { ...COPY_PACKAGES, TMPDIR: tmp, TEMP: tmp, TMP: tmp }
  return { ...settings.env, ...own, [HOME_VARIABLE]: home, [JOB_VARIABLE]: job.id }
}

/** A busy machine takes seconds. */
const VERSION_TIMEOUT_MS = 30_000

/**
 * Returns true if the command starts the harness, or cannot be started at all, which a later start reports. A command
 * that was not configured may be any program: Debian has a `dsh` of its own.
 */
export async function isHarness({ settings, signal }: Pick<JobContext, 'settings' | 'signal'>): Promise<boolean> {
  const { command, env } = settings
  if (!settings.isCommandGuessed) return true
  if (!(await programExists(command[0] ?? '', env))) return true
  const limits = { env, signal: withTimeout(signal, VERSION_TIMEOUT_MS) }
  return (await readHarnessVersion(command, limits)) !== null || signal.aborted
}

/** Silence of a command after which the log says what it may wait for, in ms. */
const SILENT_MS = 20_000

/** Runs the harness's command line in a home, as part of a job. */
export async function runHarness(
  context: Pick<JobContext, 'settings' | 'output' | 'signal'> & {
    readonly job: Pick<JobContext['job'], 'id'>
  },
  home: string,
  args: readonly string[],
): Promise<{ readonly end: CommandEnd; readonly output: readonly string[] }> {
  const { settings, output, signal } = context
  const from = output.end()
  if (!(await isHarness(context))) {
    output.write('err', `${settings.command.join(' ')} does not answer --version as the harness does.\n`)
    output.end()
    return { end: { kind: 'not-harness', code: null }, output: output.since(from) }
  }
  const silence = setTimeout(() => output.write('out', `${SILENCE_LINE}\n`), SILENT_MS)
  const end = await runProcess({
    command: [...settings.command, ...args],
    cwd: home,
    env: homeEnvironment(context, home),
    signal,
    onText(stream, text) {
      silence.refresh()
      output.write(stream, text)
    },
  })
  clearTimeout(silence)
  output.end()
  return { end, output: output.since(from) }
}

/**
 * Makes a change by the harness's command line. Enables the plugin after an install, because from 0.1.6 on the command
 * line leaves a layer disabled that was installed and disabled before.
 *
 * @param directory the profile in that home
 */
export async function runChange(
  context: ChangeContext,
  home: string,
  directory: string,
): ReturnType<typeof runHarness> {
  const { action, package: name } = context.change
  const isInstall = action === 'install' || action === 'approve'
  const ran = await keepingDisabled(directory, isInstall ? name : null, () =>
    runHarness(context, home, commandArguments(context.change)),
  )
  const isInstalled = isInstall && ran.end.kind === 'exited' && ran.end.code === 0
  if (isInstalled && name !== null && (await declaresLayer(directory, name))) await addLayer(directory, name)
  return ran
}

/**
 * Reports the build scripts that stopped a command.
 *
 * @param profile the directory that the command ran in, unchanged since
 */
export async function reportBlockedBuilds(
  context: ChangeContext,
  outcome: Outcome,
  home: string,
  profile: string,
): Promise<void> {
  const { signal, change, blockedBuilds: found } = context
  const options = { profile, env: homeEnvironment(context, home), signal, allowed: change.approval }
  const blocked = await blockedBuilds(outcome, options)
  if (blocked) found.set(change.listing, blocked)
}
