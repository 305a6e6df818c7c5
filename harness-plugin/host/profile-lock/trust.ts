/** Checks the package manager's lock and the settings of a file, which anybody may have written, against its plugins. */
import { repositoryOf } from '@plugmark/shared/install'
import * as v from 'valibot'
import { parse } from 'yaml'
import type { ProfileLock } from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import { directIn, type Lockfile, parsePackageId, withoutPeers } from '../profile/lockfile.ts'
import { isPin } from '../profile/manifest.ts'
import { isMap } from './locked-settings.ts'
import { folderOf, lockfileIn, sharedIn, textIn } from './packages.ts'

/**
 * Returns what in a file is not what a review of its plugins shows: in the package manager's lock a plugin that is another
 * package, version, commit or integrity, or that the file has not, and a package whose bytes come from an address that
 * only the file names; and settings that name such addresses.
 */
export function foreignIn(lock: ProfileLock, ownPackage: string | null): string[] {
  const settings = foreignSettings(lock, ownPackage)
  if (lock.packages === null) return settings
  const whole = lockfileIn(lock)
  if (whole === null) return ['pnpm-lock.yaml', ...settings]
  const { packages, snapshots } = whole
  const plugins = new Map(sharedIn(lock).map((plugin) => [plugin.name, plugin]))
  const direct = new Set([...plugins.keys(), ...directIn(whole).keys()])
  return [
    ...[...direct].filter((name) => !isAsNamed(plugins.get(name), whole)),
    ...Object.keys(packages).filter((id) => !isOfRegistry(id, packages[id]) && !isOfRepository(id, packages[id])),
    // What is only here, the package manager takes from here.
    ...Object.keys(snapshots).filter(
      (id) => !Object.hasOwn(packages, withoutPeers(id)) || !v.is(SnapshotSchema, snapshots[id]),
    ),
    ...(isHiding(textIn(lock)) ? ['pnpm-lock.yaml'] : []),
    ...settings,
  ]
}

/** Returns true if the package manager's lock has a plugin from where the file says, in that version and those bytes. */
function isAsNamed(
  plugin: ReturnType<typeof sharedIn>[number] | undefined,
  { importers, packages }: Lockfile,
): boolean {
  // Of these alone `joinPackages` takes something.
  const { dependencies = {} } = importers?.['.'] ?? {}
  const entry = plugin && Object.hasOwn(dependencies, plugin.name) && dependencies[plugin.name]
  if (!entry) return false
  const { name, spec, version, integrity, commit } = plugin
  const id = `${name}@${withoutPeers(entry.version)}`
  const [place, { repository }] = [repositoryOf(spec), parsePackageId(id)]
  if (repositoryOf(entry.specifier) !== place) return false
  if (commit !== null)
    return (
      repository?.commit === commit &&
      repositoryOf(repository.url) === place &&
      (repository.path ?? '') === folderOf(spec)
    )
  if (/[:/]/.test(entry.specifier) || id !== `${name}@${version}`) return false
  return v.is(OfRegistry, packages[id]) && packages[id].resolution.integrity === integrity
}

/**
 * YAML by which the package manager could read something else than this module. Only there a carriage return ends a line,
 * and with it a comment; and a mark before the first document makes that another one. (Tried with 10.34 and 12.21.)
 */
const HIDING = /^\uFEFF?(?:%|---)|(?:^|[\s,[{?:])(?:<<|![!<])|\r(?!\n)/m
/** Names that no record of this module has. */
const UNREAD: readonly unknown[] = ['__proto__', 'constructor', 'prototype']
const keysIn = (value: unknown): unknown[] =>
  value instanceof Map ? [...value.keys(), ...[...value.values()].flatMap(keysIn)] : []
/** Returns true for YAML that has more for the package manager than for this module. */
const isHiding = (text: string): boolean =>
  HIDING.test(text) ||
  keysIn(parse(text, { mapAsMap: true, logLevel: 'error' })).some(
    (key) => typeof key !== 'string' || UNREAD.includes(key),
  )

const REGISTRY_ID = /^(?:@[\w.~-]+\/)?[\w.~-]+@\d+\.\d+\.\d+[\w.+-]*$/
const Names = v.optional(v.record(v.string(), v.string()))
const SnapshotSchema = v.strictObject({
  dependencies: Names,
  optionalDependencies: Names,
  transitivePeerDependencies: v.optional(v.array(v.string())),
  optional: v.optional(v.boolean()),
})
/**
 * Lists what the package manager writes of a package. It joins this with what its snapshot has, so that dependencies here
 * would be in place of those there.
 */
const About = v.entriesFromList(
  [
    ...(['engines', 'cpu', 'os', 'libc', 'deprecated', 'hasBin', 'bundledDependencies'] as const),
    ...(['peerDependencies', 'peerDependenciesMeta'] as const),
  ],
  v.optional(v.unknown()),
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
/** Settings whose values are versions, or other packages of the registry by name and version. */
const OF_VERSIONS = new Set(['overrides', 'packageExtensions'])

/** Returns the settings of a lock that name an address, a file elsewhere, or a package of the harness or the store. */
function foreignSettings({ settings, patches }: ProfileLock, ownPackage: string | null): string[] {
  const isOurs = (key: string) =>
    isPin(key) || key.split('>').some((one) => splitPackageId(one.trim()).name === ownPackage)
  const isVersions = (value: unknown): boolean =>
    Object(value) === value
      ? Object.values(value as object).every(isVersions)
      : !/^(?!npm:).*[:/]|^npm:.*:/.test(String(value))
  const names = Object.entries(settings).filter(([name, value]) =>
    Object.entries(isMap(value) ? value : { '': value }).some(
      ([key, one]) =>
        isOurs(key) ||
        JSON.stringify(one).length > MOST_SHOWN ||
        (OF_VERSIONS.has(name) && !isVersions(one)) ||
        (name === 'patchedDependencies' && !Object.hasOwn(patches, String(one))),
    ),
  )
  return names.map(([name]) => name)
}
