/** Reads and joins the package manager's own lock in the lock of a profile. Parses text, and asks nobody. */
import { stringify } from 'yaml'
import type { LockedPlugin, ProfileLock } from '../../protocol/index.ts'
import { type Lockfile, parseLockfile, parsePackageId, withoutPeers } from '../profile/lockfile.ts'
import { sorted } from './locked-settings.ts'

/** Returns the text of the package manager's lock in the lock of a profile; empty without one. */
export const textIn = ({ packages }: Pick<ProfileLock, 'packages'>): string => packages?.join('\n') ?? ''
/** Returns the package manager's lock in the lock of a profile; null without one that can be read. */
export const lockfileIn = (lock: Pick<ProfileLock, 'packages'>): Lockfile | null => parseLockfile(textIn(lock))

/** Plugins of a lock that other machines can have too. */
export const sharedIn = ({ plugins }: Pick<ProfileLock, 'plugins'>) =>
  plugins.filter((plugin): plugin is LockedPlugin & { readonly spec: string } => plugin.spec !== null)

/** Returns the folder of a spec in its repository. */
export const folderOf = (spec: string): string => /path:\/?([^&]+)/.exec(spec)?.[1] ?? ''

/**
 * Returns the integrities of what is installed with plugins, and of the patches. Packages of repositories and folders are
 * left out: each version of the package manager may write their ids in its own way.
 */
export function integritiesIn(lock: ProfileLock): ReadonlyMap<string, string> | null {
  const lockfile = lockfileIn(lock)
  if (lockfile === null) return null
  const plugins = new Set(lock.plugins.map(({ name }) => name))
  const needed = Object.entries(lockfile.packages).flatMap(([id, { resolution }]) => {
    const { name, version } = parsePackageId(id)
    return version === null || plugins.has(name) ? [] : [[id, String(resolution.integrity ?? '')] as const]
  })
  // pnpm before 11 writes the path of a patch beside its hash.
  const hashOf = (patch: unknown) => String((Object(patch) as { readonly hash?: unknown }).hash ?? patch)
  const patches = Object.entries(lockfile.patchedDependencies ?? {})
  return new Map([...needed, ...patches.map(([id, patch]) => [`${id} (patch)`, hashOf(patch)] as const)])
}

/** Returns true if a list of systems has one, as package.json names them. */
const hasSystem = (list: readonly string[], system: string) =>
  list.includes('any') || list.includes(system) || (list.every((one) => /^!/.test(one)) && !list.includes(`!${system}`))

/**
 * Returns the packages of a lock that say themselves that they are not for this system: those that are needed, which the
 * package manager refuses, and those that have native parts, none of which is for it.
 */
export function unfitIn({ packages, snapshots }: Lockfile): string[] {
  const systemsOf = (id: string) => {
    const { os = ['any'], cpu = ['any'] } = (Object.hasOwn(packages, id) && packages[id]) || {}
    return { os, cpu }
  }
  const isNative = (id: string) => Object.values(systemsOf(id)).some((list) => list.some((one) => one !== 'any'))
  const isFit = (id: string) =>
    hasSystem(systemsOf(id).os, process.platform) && hasSystem(systemsOf(id).cpu, process.arch)
  const unfit = Object.entries(snapshots).flatMap(([key, { optional, optionalDependencies = {} }]) => {
    const id = withoutPeers(key)
    const parts = Object.entries(optionalDependencies).map(([name, ref]) => `${name}@${withoutPeers(ref)}`)
    const native = parts.filter(isNative)
    return (optional || isFit(id)) && (native.length === 0 || native.some(isFit)) ? [] : [id]
  })
  return [...new Set(unfit)].toSorted()
}

type Entries<T> = Readonly<Record<string, T>>
/** Returns the entries of some packages. */
const ofPackages = <T>(entries: Entries<T>, isWanted: (name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).filter(([id]) => isWanted(parsePackageId(id).name)))

/** Returns the text of a lock with other entries. */
const render = (lock: Lockfile, dependencies: object, packages: object, snapshots: object): string =>
  stringify(
    { ...lock, importers: { '.': { ...lock.importers?.['.'], dependencies } }, packages, snapshots },
    { lineWidth: 0 },
  )

/** Returns the lines of a pnpm-lock.yaml without plugins that only this machine has; null where it cannot be read. */
export function withoutPlugins(text: string, names: readonly string[]): string[] | null {
  if (names.length === 0) return text.split('\n')
  const whole = parseLockfile(text)
  if (whole === null) return null
  const kept = <T>(entries: Entries<T> = {}) => ofPackages(entries, (name) => !names.includes(name))
  const { packages, snapshots } = whole
  return render(whole, kept(whole.importers?.['.'].dependencies), kept(packages), kept(snapshots)).split('\n')
}

/**
 * Joins the package manager's lock of a file with that of a profile, whose other plugins stay in their versions. The
 * package manager itself drops what neither needs any more.
 *
 * @param given.isTaken true for a plugin that the profile gets from the file
 * @param given.keeps other plugins that stay; without any, the file's own is taken byte for byte
 * @param given.here the profile's own pnpm-lock.yaml; empty where there is none
 * @returns the specs for package.json, by plugin, and the text of the pnpm-lock.yaml; null where their formats differ
 */
export function joinPackages(
  lock: Pick<ProfileLock, 'packages'>,
  given: { readonly isTaken: (name: string) => boolean; readonly keeps: readonly string[]; readonly here: string },
) {
  const text = textIn(lock)
  const [there, here] = [parseLockfile(text), parseLockfile(given.here)]
  const isEmpty = given.here.trim() === ''
  if (!there?.importers || (!isEmpty && here?.lockfileVersion !== there.lockfileVersion)) return null
  const all = Object.entries(there.importers['.'].dependencies)
  const wanted = all.filter(([name]) => given.isTaken(name))
  const specs = Object.fromEntries(wanted.map(([name, { specifier }]) => [name, specifier]))
  if (here === null || (given.keeps.length === 0 && wanted.length === all.length)) return { specs, text }
  const isKept = (name: string) => given.keeps.includes(name)
  const own = ofPackages(here.importers?.['.'].dependencies ?? {}, isKept)
  // What the file has of plugins that stay is nothing that it gives.
  const joined = (mine: Entries<unknown>, theirs: Entries<unknown>) =>
    sorted(Object.entries({ ...mine, ...theirs, ...ofPackages(mine, isKept) }))
  const dependencies = sorted([...Object.entries(own), ...wanted])
  return {
    specs,
    text: render(here, dependencies, joined(here.packages, there.packages), joined(here.snapshots, there.snapshots)),
  }
}
