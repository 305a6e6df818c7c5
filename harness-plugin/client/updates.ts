/** Rules about the plugins that are installed, for the screen, the command line and agents. Pages load this file. */
import type { InstalledPlugin } from '../protocol/index.ts'

/** Returns true if the directory has a listing by which a plugin is updated. */
export const isManaged = ({ listing, removable }: Pick<InstalledPlugin, 'listing' | 'removable'>): boolean =>
  listing !== null && removable

/** Returns true if a newer version of a plugin can be installed and nobody holds or disabled it. */
export const isUpdatable = ({ latest, hold, enabled, ...plugin }: InstalledPlugin): boolean =>
  latest !== null && hold === null && enabled !== false && (isManaged(plugin) || plugin.unmanagedReason === 'store')

/** Tells what an update of all plugins makes of those that are managed here. The store updates itself by a job of its own. */
interface Updates {
  readonly updated: readonly InstalledPlugin[]
  /** Left out because a person holds them. */
  readonly held: readonly InstalledPlugin[]
  /** Left out because a person disabled them. */
  readonly off: readonly InstalledPlugin[]
  /** Left out because it is unknown whether they have an update. */
  readonly unread: readonly InstalledPlugin[]
}

/** Returns which plugins are updated together, and which have an update but are left out. */
export function updatesOf(plugins: readonly InstalledPlugin[]): Updates {
  const managed = plugins.filter(isManaged)
  const left = managed.filter((plugin) => plugin.latest !== null && !isUpdatable(plugin))
  return {
    updated: managed.filter(isUpdatable),
    held: left.filter(({ hold }) => hold !== null),
    off: left.filter(({ hold }) => hold === null),
    unread: managed.filter(({ updateProblem }) => updateProblem !== null),
  }
}
