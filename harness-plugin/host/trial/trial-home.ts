import { copyFile, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import * as v from 'valibot'
import { isMap, isSeq, parseDocument } from 'yaml'
import { homeEnvironment, runHarness } from '../harness/command-line.ts'
import type { JobContext } from '../harness/job.ts'
import { endOrphanedProcesses, runProcess } from '../process/run.ts'
import { copyTree, ignoreMissing, ignoreUnreadable, movePaths, treeSize } from '../profile/files.ts'
import { profileDirectory } from '../profile/home.ts'
import { readManifest, withLayers } from '../profile/manifest.ts'
import { isInstalled, PROFILE_FILES, readPackage } from '../profile/state.ts'
import { removeTrial, trialHome } from '../profile/state-folder.ts'
import { type Boot, type BootOptions, bootHarness } from './boot.ts'
import { PAGE_MS } from './probe.ts'

/** The harness's layer that gives a profile a web page. */
export const WEB_LAYER = '@deepseek-ai/dsh-web-app'
/** Arguments of the web app: use any free port, and open no browser. */
export const WEB_ARGS: readonly string[] = ['--no-open', '--port', '0']
/** Limit on what the harness prints when it composes a tree, in characters. A tree of 200 rows has 45,000. */
const MAX_TREE_LENGTH = 10_000_000
/** Limit on questions about missing layers: before 0.2 the harness names one at a time. */
const MAX_ROUNDS = 50
/** The harness's message about a layer whose package it does not find (dsh 0.1.0-rc.8 to 0.2.1-rc.2). */
const UNRESOLVED = /cannot resolve profile bundle "([^"\s]+)"/g

export type TrialContext = Pick<JobContext, 'settings' | 'output' | 'signal'> & {
  readonly job: Pick<JobContext['job'], 'id'>
}

interface StartOptions {
  /** Packages on trial. */
  readonly plugins?: readonly string[]
  /** Ids of the rows that those insert; if given, what they add to the harness is seen. */
  readonly ownRows?: readonly string[]
  /** Plugins that are off during this start. */
  readonly off?: readonly PluginsFile[]
  /** False if a browser need not try the web page. @default true */
  readonly usesBrowser?: boolean
  /** Time in which the web page must stay as it came up, in ms. @default that of a trial */
  readonly pageMs?: number
  /** Receives the address at which an open page of the store can try the web page; without it, only a browser does. */
  readonly onPage?: JobContext['onTrial']
  readonly isEnough?: BootOptions['isEnough']
}

/**
 * A home of its own with a copy of a profile, from which the harness is started: for the trial of a job, for the
 * comparison without the plugin, for a check of the profile and for another version of the harness. Whoever creates one
 * has a journal with the job's id, so that a killed job's harness is ended by the next store.
 */
export class TrialHome {
  readonly home: string
  /** Directory of the profile's copy. */
  readonly directory: string
  readonly profile: string
  /**
   * True if the profile serves a web page. Other profiles may need a task or a TTY, so their failed start proves
   * nothing.
   */
  readonly isWeb: boolean
  readonly #context: TrialContext

  constructor(context: TrialContext, place: { home: string; profile: string; directory: string; isWeb: boolean }) {
    this.#context = context
    this.home = place.home
    this.profile = place.profile
    this.directory = place.directory
    this.isWeb = place.isWeb
  }

  /**
   * Copies a profile of the harness's home.
   *
   * @param given.modules true to copy its packages too; otherwise the package manager fills the copy from its store
   * @param given.within folder in the copy of a job, for a second one
   * @throws when the copy fails, or the reason of the context's signal
   */
  static async copy(
    context: TrialContext,
    given: { readonly profile: string; readonly modules?: boolean; readonly within?: string },
  ): Promise<TrialHome> {
    const { settings, output, job, signal } = context
    const { profile, modules = false, within = '' } = given
    const home = join(trialHome(settings.home, job.id), within)
    const copied = copyProfile(settings.home, profile, home, { modules, signal })
    const { directory, leftOut } = await copied.catch(async (error) => {
      await removeTrial(settings.home, job.id)
      throw error
    })
    for (const name of leftOut) output.write('err', `Not copied for the trial, as it is too big: ${name}\n`)
    const isWeb = (await readManifest(directory))?.layers.includes(WEB_LAYER) === true
    return new TrialHome(context, { home, profile, directory, isWeb })
  }

  get env(): Record<string, string> {
    return homeEnvironment(this.#context, this.home)
  }

  /** Runs a command of the harness's command line. */
  run(args: readonly string[]): ReturnType<typeof runHarness> {
    return runHarness(this.#context, this.home, args)
  }

  /** Makes the harness compose the tree, without starting anything. @returns what it wrote to each stream */
  async compose(): Promise<{ readonly out: string; readonly err: string }> {
    const { settings, signal } = this.#context
    const text = { out: '', err: '' }
    await runProcess({
      command: [...settings.command, '--profile', this.profile, '--dump-config'],
      cwd: this.home,
      env: this.env,
      signal,
      onText(stream, more) {
        if (text[stream].length < MAX_TREE_LENGTH) text[stream] += more
      },
    })
    return text
  }

  /**
   * Finds the layers of the profile whose package is not installed. Asks the harness, because only it knows which
   * packages it has itself. Such a layer stops a harness before 0.2; a later one skips it.
   */
  async findUnresolved(): Promise<string[]> {
    const profile = profileDirectory(this.#context.settings.home, this.profile)
    const { layers = [] } = (await readManifest(this.directory)) ?? {}
    const found: string[] = []
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { err } = await withPluginsOff(await withoutLayers(this.directory, found), () => this.compose())
      const named = new Set([...err.matchAll(UNRESOLVED)].map(([, name]) => name ?? ''))
      // A layer can be listed twice.
      const unknown = [...named].filter((name) => layers.includes(name) && !found.includes(name))
      // Check the profile too: the copy may lack packages that the profile has.
      const installed = await Promise.all(unknown.map((name) => isInstalled(profile, name)))
      const missing = unknown.filter((_, index) => !installed[index])
      if (missing.length === 0) break
      found.push(...missing)
    }
    return found
  }

  /** Starts the harness, and reads what runs once it is stable. */
  start({
    plugins = [],
    ownRows,
    off = [],
    usesBrowser = true,
    pageMs = PAGE_MS,
    onPage,
    isEnough,
  }: StartOptions = {}): Promise<Boot> {
    const { home, profile, env, isWeb } = this
    const { settings, output, signal } = this.#context
    const { command, trial } = settings
    return withPluginsOff(off, async () =>
      bootHarness({
        ...trial,
        ...{ command, home, profile, env, plugins, pageMs, output, signal },
        ...(ownRows && { ownRows }),
        ...(isEnough && { isEnough }),
        args: isWeb ? WEB_ARGS : [],
        hasPage: onPage ? trial.hasPage : () => false,
        browser: isWeb && usesBrowser ? await trial.findBrowser() : null,
        onScreen: onPage ?? (() => {}),
      }),
    )
  }

  /** Ends what was started from it, also programs outside a process group, and deletes it. */
  async dispose(): Promise<void> {
    const { settings, job } = this.#context
    await endOrphanedProcesses(job.id, profileDirectory(settings.home, this.profile))
    await removeTrial(settings.home, job.id)
  }
}

/** Files that the harness reads from its home when it starts, besides the profile (dsh 0.1.0-rc.8). */
const HOME_FILES = ['settings.yaml', 'cordis.patch.yml', '.env']

/**
 * Names at the top of a profile that neither the package manager nor the harness needs: files that they write
 * themselves (dsh 0.1.0-rc.8 to 0.2.1-rc.2), and files of other programs.
 */
const EXCLUDED = new Set(
  [
    ['node_modules', 'cordis.yml', '.plugin-manager', '.dsh-module-fallback', 'package.json.lock'],
    ['.git', '.cache', 'cache', 'logs', 'sessions', 'storages'],
  ].flat(),
)
/** Returns true for names at the top of a profile that belong into a copy of it, besides node_modules. */
export const isCopied = (name: string): boolean => !EXCLUDED.has(name) && !name.startsWith('.plugmark')

/** Size limit of one entry, in bytes: the user's own hooks, patches and packages are smaller. */
const MAX_SIZE = 200_000_000

interface CopiedProfile {
  readonly directory: string
  /** Names in the profile that were not copied because they are too big. */
  readonly leftOut: readonly string[]
}

/**
 * Copies a profile into a home of its own, with hooks, patches, rows and packages inside it. Does not copy node_modules
 * by default, because the package manager fills it from its store.
 *
 * @param to the new home, which must not exist yet
 * @param options.modules true to copy node_modules too
 * @param options.signal stops the copying; its reason is thrown
 */
export async function copyProfile(
  home: string,
  profile: string,
  to: string,
  { modules, signal }: { readonly modules: boolean; readonly signal: AbortSignal },
): Promise<CopiedProfile> {
  // A profile may be a link. The package manager resolves relative paths from its target.
  const named = profileDirectory(home, profile)
  const from = await realpath(named)
  // Readable for this user only: it holds their settings, and later the token of the trial's harness.
  await mkdir(join(to, 'tmp'), { recursive: true, mode: 0o700 })
  await mkdir(profileDirectory(to, profile), { recursive: true })
  const copy = await realpath(profileDirectory(to, profile))
  await Promise.all([
    ...HOME_FILES.map((file) => copyFile(join(home, file), join(to, file)).catch(ignoreUnreadable)),
    // Copy the targets of links, because the trial writes to the copies.
    ...PROFILE_FILES.map((file) => copyFile(join(from, file), join(copy, file)).catch(ignoreMissing)),
  ])
  // A link within the profile leads to the same place in the copy; any other link keeps its target.
  const mapLink = (target: string, source: string, link: string) => {
    const place = resolve(dirname(source), target)
    const inside = relative(from, place)
    const isInside = inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
    return isInside ? relative(dirname(link), join(copy, inside)) || '.' : place
  }
  const copyIntoCopy = (name: string) =>
    copyTree(join(from, name), join(copy, name), { signal, mapLink, skips: 'unreadable' })
  const leftOut: string[] = []
  const files: readonly string[] = PROFILE_FILES
  for (const name of (await readdir(from)).filter((name) => isCopied(name) && !files.includes(name))) {
    if ((await treeSize(join(from, name), { limit: MAX_SIZE, signal })) > MAX_SIZE) leftOut.push(name)
    else await copyIntoCopy(name)
  }
  if (modules) await copyIntoCopy('node_modules')
  await Promise.all(
    ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((file) =>
      rewritePaths(join(copy, file), from, named),
    ),
  )
  return { directory: copy, leftOut }
}

/**
 * Rewrites paths of dependencies, which are relative to the file, so that they keep their targets, or lead into the
 * copy if they led into the profile. A lockfile has relative paths even for absolute ones in package.json, and so has
 * the list of allowed builds; pnpm ignores a lockfile that does not agree with them.
 */
async function rewritePaths(file: string, from: string, named: string): Promise<void> {
  // A profile need not have all of these files.
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return
  let moved = movePaths(text, from, dirname(file))
  for (const path of new Set([named, from]))
    moved = moved
      .replaceAll(`file:${path}/`, `file:${dirname(file)}/`)
      .replaceAll(`link:${path}/`, `link:${dirname(file)}/`)
  // Linked packages would share files with the profile; see `homeEnvironment`.
  moved = moved.replace(/^packageImportMethod\s*:.*$/m, 'packageImportMethod: clone-or-copy')
  if (moved !== text) await writeFile(file, moved)
}

const PATCH_FILE = 'cordis.patch.yml'

const NeedsSchema = v.object({
  dependencies: v.optional(v.record(v.string(), v.unknown()), {}),
  peerDependencies: v.optional(v.record(v.string(), v.unknown()), {}),
  optionalDependencies: v.optional(v.record(v.string(), v.unknown()), {}),
})

/** A file that makes the harness start other plugins, and its text without them. */
interface PluginsFile {
  readonly path: string
  readonly text: string
  readonly without: string
}

/**
 * Returns the layers of a profile that stay enabled when all other plugins are disabled: those of the harness itself,
 * which are not dependencies of the profile; `own`; and, recursively, those that these name in their package.json.
 */
export async function neededLayers(profile: string, own: readonly string[]): Promise<string[]> {
  const { layers = [], dependencies = {} } = (await readManifest(profile)) ?? {}
  const needed = new Set(layers.filter((name) => own.includes(name) || !Object.hasOwn(dependencies, name)))
  for (const name of needed)
    for (const need of await readNeeds(profile, name)) if (layers.includes(need)) needed.add(need)
  return [...needed]
}

/**
 * Finds the changes in a home that make the harness start a profile without other plugins: to layers in its
 * package.json, and to everything that patches of the profile and of the home insert, because rows without an id cannot
 * be disabled.
 *
 * @param needed layers that stay
 * @returns an empty list where there are no other plugins
 */
export async function findOtherPlugins(
  home: string,
  profile: string,
  needed: readonly string[],
): Promise<PluginsFile[]> {
  const directory = profileDirectory(home, profile)
  const files: readonly [string, (text: string) => string][] = [
    [join(directory, 'package.json'), (text) => withOnly(text, needed)],
    [join(directory, PATCH_FILE), withoutInserts],
    [join(home, PATCH_FILE), withoutInserts],
  ]
  const found: PluginsFile[] = []
  for (const [path, change] of files) {
    // A file that is missing starts no plugin.
    const text = await readFile(path, 'utf8').catch(() => null)
    const without = text === null ? null : change(text)
    if (text !== null && without !== null && without !== text) found.push({ path, text, without })
  }
  return found
}

/** Returns the change to a copy's package.json that leaves some layers out. */
export async function withoutLayers(directory: string, names: readonly string[]): Promise<PluginsFile[]> {
  if (names.length === 0) return []
  const path = join(directory, 'package.json')
  const text = await readFile(path, 'utf8')
  return [{ path, text, without: withLayers(text, (layers) => layers.filter((name) => !names.includes(name))) }]
}

/** Calls `run` while these plugins are disabled. */
export async function withPluginsOff<T>(others: readonly PluginsFile[], run: () => Promise<T>): Promise<T> {
  try {
    for (const { path, without } of others) await writeFile(path, without)
    return await run()
  } finally {
    for (const { path, text } of others) await writeFile(path, text)
  }
}

/** Removes all layers but these. Returns the same text if none is removed, or the text is not a profile's package.json. */
function withOnly(text: string, needed: readonly string[]): string {
  try {
    return withLayers(text, (layers) => layers.filter((name) => needed.includes(name)))
  } catch {
    return text
  }
}

/**
 * Removes inserted rows. @returns an empty patch if the rest cannot be written, for example with an alias to a removed
 * node
 */
function withoutInserts(text: string): string {
  const document = parseDocument(text, { logLevel: 'silent' })
  const patches = document.contents
  if (document.errors.length > 0 || !isSeq(patches)) return text
  const left = patches.items.filter((patch) => !isMap(patch) || !patch.has('insert'))
  if (left.length === patches.items.length) return text
  try {
    patches.items = left
    return document.toString({ lineWidth: 0 })
  } catch {
    // An alias to a removed row, for example.
    return '[]'
  }
}

/** Returns the names in the package.json of an installed package. One that cannot be read needs nothing that is known. */
async function readNeeds(profile: string, name: string): Promise<string[]> {
  const needs = await readPackage(profile, name, NeedsSchema)
  return needs === null ? [] : Object.values(needs).flatMap((names) => Object.keys(names))
}
