import { readFile, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { installArguments, isPackageName, isProgramName, specOfId, specText } from '@plugmark/shared/install'
import valid from 'semver/functions/valid.js'
import * as v from 'valibot'
import type { Outcome } from '../../protocol/index.ts'
import { SILENCE_LINE } from '../../protocol/next-steps.ts'
import { blockedBuilds } from '../builds/blocked.ts'
import { KeptAnswers } from '../kept-answers.ts'
import {
  findProgram,
  JOB_VARIABLE,
  type ProcessEnd,
  programExists,
  type ReadOptions,
  readStdout,
  runProcess,
  withTimeout,
} from '../process/run.ts'
import { HOME_VARIABLE } from '../profile/harness-home.ts'
import { addLayer, keepingDisabled } from '../profile/manifest.ts'
import { declaresLayer } from '../profile/state.ts'
import { type ChangeContext, isToggle, type JobContext, type PluginChange } from './job.ts'
import { isVersion } from './requirements.ts'

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

// Running the command

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

// The version that the command starts

type Limits = Pick<ReadOptions, 'env' | 'signal'>

/** Lifetime of a version that a program printed, in ms: a new version may keep the same program file. */
const PRINTED_MS = 10 * 60_000
const PACKAGE = '@deepseek-ai/dsh'

/** Versions that programs printed, by program and modification time of its file. */
const printed = new KeptAnswers<string | null>({ ms: PRINTED_MS, isKept: (version) => version !== null })

/**
 * Reads the version of the harness that a command starts: from package.json if the command starts a script of the
 * harness's package, otherwise from `--version`, which runs again when the program's file has changed.
 *
 * @param command program and leading arguments
 * @returns null when the program does not answer in time as the harness does
 */
export async function readHarnessVersion(command: readonly string[], limits: Limits): Promise<string | null> {
  const files = await filesOf(command, limits.env)
  for (const file of files) {
    const version = await readPackageVersion(file, PACKAGE)
    if (version !== null && isVersion(version)) return version
  }
  const key = JSON.stringify([command, await Promise.all(files.map(identify))])
  return printed.read(key, async () => {
    const text = await readStdout({ ...limits, command: [...command, '--version'], cwd: tmpdir() })
    const version = text?.trim() ?? ''
    return isVersion(version) ? version : null
  })
}

/** Returns the files that a command starts, with links resolved: its program, and the arguments that are files. */
async function filesOf([program = '', ...args]: readonly string[], env: Limits['env']): Promise<string[]> {
  const found = [await findProgram(program, env), ...args.filter(isAbsolute)]
  // A file that is gone cannot tell whether the program changed.
  const real = found.map((file) => file && realpath(file).catch(() => null))
  return (await Promise.all(real)).filter((file) => file !== null)
}

async function identify(file: string): Promise<unknown> {
  const { size, mtimeMs, ino } = await stat(file)
  return [file, size, mtimeMs, ino]
}

/**
 * Reads the version of the pnpm on PATH: from its package.json, or from `--version` where it is not a script of that
 * package, which takes a second.
 *
 * @returns null when there is none, or it does not answer
 */
export async function readPnpmVersion(limits: Omit<ReadOptions, 'command'>): Promise<string | null> {
  const path = await findProgram('pnpm', limits.env)
  if (path === null) return null
  // A program that was deleted meanwhile has no version.
  const script = await realpath(path).catch(() => path)
  const version = await readPackageVersion(script, 'pnpm')
  return version ?? ((await readStdout({ ...limits, command: ['pnpm', '--version'] }))?.trim() || null)
}

/** Number of parent folders of a script in which to look for its package.json. */
const MAX_FOLDERS = 6

/**
 * Reads the version of the package that a script belongs to.
 *
 * @param script absolute path, without links
 * @param name of the package
 * @returns null for a script of another package, and for a program that is not a script
 */
async function readPackageVersion(script: string, name: string): Promise<string | null> {
  if (!/\.[cm]?js$/.test(script)) return null
  const schema = v.pipe(v.string(), v.parseJson(), v.object({ name: v.literal(name), version: v.string() }))
  let folder = dirname(script)
  for (let level = 0; level < MAX_FOLDERS; level++, folder = dirname(folder)) {
    // No package.json in this folder: the next one up may have it.
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null)
    const parsed = v.safeParse(schema, text)
    if (parsed.success) return parsed.output.version
  }
  return null
}
