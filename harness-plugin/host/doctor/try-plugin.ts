import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hidePasswords, type Verdict } from '@plugmark/shared/contract'
import { acquireFileLock, type FileLock } from '@plugmark/shared/file-lock'
import { isPackageName, parseSpec } from '@plugmark/shared/install'
import type { BuildRequest, OutcomeKind } from '../../protocol/index.ts'
import { malwareIn } from '../../protocol/review-facts.ts'
import { blockedBuilds } from '../builds/blocked.ts'
import { readHarnessVersion, readPnpmVersion } from '../harness/command-line.ts'
import type { JobSettings } from '../harness/job.ts'
import { emptyOutcome, readOutcome } from '../harness/outcome.ts'
import { Output } from '../harness/output.ts'
import { advisoriesOfPlugin } from '../inspection/advisories.ts'
import type { RunRecords } from '../plugins/run-records.ts'
import { readPluginStates, seenIn } from '../plugins/states.ts'
import { endOrphanedProcesses, type ProcessEnd, programExists, runProcess, withTimeout } from '../process/run.ts'
import { ignoreMissing } from '../profile/files.ts'
import { profileDirectory } from '../profile/home.ts'
import { type ProfileState, readProfileState } from '../profile/state.ts'
import { Registry, registryAddress } from '../registry/registry.ts'
import { type TrialContext, TrialHome } from '../trial/trial-home.ts'

/** Profile that the command installs into, as the directory's own checks do. */
const PROFILE = 'web'
/** Time limit of asking a program for its version, in ms. */
const VERSION_TIMEOUT_MS = 30_000
/** Time limit of one more request of a registry that did not answer the look-up of problems in time, in ms. */
const ANSWER_TIMEOUT_MS = 15_000
/** Lines of output that are kept. */
const MAX_LINES = 40

/** The verdict of one install command under one harness. */
interface TriedPlugin {
  /** The very command that ran, without the path of the program. */
  readonly command: string
  readonly verdict: Verdict
  /** End of the command, as an outcome of a job, with its subjects. */
  readonly kind: OutcomeKind
  readonly subjects: readonly string[]
  /** Address of the registry that does not have the package itself; else null. */
  readonly missingFrom: string | null
  /** `name@version`; null when nothing was installed. */
  readonly plugin: string | null
  readonly versions: { readonly harness: string; readonly packageManager: string | null; readonly node: string }
  /** ms since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  /** Build scripts that were not run, with the exact keys that allow them. */
  readonly blockedBuilds: readonly BuildRequest[]
  /** True if the harness runs it; null when it was not started, or not long enough to tell. */
  readonly runs: boolean | null
  /** True if it is the web page that does not load. @default false */
  readonly breaksPage?: boolean
  /** The harness's own words, when it does not run or nobody can tell. */
  readonly why: readonly string[]
  readonly output: readonly string[]
}

export type TryResult =
  | { readonly ok: true; readonly tried: TriedPlugin }
  | { readonly ok: false; readonly reason: 'bad-spec' | 'harness-missing' | 'not-harness' | 'malware' | 'cancelled' }

export interface TryOptions {
  /** Name of a package, `github:owner/repo`, or the path of a folder or a tarball. */
  readonly spec: string
  readonly signal: AbortSignal
}

/**
 * Runs an install command in a throw-away home with an empty package store, and starts the harness with what it
 * installed. The plugin's code runs on this machine. Keeps only whether a published plugin runs.
 */
export async function tryPlugin(
  parts: { readonly settings: TrySettings; readonly runRecords: Pick<RunRecords, 'add'> },
  { signal, ...given }: TryOptions,
): Promise<TryResult> {
  const { env, command } = parts.settings
  const spec = await resolveSpec(given.spec)
  if (spec === null) return { ok: false, reason: 'bad-spec' }
  if (!(await programExists(command[0] ?? '', env))) return { ok: false, reason: 'harness-missing' }
  const harness = await readHarnessVersion(command, { env, signal: withTimeout(signal, VERSION_TIMEOUT_MS) })
  if (harness === null) return { ok: false, reason: signal.aborted ? 'cancelled' : 'not-harness' }

  await removeLeftTries()
  const job = { id: randomUUID() }
  const root = join(tmpdir(), `${PREFIX}${job.id}`)
  await mkdir(root, { mode: 0o700 })
  const lock = await acquireFileLock(join(root, LOCK), { wait: false })
  try {
    const home = join(root, 'home')
    await Promise.all(['home', 'tmp'].map((folder) => mkdir(join(root, folder))))
    const own = profileDirectory(parts.settings.home, parts.settings.profile)
    const registry = await registryAddress(own, env, '')
    const settings = {
      ...parts.settings,
      command,
      home,
      env: { ...env, ...ownFolders(root), npm_config_registry: registry, pnpm_config_registry: registry },
    }
    const output = new Output({ redactions: settings.redactions, onLines() {} })
    const limited = withTimeout(signal, settings.timeLimitMs)
    const parsed = parseSpec(spec)
    const source = parsed?.kind === 'npm' ? parsed : null
    const context = { settings, job, output, signal: limited, spec, source, harness, npmrc: join(own, '.npmrc') }
    const tried = await tryIn(context)
    if (signal.aborted) return { ok: false, reason: 'cancelled' }
    if (tried === null) return { ok: false, reason: 'malware' }
    const { plugin, runs, breaksPage = false, why } = tried
    // A folder, a tarball or a repository can differ from the published version that it calls itself.
    if (plugin !== null && runs !== null && context.source !== null)
      await parts.runRecords.add([{ plugin, runs: runs ? 'yes' : 'no', breaksPage, why }], harness)
    return { ok: true, tried }
  } finally {
    await removeTry(root, job.id, lock)
  }
}

type TrySettings = JobSettings & { readonly cli: string; readonly profile: string }

const PREFIX = 'plugmark-try-'
const LOCK = 'lock'

/** Ends what killed processes left of their tries. */
async function removeLeftTries(): Promise<void> {
  // Some systems let nobody list their temporary folder: a try runs there all the same.
  for (const name of await readdir(tmpdir()).catch((): string[] => [])) {
    const root = join(tmpdir(), name)
    const id = name.slice(PREFIX.length)
    if (!name.startsWith(PREFIX) || !/^[0-9a-f-]{36}$/.test(id)) continue
    // Another user's folder cannot be locked.
    const lock = await acquireFileLock(join(root, LOCK), { wait: false }).catch(() => null)
    if (lock === null) continue
    await removeTry(root, id, lock)
  }
}

async function removeTry(root: string, id: string, lock: FileLock | null): Promise<void> {
  await endOrphanedProcesses(id, profileDirectory(join(root, 'home'), PROFILE))
  await rm(root, { recursive: true, force: true, maxRetries: 3 })
  // Its file was deleted with the folder.
  await lock?.release().catch(() => {})
}

/** Variables that give a package manager a store, a cache and a folder of its own. */
const ownFolders = (root: string): Record<string, string> => ({
  TMPDIR: join(root, 'tmp'),
  XDG_CACHE_HOME: join(root, 'cache'),
  XDG_STATE_HOME: join(root, 'state'),
  npm_config_store_dir: join(root, 'store'),
  pnpm_config_store_dir: join(root, 'store'),
})

/** @returns null for what is known as malware, which is not run */
async function tryIn(
  context: TrialContext & {
    readonly settings: TrySettings
    readonly spec: string
    /** Package of a registry; null for any other source. */
    readonly source: { readonly name: string; readonly range: string | null } | null
    readonly harness: string
    /** Path of the profile's own settings of the network, which an install would use. */
    readonly npmrc: string
  },
): Promise<TriedPlugin | null> {
  const { settings, output, signal, spec, source, harness } = context
  const { home } = settings
  const directory = profileDirectory(home, PROFILE)
  const place = new TrialHome(context, { home, profile: PROFILE, directory, isWeb: true })
  const { env } = place
  const run = (args: readonly string[]) =>
    runProcess({
      command: [...settings.command, ...args],
      cwd: home,
      env,
      signal,
      onText: (stream, text) => output.write(stream, text),
    })
  const asking = { env, signal: withTimeout(signal, VERSION_TIMEOUT_MS) }
  async function answers(name: string): Promise<boolean> {
    const limits = { signal: withTimeout(signal, ANSWER_TIMEOUT_MS) }
    return (await new Registry(directory, env).package(name, limits)).state !== 'unreachable'
  }
  const packageManager = await readPnpmVersion({ ...asking, cwd: home })

  // Makes the profile, as the first start of the harness does.
  await run(['plugin', '--profile', PROFILE, 'list'])
  await copyFile(context.npmrc, join(directory, '.npmrc')).catch(ignoreMissing)
  const before = (await readProfileState(directory)) ?? NOTHING
  const startedAt = settings.now()
  const began = performance.now()
  const args = ['plugin', '--profile', PROFILE, 'add', spec]
  const from = output.end()
  const known =
    source && (await advisoriesOfPlugin({ directory, env, signal }, { name: source.name, version: source.range }))
  if (malwareIn(known?.found).length > 0) return null
  // The package manager repeats its requests for minutes before it gives up.
  const reason = known?.unknown.find(({ names }) => names.includes(source!.name))?.reason
  const isGone = reason === 'unreachable' || (reason === 'too-slow' && !(await answers(source!.name)))
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
  const isMissing = source !== null && outcome.kind === 'not-found' && outcome.subjects.includes(source.name)
  const missingFrom = isMissing ? await registryAddress(directory, env, source.name) : null
  const blocked = await blockedBuilds(outcome, { profile: directory, env, signal, allowed: null })
  const version = name === null ? null : (after?.versions.get(name) ?? null)
  const isLayer = name !== null && after?.manifest.layers.includes(name) === true
  const started = isLayer && after ? await start(context, { place, state: after, name }) : null
  return {
    command: [settings.cli, ...args].join(' '),
    verdict: verdictOf(outcome.kind),
    kind: outcome.kind,
    subjects: outcome.subjects,
    missingFrom: missingFrom && hidePasswords(missingFrom),
    plugin: name === null || version === null ? null : `${name}@${version}`,
    versions: { harness, packageManager, node: process.version },
    startedAt,
    durationMs: Math.round(performance.now() - began),
    blockedBuilds: blocked?.builds ?? [],
    ...(started ?? { runs: null, why: [] }),
    // A log in the home is deleted with it.
    output: output.lines.filter((line) => !/plugmark-try-\S+\.log\b/.test(line)).slice(-MAX_LINES),
  }
}

const NOTHING: ProfileState = {
  manifest: { layers: [], dependencies: {} },
  versions: new Map(),
  commits: new Map(),
  unbuilt: [],
  files: new Map(),
}

function verdictOf(kind: OutcomeKind): Verdict {
  if (kind === 'registered') return 'passed'
  if (kind === 'build-blocked') return 'needs-approval'
  if (kind === 'not-a-layer') return kind
  return kind === 'timed-out' ? 'timeout' : 'failed'
}

/** Starts the harness with what was installed. */
async function start(
  { settings, output, signal, harness }: Parameters<typeof tryIn>[0],
  { place, state, name }: { readonly place: TrialHome; readonly state: ProfileState; readonly name: string },
): Promise<Pick<TriedPlugin, 'runs' | 'breaksPage' | 'why'>> {
  const { directory, profile } = place
  const boot = await place.start({ plugins: [name] })
  // An ended time and a slow machine say nothing of the plugin.
  if (signal.aborted) return { runs: null, why: [] }
  if (!boot.up) return { runs: boot.hung ? null : false, why: boot.why }
  if (boot.page.loads === 'no') return { runs: false, breaksPage: true, why: [output.clean(boot.page.text)] }
  const runRecords = { find: () => null }
  const given = { cli: settings.cli, profile, directory, state, harnessVersion: harness, runRecords }
  const states = await readPluginStates({ ...given, seen: seenIn(boot), ranBefore: [] })
  const { kind, why } = states.find((one) => one.name === name)?.state ?? { kind: 'loaded', why: [] }
  if (kind === 'loaded' || kind === 'untried') return { runs: null, why }
  return kind === 'running' || kind === 'shadows-harness'
    ? { runs: true, why: [] }
    : { runs: false, why: why.length > 0 ? why : [kind] }
}

/** Returns a spec as the package manager takes it: paths become absolute. Null for what could be an option. */
async function resolveSpec(spec: string): Promise<string | null> {
  const isPath = /^(?:[/~]|\.{1,2}[/\\]|[A-Za-z]:[/\\])/.test(spec)
  if (!/^[^\s-][^\p{Cc}\p{Cf}]*$/u.test(spec) || (/\s/.test(spec) && !isPath)) return null
  if (/^[a-z+]+:/i.test(spec) && !/^[a-z]:[\\/]/i.test(spec)) return spec
  const path = resolve(spec)
  // A path that cannot be read is not a folder to install from.
  const isThere = (await stat(path).catch(() => null)) !== null
  // A bare name is a package, whatever lies in this folder.
  const found = (await isWithoutManifest(path)) ? null : path
  if (/^[./~]|^[a-z]:|\.(?:tgz|tar\.gz)$/i.test(spec)) return isThere ? found : null
  return isThere && /[\\/]/.test(spec) && !spec.startsWith('@') ? found : spec
}

/** Returns true for a folder that has no package.json. */
async function isWithoutManifest(path: string): Promise<boolean> {
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true
  return isFolder && (await stat(join(path, 'package.json')).catch(() => null)) === null
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
