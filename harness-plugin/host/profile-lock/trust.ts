/** Checks the package manager's lock and the settings of a file, which anybody may have written, against its plugins. */
import { repositoryOf } from '@plugmark/shared/install'
import * as v from 'valibot'
import { isScalar, parseDocument, visit } from 'yaml'
import type { ProfileLock } from '../../protocol/index.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import { parsePackageId } from '../profile/lockfile.ts'
import { isPin } from '../profile/manifest.ts'
import { folderOf, type LockText, parseLockText, sharedIn } from './packages.ts'
import { isMap } from './settings.ts'

/**
 * Returns what in the package manager's lock of a file is not what a review of its plugins shows: a plugin that is another
 * package, version, commit or integrity there, and a package whose bytes come from an address that only the file names.
 */
export function foreignIn(lock: ProfileLock, ownPackage: string | null): string[] {
  const settings = foreignSettings(lock, ownPackage)
  const text = lock.packages?.join('\n') ?? null
  const whole = parseLockText(text)
  if (text === null || whole === null) return settings
  const { packages, snapshots } = whole
  const shared = sharedIn(lock)
  const plugins = shared.filter((plugin) => !isAsNamed(plugin, whole)).map(({ name }) => name)
  const names = new Set(shared.map(({ name }) => name))
  const others = Object.keys(whole.importers['.'].dependencies).filter((name) => !names.has(name))
  const places = Object.entries(packages).filter(([id, one]) => !isOfRegistry(id, one) && !isOfRepository(id, one))
  // What is only here, the package manager takes from here.
  const loose = Object.entries(snapshots).filter(
    ([id, one]) => !Object.hasOwn(packages, id.split('(')[0]!) || !v.is(SnapshotSchema, one),
  )
  const odd = isHiding(text) ? ['pnpm-lock.yaml'] : []
  return [...plugins, ...others, ...[...places, ...loose].map(([id]) => id), ...odd, ...settings]
}

/** Returns true if the package manager's lock has a plugin from where the file says, in that version and those bytes. */
function isAsNamed(
  { name, spec, version, integrity, commit }: ReturnType<typeof sharedIn>[number],
  { importers: { '.': direct }, packages }: LockText,
): boolean {
  const entry = Object.hasOwn(direct.dependencies, name) ? direct.dependencies[name] : undefined
  if (entry === undefined || repositoryOf(entry.specifier) !== repositoryOf(spec)) return false
  const id = `${name}@${entry.version.split('(')[0]}`
  if (commit === null)
    return (
      !/[:/]/.test(entry.specifier) &&
      id === `${name}@${version}` &&
      v.is(OfRegistry, packages[id]) &&
      packages[id].resolution.integrity === integrity
    )
  const { repository } = parsePackageId(id)
  return (
    repository?.commit === commit &&
    repositoryOf(repository.url) === repositoryOf(spec) &&
    (repository.path ?? '') === folderOf(spec)
  )
}

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
