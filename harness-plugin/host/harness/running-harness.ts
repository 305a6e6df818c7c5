import { realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Adds } from '../../protocol/index.ts'

/** Settings that start the harness; none of them comes from a page. */
export interface HarnessSettings {
  /** Program and leading arguments that start its command line. */
  readonly command: readonly string[]
  /** True if the command was guessed and not configured. */
  readonly isCommandGuessed: boolean
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** The harness that the store runs in; null where it runs in another program. */
  readonly running: RunningHarness | null
}

/** Returns true for the profile of the Desktop app, which only the app starts and only its plugin manager changes. */
export const isDesktop = ({ running }: Pick<HarnessSettings, 'running'>, profile: string): boolean =>
  profile.toLowerCase() === 'desktop' || (running?.isDesktop === true && basename(running.profile) === profile)

/** Returns the harness that the store runs in if it runs from this folder or a link to it, else null. */
export async function harnessAt(directory: string, running: RunningHarness | null): Promise<RunningHarness | null> {
  if (running === null) return null
  // A folder that is gone is not the one that the harness runs from.
  const [one, other] = await Promise.all([directory, running.profile].map((path) => realpath(path).catch(() => null)))
  return one !== null && one === other ? running : null
}

/** The harness that the store runs in, as far as its shell can tell. A console of another program has none. */
export interface RunningHarness {
  /** Directory of the profile that it runs from. */
  readonly profile: string
  /** Identity of its program's file, which changes with an upgrade. */
  readonly program: string
  /** True if it applies changes of its profile by itself within seconds. */
  readonly isLive: boolean
  /** True for the host of the Desktop app, which alone starts its profile and has no command line for it. */
  readonly isDesktop: boolean
  /** Returns every row of its tree, and the layers that it started from if known. */
  tree(): {
    readonly rows: readonly {
      readonly id: string
      /** Module, such as `some-plugin` or `some-plugin/part`. */
      readonly name: string
      readonly disabled: boolean
      readonly active: boolean
      /** Object that another start of the row does not have; undefined while it is not loaded. */
      readonly instance?: unknown
    }[]
    readonly layers: readonly string[] | null
  }
  /** Returns the names of all slash commands and of all tools of agents that it has now. */
  offers(): Omit<Adds, 'settings'>
  /** Returns the packages whose browser half its web page loads. */
  pageModules(): readonly string[]
  /** Returns the plugin manager of the profile that it runs from; null when it has none. */
  pluginManager(): PluginManager | null
}

/**
 * The plugin manager of DeepSeek Harness. Its results are not trusted: callers parse them. Source: 0.2.1-rc.2, observed.
 */
export interface PluginManager {
  /** Adds a package that is not installed yet. */
  installBundle(spec: string, options: { readonly enabled: boolean; readonly requestId: string }): Promise<unknown>
  cancelInstall(requestId: string): unknown
  removeBundle(name: string): Promise<unknown>
  /** Adds a layer at the end of `dsh.profile.bundles`, or removes it, and applies that at once. */
  setBundleEnabled(name: string, enabled: boolean): Promise<unknown>
  /** @param listener called with the package manager's output during installs @returns a function that unsubscribes */
  onLog(listener: (log: unknown) => void): () => void
}
