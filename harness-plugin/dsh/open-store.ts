import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import { isMap, isSeq, type YAMLMap } from 'yaml'
import { isUpdatable } from '../client/client.ts'
import { OPTIONS, readConfiguration, toHostOptions } from '../config.ts'
import type { PluginManager, RunningHarness } from '../host/index.ts'
import { type ConfigurationFile, createStoreHost, PROBLEMS, type ShellOptions, serve } from '../host/index.ts'
import { writeProfileFile } from '../host/profile/files.ts'
import { openYaml, renderYaml } from '../host/profile/manifest.ts'
import { withLockedProfile } from '../host/transaction/journal.ts'
import type { AgentsProblem } from './harness-channel.ts'
import type { Context, Logger } from './harness-context.ts'
import { commandOf, locateProfile, packageOf, programOf, restartOf } from './harness-profile.ts'
import manifest from './package.json' with { type: 'json' }
import type { EventLog, PageStore } from './page-connection.ts'
import type { PerformTool } from './tools/offer.ts'
import { performOver } from './tools/perform.ts'

export interface OpenStore extends PageStore {
  readonly perform: PerformTool
  /** Finds out if an upgrade of the harness turned plugins off, and tells the pages. */
  findUpgrade(): Promise<unknown>
  /** Checks for updates if a check is due, and tells the pages how many there are. */
  findUpdates(): Promise<void>
  close(): Promise<void>
}

export interface OpenStoreOptions {
  readonly name: string
  readonly config: unknown
  readonly logger: Logger
  readonly events: Pick<EventLog, 'push' | 'setUpdates' | 'hasPage'>
  readonly agents: () => AgentsProblem | null
  readonly others: () => readonly string[]
}

/** Opens the store itself: its host, and the tools of agents. @throws Error with the reason why that fails */
export function openStore(ctx: Context, { name, config, logger, events, agents, others }: OpenStoreOptions): OpenStore {
  const configured = toHostOptions(readConfiguration(OPTIONS, config))
  const options = { ...locateProfile(ctx.baseUrl), ...configured }
  const { argv, execPath, versions } = process
  const started = { argv, execPath, isPacked: isSea(), isElectron: versions.electron !== undefined }
  const guess = commandOf(started)
  const running = runningHarness(ctx, programOf(started))
  const host = createStoreHost({
    ...options,
    client: 'dsh',
    configuration: profileOf(options, manifest.name),
    hasPage: events.hasPage,
    ...(process.env.NODE_OPTIONS ? { nodeOptions: process.env.NODE_OPTIONS } : {}),
    ...(running ? { running } : {}),
    ...(guess ? { guess } : {}),
    ...restartOf(started, configured.cli ?? OPTIONS.cli.default),
    ownPackage: packageOf(import.meta.url) ?? manifest.name,
    stateDir: options.home ? join(options.home, name) : null,
    onProblem: (problem, cause) => logger.warn(PROBLEMS[problem], cause),
  } satisfies ShellOptions)
  async function countUpdates(options: { readonly check: boolean }): Promise<void> {
    const answer = await host.installedOffline(host.profile, options)
    if (answer.ok) events.setUpdates(answer.value.filter(isUpdatable).length)
  }
  /** One after another, so that the last count is of the last change. */
  let counted = Promise.resolve()
  const count = (options: Parameters<typeof countUpdates>[0]) => {
    counted = counted.then(() => countUpdates(options)).catch((error) => logger.warn(error))
    return counted
  }
  let generated: string | null = null
  host.subscribe((event) => {
    events.push(event)
    // A new index may list more of the installed plugins.
    const isNewIndex = event.type === 'catalogue' && event.status.generated !== generated
    if (isNewIndex) generated = event.status.generated
    if (event.type === 'profiles' || isNewIndex) void count({ check: false })
  })
  return {
    serve: (call, argument, guard) => serve(host.calls, call, argument, guard),
    about: () => ({ version: manifest.version, problem: null, agents: agents(), others: others() }),
    perform: performOver(ctx, host, logger),
    findUpgrade: host.findUpgrade,
    findUpdates: () => count({ check: true }),
    close: host.close,
  }
}

/** Returns the place of the configuration, if the harness runs from a profile. */
function profileOf({ home, profile }: ReturnType<typeof locateProfile>, row: string): ConfigurationFile | null {
  return home === undefined || profile === undefined ? null : configurationFile(join(home, 'profiles', profile), row)
}

// The harness that the store runs in

/** State of a row's fiber once it is up. Source: cordis 4.0.1, and observed up to 0.2.1-rc.2. */
const ACTIVE = 2

interface Entry {
  readonly options?: { readonly id?: unknown; readonly name?: unknown }
  readonly id?: unknown
  readonly disabled?: unknown
  readonly fiber?: { readonly state?: unknown }
}

interface Offer {
  readonly name: unknown
}

/** Services that list what plugins register. Source: dsh-commands and dsh-tools 0.1.0-rc.8 to 0.2.1-rc.2. */
interface Offering {
  list(): Iterable<Offer>
  schemas(): Iterable<Offer>
}

interface Graph {
  readonly entries: Iterable<{ readonly id?: unknown }>
}

/**
 * Returns the harness that this store runs in. Looks up its services each time they are needed.
 *
 * @param program identity of its program
 * @returns null if its tree has no base folder
 */
function runningHarness(ctx: Context, program: string): RunningHarness | null {
  const { dir, packageManager, startedBundles } = (ctx.get('profileContext') ?? {}) as Readonly<Record<string, unknown>>
  const profile = typeof dir === 'string' ? dir : ctx.baseUrl?.startsWith('file:') ? fileURLToPath(ctx.baseUrl) : null
  if (profile === null) return null
  return {
    profile,
    program,
    // The harness has this service since 0.1.6, when it began to watch its profile's bundles.
    isLive: dir !== undefined,
    // The app has its own package manager.
    isDesktop: packageManager !== undefined,
    tree: () => ({
      rows: entriesOf(ctx).map(({ id, options, disabled, fiber }) => ({
        id: String(options?.id ?? id),
        name: String(options?.name),
        disabled: Boolean(disabled),
        active: fiber?.state === ACTIVE,
        instance: fiber,
      })),
      layers: Array.isArray(startedBundles) ? startedBundles.map(String) : null,
    }),
    offers: () => ({
      commands: namesOf(() => (ctx.get('commands') as Offering).list()),
      tools: namesOf(() => (ctx.get('tools') as Offering).schemas()),
    }),
    pageModules: () =>
      listOf(() => (ctx.get('clientModules') as { graph(): Graph }).graph().entries).map(({ id }) => String(id)),
    pluginManager() {
      const manager = ctx.get('pluginManager') as Omit<PluginManager, 'onLog'> | undefined
      if (typeof manager?.installBundle !== 'function') return null
      return {
        installBundle: (...given) => manager.installBundle(...given),
        cancelInstall: (id) => manager.cancelInstall(id),
        removeBundle: (name) => manager.removeBundle(name),
        setBundleEnabled: (...given) => manager.setBundleEnabled(...given),
        onLog: (listener) => ctx.on('plugin-manager/install-log', listener),
      }
    },
  }
}

const entriesOf = (ctx: Context) => listOf(() => (ctx.get('loader') as { entries(): Iterable<Entry> }).entries())

const namesOf = (read: () => Iterable<Offer>) => listOf(() => [...read()].map(({ name }) => String(name)))

/** Reads a list. Returns an empty one if the harness does not have it, or in another form. */
function listOf<T>(read: () => Iterable<T>): T[] {
  try {
    return [...read()]
  } catch {
    return []
  }
}

// The configuration of the store

/** File in which a person changes rows of the harness (0.1.0-rc.8, 0.2.1): a list of maps with `id` and `config`. */
const FILE = 'cordis.patch.yml'

/**
 * Opens the store's row in a profile's own patch. Keeps the rest of the file, with its comments and line ends.
 *
 * @param id of the row
 */
export function configurationFile(profile: string, id: string): ConfigurationFile {
  const path = join(profile, FILE)

  async function open() {
    const text = await readFile(path, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    const document = openYaml(text, FILE, [])
    const rows = document.contents
    if (!isSeq(rows)) throw new Error(`${FILE} is not a list.`)
    const row = rows.items.find((item): item is YAMLMap => isMap(item) && item.get('id') === id)
    return { text, document, rows, row }
  }

  async function writeRow(configuration: Readonly<Record<string, unknown>>): Promise<true> {
    const { text, document, rows, row = document.createNode({ id }) as YAMLMap } = await open()
    if (!rows.items.includes(row)) rows.add(row)
    const config = row.get('config', true)
    if (isMap(config)) {
      for (const { key } of [...config.items]) if (!Object.hasOwn(configuration, String(key))) config.delete(key)
      for (const [name, value] of Object.entries(configuration))
        if (JSON.stringify(config.get(name)) !== JSON.stringify(value)) config.set(name, value)
    } else row.set('config', document.createNode(configuration))
    await writeProfileFile(profile, FILE, renderYaml(document, text))
    return true
  }

  return {
    path,
    async read() {
      const { document, row } = await open()
      const config = row?.get('config', true)
      return isMap(config) ? config.toJS(document) : {}
    },
    async write(configuration) {
      const written = await withLockedProfile(profile, { wait: false }, () => writeRow(configuration))
      return written !== null
    },
  }
}
