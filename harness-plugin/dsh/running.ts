import { fileURLToPath } from 'node:url'
import type { PluginManager, RunningHarness } from '../host/index.ts'
import type { Context } from './harness-context.ts'

/** State of a row's fiber once it is up. Source: cordis 4.0.1, and observed up to 0.2.1-rc.2. */
const ACTIVE = 2

interface Entry {
  readonly options?: { readonly id?: unknown; readonly name?: unknown }
  readonly id?: unknown
  readonly disabled?: unknown
  readonly fiber?: { readonly state?: unknown }
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
export function runningHarness(ctx: Context, program: string): RunningHarness | null {
  const { dir, packageManager, startedBundles } = (ctx.get('profileContext') ?? {}) as Readonly<Record<string, unknown>>
  const profile = typeof dir === 'string' ? dir : ctx.baseUrl?.startsWith('file:') ? fileURLToPath(ctx.baseUrl) : null
  if (profile === null) return null
  return {
    profile,
    program,
    // The harness has this service since 0.1.6, when it began to watch its profile's bundles.
    isLive: dir !== undefined,
    // The app brings its own package manager.
    isDesktop: packageManager !== undefined,
    activeRows: () =>
      entriesOf(ctx).flatMap(({ options, disabled, fiber }) =>
        !disabled && fiber?.state === ACTIVE ? { module: String(options?.name), instance: fiber } : [],
      ),
    tree: () => ({
      rows: entriesOf(ctx).map(({ id, options, disabled, fiber }) => ({
        id: String(options?.id ?? id),
        name: String(options?.name),
        disabled: Boolean(disabled),
        active: fiber?.state === ACTIVE,
      })),
      bundles: Array.isArray(startedBundles) ? startedBundles.map(String) : null,
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

/** Reads a list. Returns an empty one if the harness does not have it, or in another form. */
function listOf<T>(read: () => Iterable<T>): T[] {
  try {
    return [...read()]
  } catch {
    return []
  }
}
