import { join } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import { isUpdatable } from '../client/client.ts'
import { OPTIONS, readConfiguration, toHostOptions } from '../config.ts'
import type { PluginManager, RunningHarness } from '../host/index.ts'
import { configurationFile, createStoreHost, PROBLEMS, type ShellOptions, serve } from '../host/index.ts'
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
  const { home, profile } = options
  const { argv, execPath, versions } = process
  const started = { argv, execPath, isPacked: isSea(), isElectron: versions.electron !== undefined }
  const guess = commandOf(started)
  const running = runningHarness(ctx, programOf(started))
  const host = createStoreHost({
    ...options,
    client: 'dsh',
    configuration: home && profile ? configurationFile(join(home, 'profiles', profile), manifest.name) : null,
    hasPage: events.hasPage,
    ...(process.env.NODE_OPTIONS ? { nodeOptions: process.env.NODE_OPTIONS } : {}),
    ...(running ? { running } : {}),
    ...(guess ? { guess } : {}),
    ...restartOf(started, configured.cli ?? OPTIONS.cli.default),
    ownPackage: packageOf(import.meta.url) ?? manifest.name,
    stateDir: home ? join(home, name) : null,
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
