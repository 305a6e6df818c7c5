import { isOnlySpec, parseDependency, specOfId } from '@plugmark/shared/install'
import type { InstalledPlugin, PluginSet, Profile } from '../protocol/index.ts'

/** Returns the plugins of a profile as a list, in the order in which the harness loads them. */
export function pluginSetOf(
  { name: profile, layers }: Pick<Profile, 'name' | 'layers'>,
  plugins: readonly InstalledPlugin[],
): PluginSet {
  const position = ({ name }: InstalledPlugin) => (layers.includes(name) ? layers.indexOf(name) : layers.length)
  return {
    plugmark: 1,
    profile,
    plugins: plugins
      .toSorted((a, b) => position(a) - position(b))
      .map(({ name, listing, spec, version, hold }) => ({
        package: name,
        id: listing,
        spec,
        version,
        hold: hold && hold.skips === undefined && !hold.isUnknown ? { reason: hold.reason } : null,
      })),
  }
}

/** Reads a list that was exported; the host checks every name in it again. @returns null for any other text */
export function readPluginSet(text: string): PluginSet | null {
  const isText = (value: unknown) => typeof value === 'string'
  const isTextOrNull = (value: unknown) => value === null || isText(value)
  try {
    const set: PluginSet | null = JSON.parse(text)
    const isRead = set?.plugmark === 1 && set.plugins.every(isPlugin)
    return isRead ? set : null
  } catch {
    return null
  }
  function isPlugin({ package: name, id, spec, version, hold = null }: PluginSet['plugins'][number]): boolean {
    const isHoldRead = hold === null || isTextOrNull(hold.reason)
    return isText(name) && isText(spec) && isTextOrNull(id) && isTextOrNull(version) && isHoldRead
  }
}

/** Effect of an import: the listings that it installs, and the names of the others. */
export interface PluginImport {
  readonly listed: readonly (Pick<PluginSet['plugins'][number], 'version' | 'hold'> & { readonly id: string })[]
  /** Packages that the directory did not list when the list was written, and those with a spec in place of an id. */
  readonly unlisted: readonly string[]
  readonly present: readonly string[]
}

/** Compares a list with what is installed. A package of the registry keeps its version; any other gets the newest. */
export function planImport({ plugins }: PluginSet, installed: readonly InstalledPlugin[]): PluginImport {
  const here = new Set(installed.map(({ name }) => name))
  const missing = plugins.filter(({ package: name }) => !here.has(name))
  const listingOf = (id: string | null) => (id === null || isOnlySpec(id) || specOfId(id) !== null ? null : id)
  return {
    listed: missing.flatMap(({ id, package: name, spec, version, hold = null }) => {
      const listing = listingOf(id)
      const isPublished = parseDependency(name, spec)?.kind === 'npm'
      return listing === null ? [] : [{ id: listing, version: isPublished ? version : null, hold }]
    }),
    unlisted: missing.filter(({ id }) => listingOf(id) === null).map(({ package: name }) => name),
    present: plugins.filter(({ package: name }) => here.has(name)).map(({ package: name }) => name),
  }
}
