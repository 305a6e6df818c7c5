/** Reads, checks and joins the package manager's own lock in the lock of a profile. Parses text, and asks nobody. */
import { repositoryOf } from '@plugmark/shared/install'
import * as v from 'valibot'
import { isScalar, parse, parseDocument, stringify, visit } from 'yaml'
import type { LockedPlugin, ProfileLock } from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import { type Lockfile, parseLockfile, parsePackageId } from '../profile/lockfile.ts'
import { isPin } from '../profile/manifest.ts'
import { isMap, sorted } from './settings.ts'

const Entries = v.optional(v.record(v.string(), v.unknown()), {})
const TextSchema = v.looseObject({
  lockfileVersion: v.string(),
  importers: v.looseObject({ '.': v.looseObject({ dependencies: Entries }) }),
  packages: Entries,
  snapshots: Entries,
})
/** Parses a pnpm-lock.yaml with all its keys; null for any other text. */
function parseWhole(text: string | null) {
  try {
    return v.parse(TextSchema, parse(text ?? '', { logLevel: 'error', maxAliasCount: 0 }))
  } catch {
    return null
  }
}

const wholeOf = ({ packages }: ProfileLock) => parseWhole(packages?.join('\n') ?? null)

/** Returns the lines of a pnpm-lock.yaml without plugins that only this machine has; null where it cannot be read. */
export function withoutPlugins(text: string, names: readonly string[]): string[] | null {
  if (names.length === 0) return text.split('\n')
  const whole = parseWhole(text)
  if (whole === null) return null
  const isKept = ([id]: readonly [string, unknown]) => !names.includes(parsePackageId(id).name)
  const kept = (entries: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(entries).filter(isKept))
  const { dependencies } = whole.importers['.']
  const left = {
    ...whole,
    importers: { '.': { ...whole.importers['.'], dependencies: kept(dependencies) } },
    packages: kept(whole.packages),
    snapshots: kept(whole.snapshots),
  }
  return stringify(left, { lineWidth: 0 }).split('\n')
}

/** Returns the package manager's lock of the lock of a profile; null without one that can be read. */
export const packagesIn = ({ packages }: ProfileLock): Lockfile | null => packages && parseLockfile(packages.join('\n'))

/**
 * Returns the integrities of what is installed with plugins, and of the patches. Packages of repositories and folders are
 * left out: each version of the package manager may write their ids in its own way.
 */
export function integritiesIn(lock: ProfileLock): ReadonlyMap<string, string> | null {
  const lockfile = packagesIn(lock)
  if (lockfile === null) return null
  const plugins = new Set(lock.plugins.map(({ name }) => name))
  const needed = Object.entries(lockfile.packages).flatMap(([id, { resolution }]) => {
    const { name, version } = parsePackageId(id)
    return version === null || plugins.has(name) ? [] : [[id, String(resolution.integrity ?? '')] as const]
  })
  // pnpm before 11 writes the path of a patch beside its hash.
  const hashOf = (patch: unknown) => String((Object(patch) as { readonly hash?: unknown }).hash ?? patch)
  const patches = Object.entries(lockfile.patchedDependencies)
  return new Map([...needed, ...patches.map(([id, patch]) => [`${id} (patch)`, hashOf(patch)] as const)])
}

/** Plugins of a lock that other machines can have too. */
export const sharedIn = ({ plugins }: ProfileLock) =>
  plugins.filter((plugin): plugin is LockedPlugin & { readonly spec: string } => plugin.spec !== null)

/**
 * Returns what in the package manager's lock of a file is not what a review of its plugins shows: a plugin that is another
 * package, version, commit or integrity there, and a package whose bytes come from an address that only the file names.
 */
export function foreignIn(lock: ProfileLock, ownPackage: string | null): string[] {
  const [lockfile, whole, settings] = [packagesIn(lock), wholeOf(lock), foreignSettings(lock, ownPackage)]
  if (lockfile === null || whole === null) return settings
  const { dependencies = {} } = lockfile.importers?.['.'] ?? {}
  const plugins = sharedIn(lock).filter(({ name, spec, version, integrity, commit }) => {
    const entry = Object.hasOwn(dependencies, name) ? dependencies[name] : undefined
    if (entry === undefined) return true
    const id = `${name}@${entry.version.split('(')[0]}`
    const { repository } = parsePackageId(id)
    if (repositoryOf(entry.specifier) !== repositoryOf(spec)) return true
    if (commit === null && /[:/]/.test(entry.specifier)) return true
    if (commit !== null)
      return (
        repository?.commit !== commit ||
        repositoryOf(repository.url) !== repositoryOf(spec) ||
        (repository.path ?? '') !== folderOf(spec)
      )
    return id !== `${name}@${version}` || lockfile.packages[id]?.resolution.integrity !== (integrity ?? undefined)
  })
  const { packages, snapshots } = whole
  const places = Object.entries(packages).filter(([id, one]) => !isOfRegistry(id, one) && !isOfRepository(id, one))
  // What is only here, the package manager takes from here.
  const loose = Object.entries(snapshots).filter(
    ([id, one]) => !Object.hasOwn(packages, id.split('(')[0]!) || !v.is(SnapshotSchema, one),
  )
  const shared = new Set(sharedIn(lock).map(({ name }) => name))
  const others = Object.keys(dependencies).filter((name) => !shared.has(name))
  const odd = isHiding(lock.packages!.join('\n')) ? ['pnpm-lock.yaml'] : []
  return [
    ...plugins.map(({ name }) => name),
    ...others,
    ...[...places, ...loose].map(([id]) => id),
    ...odd,
    ...settings,
  ]
}

/** Returns the folder of a spec in its repository. */
const folderOf = (spec: string): string => /path:\/?([^&]+)/.exec(spec)?.[1] ?? ''

/** YAML by which the package manager could read something else than this module. */
const HIDING = /^(?:%|---)|(?:^|[\s,[{?:])(?:<<|![!<])|__proto__/m
/** Names that no record of this module has. */
const UNREAD = new Set(['__proto__', 'constructor', 'prototype'])
/** Returns true for YAML that has more for the package manager than for this module. */
function isHiding(text: string): boolean {
  if (HIDING.test(text)) return true
  let isOdd = false
  visit(parseDocument(text, { logLevel: 'error' }), {
    Pair: (_, { key }) => {
      if (isScalar(key) && typeof key.value === 'string' && !UNREAD.has(key.value)) return undefined
      isOdd = true
      return visit.BREAK
    },
  })
  return isOdd
}
const REGISTRY_ID = /^(?:@[\w.~-]+\/)?[\w.~-]+@\d+\.\d+\.\d+[\w.+-]*$/
const Names = v.optional(v.record(v.string(), v.string()))
const SnapshotSchema = v.strictObject({
  dependencies: Names,
  optionalDependencies: Names,
  transitivePeerDependencies: v.optional(v.array(v.string())),
  optional: v.optional(v.boolean()),
})
/**
 * What the package manager writes of a package. It joins this with what its snapshot has, so that dependencies here would
 * be in place of those there.
 */
const About = Object.fromEntries(
  [
    ...['engines', 'cpu', 'os', 'libc', 'deprecated', 'hasBin', 'bundledDependencies'],
    ...['peerDependencies', 'peerDependenciesMeta'],
  ].map((key) => [key, v.optional(v.unknown())]),
)
/** With nothing else to fetch it from, and no other name or version. */
const OfRegistry = v.strictObject({ ...About, resolution: v.strictObject({ integrity: v.string() }) })
const Repository = { path: v.optional(v.string()), integrity: v.optional(v.string()) }
const OfRepository = v.strictObject({
  ...About,
  version: v.optional(v.string()),
  resolution: v.union([
    v.strictObject({ tarball: v.string(), gitHosted: v.optional(v.boolean()), ...Repository }),
    v.strictObject({ type: v.literal('git'), repo: v.string(), commit: v.string(), ...Repository }),
  ]),
})

const isOfRegistry = (id: string, entry: unknown) => REGISTRY_ID.test(id) && v.is(OfRegistry, entry)

/** Returns true for a package of a repository that is fetched from the place in its id. */
function isOfRepository(id: string, entry: unknown): boolean {
  const { repository } = parsePackageId(id)
  if (repository === null || !v.is(OfRepository, entry)) return false
  const { resolution } = entry
  const from = 'tarball' in resolution ? resolution.tarball : `${resolution.repo}#${resolution.commit}`
  const found = parsePackageId(`x@${from.replace(/^https:\/\/(?!codeload)/, 'git+https://')}`).repository
  const path = resolution.path?.replace(/^\//, '') ?? null
  return found?.commit === repository.commit && found.url === repository.url && path === repository.path
}

/** Longest entry of a setting that a review shows whole, in characters. */
const MOST_SHOWN = 500

/** Returns the settings of a lock that name an address, a file elsewhere, or a package of the harness or the store. */
function foreignSettings({ settings, patches }: ProfileLock, ownPackage: string | null): string[] {
  const valuesIn = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [value]
  const isVersion = (value: unknown) => !/^(?!npm:).*[:/]|^npm:.*:/.test(String(value))
  const isOurs = (key: string) =>
    isPin(key) || key.split('>').some((one) => splitPackageId(one.trim()).name === ownPackage)
  const { overrides, packageExtensions, patchedDependencies } = settings
  const foreign = new Map([
    ['overrides', !valuesIn(overrides).every(isVersion)],
    ['packageExtensions', !valuesIn(packageExtensions).every(isVersion)],
    [
      'patchedDependencies',
      !Object.values(Object(patchedDependencies)).every((path) => Object.hasOwn(patches, String(path))),
    ],
  ])
  const isLong = (value: unknown) => JSON.stringify(value).length > MOST_SHOWN
  const names = Object.entries(settings).filter(([name, value]) => {
    const keys = isMap(value) ? Object.keys(value) : []
    const entries = isMap(value) ? Object.entries(value) : [value]
    return foreign.get(name) === true || keys.some(isOurs) || entries.some(isLong)
  })
  return names.map(([name]) => name)
}

/**
 * Joins the package manager's lock of a file with that of a profile, whose other plugins stay in their versions. The
 * package manager itself drops what neither needs any more.
 *
 * @param given.names plugins that the profile gets from the file
 * @param given.keeps other plugins that stay; without any, the file's own is taken byte for byte
 * @param given.here the profile's own pnpm-lock.yaml; null where there is none
 * @returns the specs for package.json, by plugin, and the text of the pnpm-lock.yaml; null where the two cannot be joined
 */
export function joinPackages(
  { packages }: ProfileLock,
  given: { readonly names: readonly string[]; readonly keeps: readonly string[]; readonly here: string | null },
) {
  const text = packages?.join('\n') ?? ''
  const [there, here] = [parseWhole(text), parseWhole(given.here)]
  if (there === null) return null
  if (given.here !== null && given.here.trim() !== '' && here?.lockfileVersion !== there.lockfileVersion) return null
  const all = Object.entries(there.importers['.'].dependencies)
  const wanted = all.filter(([name]) => given.names.includes(name))
  const specs = new Map(wanted.map(([name, entry]) => [name, String(Object(entry).specifier)]))
  if (here === null || (given.keeps.length === 0 && wanted.length === all.length)) return { specs, text }
  const own = Object.entries(here.importers['.'].dependencies).filter(([name]) => given.keeps.includes(name))
  const dependencies = sorted([...own, ...wanted])
  // What the file has of plugins that stay is nothing that it gives.
  const kept = (entries: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(entries).filter(([id]) => given.keeps.includes(parsePackageId(id).name)))
  const joined = {
    ...here,
    importers: { '.': { ...here.importers['.'], dependencies } },
    packages: sorted(Object.entries({ ...here.packages, ...there.packages, ...kept(here.packages) })),
    snapshots: sorted(Object.entries({ ...here.snapshots, ...there.snapshots, ...kept(here.snapshots) })),
  }
  return { specs, text: stringify(joined, { lineWidth: 0 }) }
}
