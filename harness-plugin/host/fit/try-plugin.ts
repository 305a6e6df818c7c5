import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Verdict } from '@plugmark/shared/contract'
import { isPackageName } from '@plugmark/shared/install'
import type { BuildRequest, OutcomeKind } from '../../protocol/index.ts'
import { blockedBuilds } from '../builds/blocked.ts'
import { homeEnvironment } from '../harness/command.ts'
import type { JobSettings } from '../harness/job.ts'
import { emptyOutcome, readOutcome } from '../harness/outcome.ts'
import { Output } from '../harness/output.ts'
import { readHarnessVersion } from '../harness/version.ts'
import { endOrphanedProcesses } from '../process/orphaned-processes.ts'
import { readPnpmVersion } from '../process/package-version.ts'
import { type ProcessEnd, programExists, runProcess } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { openRegistry } from '../registry/registry.ts'
import { bootHarness, WEB_ARGS } from '../trial/boot.ts'
import { readPluginStates, seenIn } from './read-plugin-states.ts'

/** Profile that the command installs into, as the directory's own checks do. */
const PROFILE = 'web'
/** Time limit of asking a program for its version, in ms. */
const VERSION_MS = 30_000
/** Time limit of asking a registry if it answers at all, in ms. */
const REGISTRY_MS = 15_000
/** Lines of output that are kept. */
const MAX_LINES = 40

/** The verdict of one install command under one harness. */
export interface TriedPlugin {
  /** The very command that ran, without the path of the program. */
  readonly command: string
  readonly verdict: Verdict
  /** End of the command, as an outcome of a job, with its subjects. */
  readonly kind: OutcomeKind
  readonly subjects: readonly string[]
  /** `name@version`; null when nothing was installed. */
  readonly plugin: string | null
  readonly versions: { readonly harness: string; readonly packageManager: string | null; readonly node: string }
  /** ms since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  /** Build scripts that were not run, with the exact keys that allow them. */
  readonly blockedBuilds: readonly BuildRequest[]
  /** True if the harness runs it; null when it was not started. */
  readonly runs: boolean | null
  /** The harness's own words, when it does not run. */
  readonly why: readonly string[]
  readonly output: readonly string[]
}

export type TryResult =
  | { readonly ok: true; readonly tried: TriedPlugin }
  | { readonly ok: false; readonly reason: 'bad-spec' | 'harness-missing' | 'not-harness' | 'cancelled' }

/**
 * Runs an install command in a throw-away home with an empty package store, and starts the harness with what it
 * installed. The plugin's code runs on this machine. Nothing of it is kept.
 *
 * @param given.spec name of a package, `github:owner/repo`, or the path of a folder or a tarball
 */
export async function tryPlugin(given: {
  readonly settings: JobSettings & { readonly cli: string }
  readonly spec: string
  readonly signal: AbortSignal
  readonly onLines?: (lines: readonly string[]) => void
}): Promise<TryResult> {
  const { signal } = given
  const { command, env } = given.settings
  const spec = await resolveSpec(given.spec)
  if (spec === null) return { ok: false, reason: 'bad-spec' }
  if (!(await programExists(command[0] ?? '', env))) return { ok: false, reason: 'harness-missing' }
  const asking = { env, signal, deadline: performance.now() + VERSION_MS }
  const harness = await readHarnessVersion(command, asking)
  if (harness === null) return { ok: false, reason: signal.aborted ? 'cancelled' : 'not-harness' }

  const root = await mkdtemp(join(tmpdir(), 'plugmark-try-'))
  const job = { id: randomUUID() }
  try {
    const home = join(root, 'home')
    await Promise.all(['home', 'tmp'].map((folder) => mkdir(join(root, folder))))
    const settings = { ...given.settings, home, env: { ...env, ...ownFolders(root) } }
    const context = { ...given, settings, job, home, spec, harness }
    const tried = await tryIn(context)
    return signal.aborted ? { ok: false, reason: 'cancelled' } : { ok: true, tried }
  } finally {
    await endOrphanedProcesses(job.id, profileDirectory(join(root, 'home'), PROFILE))
    await rm(root, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Variables that give a package manager a store, a cache and a folder of its own. */
const ownFolders = (root: string): Record<string, string> => ({
  TMPDIR: join(root, 'tmp'),
  XDG_CACHE_HOME: join(root, 'cache'),
  XDG_STATE_HOME: join(root, 'state'),
  npm_config_store_dir: join(root, 'store'),
  pnpm_config_store_dir: join(root, 'store'),
})

async function tryIn(given: {
  readonly settings: JobSettings & { readonly cli: string }
  readonly job: { readonly id: string }
  readonly home: string
  readonly spec: string
  readonly harness: string
  readonly signal: AbortSignal
  readonly onLines?: (lines: readonly string[]) => void
}): Promise<TriedPlugin> {
  const { settings, home, spec, harness, signal, onLines } = given
  const directory = profileDirectory(home, PROFILE)
  const env = homeEnvironment(given, home)
  const output = new Output({ redactions: settings.redactions, onLines: (_, lines) => onLines?.(lines) })
  const deadline = performance.now() + settings.timeLimitMs
  const run = (args: readonly string[]) =>
    runProcess({
      command: [...settings.command, ...args],
      cwd: home,
      env,
      signal,
      deadline,
      onText: (stream, text) => output.write(stream, text),
    })
  const asking = { env, signal, deadline: performance.now() + VERSION_MS }
  const packageManager = await readPnpmVersion({ ...asking, cwd: home })

  // Makes the profile, as the first start of the harness does.
  await run(['plugin', '--profile', PROFILE, 'list'])
  const before = (await readProfileState(directory)) ?? NOTHING
  const startedAt = settings.now()
  const began = performance.now()
  const args = ['plugin', '--profile', PROFILE, 'add', spec]
  const from = output.end()
  // The package manager repeats its requests for minutes before it gives up.
  const isGone = await isUnreachable(spec, { directory, env, signal })
  const end: ProcessEnd = isGone ? { kind: 'exited', code: 1 } : await run(args)
  output.end()
  const after = await readProfileState(directory)
  const name = addedName(before, after) ?? (await nameOf(spec))
  const read = readOutcome({
    action: 'install',
    spec: { kind: 'npm', name: name ?? spec },
    before,
    after,
    end,
    output: output.since(from),
  })
  const outcome = isGone ? emptyOutcome('unreachable') : read
  const blocked = await blockedBuilds(outcome, { profile: directory, env, signal, allowed: null })
  const version = name === null ? null : (after?.versions.get(name) ?? null)
  const isLayer = name !== null && after?.manifest.bundles.includes(name) === true
  const started =
    isLayer && after ? await start({ ...given, env, output, deadline, directory, state: after, name }) : null
  return {
    command: [settings.cli, ...args].join(' '),
    verdict: verdictOf(outcome.kind),
    kind: outcome.kind,
    subjects: outcome.subjects,
    plugin: name === null || version === null ? null : `${name}@${version}`,
    versions: { harness, packageManager, node: process.version },
    startedAt,
    durationMs: Math.round(performance.now() - began),
    blockedBuilds: blocked?.builds ?? [],
    ...(started ?? { runs: null, why: [] }),
    output: output.lines.slice(-MAX_LINES),
  }
}

/** Returns true if a package's registry cannot be reached. */
async function isUnreachable(
  spec: string,
  given: {
    readonly directory: string
    readonly env: Readonly<Record<string, string>>
    readonly signal: AbortSignal
  },
): Promise<boolean> {
  const name = spec.replace(/(?<=.)@[^/@]*$/, '')
  if (!isPackageName(name)) return false
  const signal = AbortSignal.any([given.signal, AbortSignal.timeout(REGISTRY_MS)])
  return (await openRegistry(given.directory, given.env).package(name, { signal })).state === 'unreachable'
}

const NOTHING: ProfileState = {
  manifest: { bundles: [], dependencies: {} },
  versions: new Map(),
  unbuilt: [],
  files: new Map(),
}

function verdictOf(kind: OutcomeKind): Verdict {
  if (kind === 'registered') return 'passed'
  if (kind === 'build-blocked' || kind === 'git-prepare-blocked') return 'needs-approval'
  if (kind === 'not-a-layer') return kind
  return kind === 'timed-out' ? 'timeout' : 'failed'
}

/** Starts the harness with what was installed. */
async function start(given: {
  readonly settings: JobSettings & { readonly cli: string }
  readonly home: string
  readonly harness: string
  readonly signal: AbortSignal
  readonly env: Readonly<Record<string, string>>
  readonly output: Output
  readonly deadline: number
  readonly directory: string
  readonly state: ProfileState
  readonly name: string
}): Promise<Pick<TriedPlugin, 'runs' | 'why'>> {
  const { settings, home, harness, signal, env, output, deadline, directory, state, name } = given
  const boot = await bootHarness({
    command: settings.command,
    home,
    profile: PROFILE,
    plugins: [name],
    args: WEB_ARGS,
    env,
    startLimitMs: settings.trial.startLimitMs,
    settleMs: settings.trial.settleMs,
    deadline,
    output,
    signal,
    // Its page is tried where a browser is found.
    browser: await settings.trial.findBrowser(),
    hasPage: () => false,
    onScreen: () => {},
  })
  if (!boot.up) return { runs: false, why: boot.why }
  if (boot.screen?.up === false) return { runs: false, why: [output.clean(boot.screen.text.replace(/\s+/g, ' '))] }
  const place = { cli: settings.cli, profile: PROFILE, directory, state, harnessVersion: harness }
  const states = await readPluginStates({ ...place, seen: seenIn(boot), ranBefore: [] })
  const { kind, why } = states.find((one) => one.name === name)?.state ?? { kind: 'loaded', why: [] }
  return kind === 'running' || kind === 'shadows-harness'
    ? { runs: true, why: [] }
    : { runs: false, why: why.length > 0 ? why : [kind] }
}

/** Returns a spec as the package manager takes it: paths become absolute. Null for what could be an option. */
async function resolveSpec(spec: string): Promise<string | null> {
  if (!/^[^\s-][^\s\p{Cc}\p{Cf}]*$/u.test(spec)) return null
  if (/^[a-z+]+:/i.test(spec) && !/^[a-z]:[\\/]/i.test(spec)) return spec
  const path = resolve(spec)
  const isThere = (await stat(path).catch(() => null)) !== null
  // A bare name is a package, whatever lies in this folder.
  if (/^[./~]|^[a-z]:|\.(?:tgz|tar\.gz)$/i.test(spec)) return isThere ? path : null
  return isThere && /[\\/]/.test(spec) && !spec.startsWith('@') ? path : spec
}

function addedName(before: ProfileState, after: ProfileState | null): string | null {
  const names = Object.keys(after?.manifest.dependencies ?? {})
  return names.find((name) => !Object.hasOwn(before.manifest.dependencies, name)) ?? null
}

/** Finds the name that a spec would be installed under, where nothing was installed. */
async function nameOf(spec: string): Promise<string | null> {
  const name = spec.replace(/(?<=.)@[^/@]*$/, '')
  if (isPackageName(name)) return name
  try {
    const { name } = JSON.parse(await readFile(join(spec, 'package.json'), 'utf8'))
    return isPackageName(name) ? name : null
  } catch {
    return null
  }
}
