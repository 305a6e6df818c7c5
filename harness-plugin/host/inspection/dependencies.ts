/** The packages that are installed with a plugin, and the way to each: as a lockfile has them, or as registries do. */

import { setTimeout as pause } from 'node:timers/promises'
import { isPackageName } from '@plugmark/shared/install'
import gt from 'semver/functions/gt.js'
import valid from 'semver/functions/valid.js'
import maxSatisfying from 'semver/ranges/max-satisfying.js'
import validRange from 'semver/ranges/valid.js'
import * as v from 'valibot'
import type { Advisories } from '../../protocol/inspection.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import { KeptAnswers } from '../kept-answers.ts'
import { waitFor, withTimeout } from '../process/run.ts'
import { directIn, type Lockfile, parsePackageId, readLockfile, withoutPeers } from '../profile/lockfile.ts'
import { isPin } from '../profile/manifest.ts'
import { BUILD_SCRIPTS } from '../registry/package-scripts.ts'
import { type DocumentAnswer, type PackageDocument, PackageReader, type Registry } from '../registry/registry.ts'
import { pickVersion } from '../releases/pick-version.ts'

/** Most packages of one plugin that registries are asked for. The others are unknown. */
const MAX_PACKAGES = 200
/** Most requests at a time. */
const CONCURRENCY = 16

export type UnknownReason = Advisories['unknown'][number]['reason']

/** A plugin with the packages that are installed with it. */
export interface Tree {
  /** Packages of registries by `name@version`, each with the shortest way to it: the plugin first, itself last. */
  readonly ways: ReadonlyMap<string, readonly string[]>
  /** Names of the packages whose version no registry can be asked about, by the reason. */
  readonly unknown: ReadonlyMap<UnknownReason, ReadonlySet<string>>
  /** Ranges of the packages that it wants beside it; null for one that the package manager does not install by itself. */
  readonly peers: ReadonlyMap<string, string | null>
  /** False where there may be more packages than these: what one of them depends on could not be read. */
  readonly isWhole: boolean
}

/** Time that a document of a registry is kept, in ms: the reviews of several updates ask for the same ones. */
const KEPT_MS = 10_000
/** Time before a busy registry is asked again, in ms. */
const BUSY_MS = 500
/** Time limit of one request, in ms. Whoever gave up waiting for it may ask again. */
const REQUEST_MS = 30_000

type Document = DocumentAnswer<PackageDocument>

/** Documents of registries, which look-ups at the same time share. */
export class SharedDocuments {
  readonly #kept = new KeptAnswers<Document>({ ms: KEPT_MS, isKept: ({ state }) => state === 'read', max: 1000 })
  readonly #signal: AbortSignal

  /** @param signal ends the requests */
  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Requests a document, unless it is kept. Asks a busy registry once more. Never rejects. */
  read(registry: Pick<Registry, 'package'>, name: string, directory: string): Promise<Document> {
    return this.#kept.read(`${name} ${directory}`, () => {
      const signal = withTimeout(this.#signal, REQUEST_MS)
      return askTwice(() => registry.package(name, { signal }))
    })
  }
}

/** Asks a registry that is busy once more, after a moment. */
export async function askTwice<T extends { readonly state: string }>(ask: () => Promise<T>): Promise<T> {
  const answer = await ask()
  if (answer.state !== 'busy') return answer
  await pause(BUSY_MS)
  return ask()
}

/**
 * The packages that are installed with the plugins of a profile, or would be. Requests never reject; until the signal
 * aborts, registries are asked for what the lockfile does not have.
 */
export class Dependencies {
  readonly #lock: Lockfile | null
  readonly #request: (name: string) => Promise<Document | null>

  private constructor(lock: Lockfile | null, request: (name: string) => Promise<Document | null>) {
    this.#lock = lock
    this.#request = request
  }

  /** Reads the lockfile of a profile. @param given.lock one that is to be there instead */
  static async read({
    directory,
    registry,
    signal,
    documents = new SharedDocuments(signal),
    lock,
  }: {
    readonly directory: string
    readonly registry: Pick<Registry, 'package'>
    readonly signal: AbortSignal
    readonly documents?: SharedDocuments | undefined
    readonly lock?: Lockfile | undefined
  }): Promise<Dependencies> {
    // The document of a review's own plugin is as new as the review.
    const read = (name: string) =>
      registry instanceof PackageReader && registry.hasRequested(name)
        ? registry.package(name, { signal })
        : documents.read(registry, name, directory)
    const request = (name: string) => waitFor(read(name), signal)
    return new Dependencies(lock ?? (await readLockfile(directory)), request)
  }

  /** Returns a tree for each plugin of the lockfile; null without a readable lockfile. */
  async locked(): Promise<readonly Tree[] | null> {
    const lock = this.#lock
    if (!lock?.importers) return null
    return Promise.all([...directIn(lock)].map(([name, { version }]) => walk(fromLock(lock, name, version))))
  }

  /** Returns the tree of a plugin of the lockfile; null where it has none. */
  async lockedWith(name: string): Promise<Tree | null> {
    const entry = directIn(this.#lock).get(name)
    return entry === undefined ? null : walk(fromLock(this.#lock!, name, entry.version))
  }

  /**
   * Resolves what an install of a version would take: of each dependency the version of the lockfile, or else what its
   * range gives. Overrides and the age of releases are not taken into account.
   *
   * @param version a version or a range; null for the newest
   */
  resolve(name: string, version: string | null): Promise<Tree> {
    // The plugin itself is installed in the version that is asked for, whatever the lockfile has.
    return walk({ name, find: () => this.#findVersion(name, version ?? 'latest', false) }, MAX_PACKAGES)
  }

  /** Resolves what is installed with a plugin that no registry knows. @param manifest its package.json, if it can be read */
  resolveManifest(name: string, manifest: unknown, reason: UnknownReason): Promise<Tree> {
    const dependencies = this.#wantedBy(manifest, reason === 'repository')
    const isRead = typeof manifest === 'object' && manifest !== null
    const plugin: Found = { key: name, id: null, reason, dependencies, peers: peersOf(manifest), isRead }
    return walk({ name, find: async () => plugin }, MAX_PACKAGES)
  }

  /** Returns the names in a resolved tree, with all that comes with the packages that it wants beside it; null if unknown. */
  async namesWithPeers(plugin: Tree): Promise<Set<string> | null> {
    const names = new Set<string>()
    const trees = [plugin]
    const seen = new Set<string>()
    for (const tree of trees) {
      for (const name of namesIn(tree)) names.add(name)
      if (!tree.isWhole || trees.length > MAX_PACKAGES) return null
      const peers = [...tree.peers].flatMap(([name, range]) => {
        const key = `${name}@${range}`
        // The harness's own packages are there.
        if (range === null || isPin(name) || seen.has(key)) return []
        seen.add(key)
        return [walk({ name, find: () => this.#findVersion(name, range) }, MAX_PACKAGES)]
      })
      trees.push(...(await Promise.all(peers)))
    }
    return names
  }

  /** Resolves the newest version of a plugin; null when there is no newer one, or it is unknown. */
  async resolveNewer(name: string, version: string): Promise<{ readonly version: string; readonly tree: Tree } | null> {
    const answer = await this.#request(name)
    if (answer?.state !== 'read' || !valid(version)) return null
    const { latest } = answer.document
    return valid(latest) && gt(latest, version) ? { version: latest, tree: await this.resolve(name, latest) } : null
  }

  async #findVersion(name: string, range: string, isLocked = true): Promise<Found> {
    const key = `${name}@${range}`
    const unknown = (reason: UnknownReason): Found => ({ key, id: null, reason, dependencies: [], isRead: false })
    if (!isPackageName(name)) return unknown('unreadable')
    const isTag = validRange(range) === null
    if (isTag && !/^[\w.-]+$/.test(range)) return unknown(sourceOf(range))
    const lock = this.#lock
    const locked = lock && isLocked && !isTag ? findLocked(lock, name, range) : null
    if (lock && locked) return fromLock(lock, name, locked).find()
    const answer = await this.#request(name)
    if (answer?.state !== 'read') return unknown(answer?.state ?? 'too-slow')
    const version = pickVersion(answer.document, range)
    if (version === null || !valid(version)) return unknown('no-such-version')
    const id = `${name}@${version}`
    const manifest = answer.document.versions[version]
    const dependencies = this.#wantedBy(manifest)
    return { key: id, id, reason: null, dependencies, peers: peersOf(manifest), isRead: true }
  }

  #wantedBy(manifest: unknown, isRepository = false): NeededPackage[] {
    const { dependencies, optionalDependencies, devDependencies, scripts } = v.parse(ManifestSchema, manifest)
    // Its build gets them too.
    const isBuilt = isRepository && BUILD_SCRIPTS.some((name) => scripts[name])
    const all = { ...(isBuilt ? devDependencies : {}), ...dependencies, ...optionalDependencies }
    return Object.entries(all).map(([name, text]) => {
      const range = typeof text === 'string' ? text : ''
      // `npm:other@^1.0.0` installs another package under this name.
      const [, other, ofOther] = /^npm:(@?[^@]+)(?:@(.*))?$/.exec(range) ?? []
      return { name, find: () => this.#findVersion(other ?? name, (other === undefined ? range : ofOther) || '*') }
    })
  }
}

const Ranges = v.optional(v.fallback(v.record(v.string(), v.unknown()), {}), {})
const ManifestSchema = v.fallback(
  v.object({
    dependencies: Ranges,
    optionalDependencies: Ranges,
    devDependencies: Ranges,
    peerDependencies: Ranges,
    peerDependenciesMeta: Ranges,
    scripts: Ranges,
  }),
  {
    ...{ dependencies: {}, optionalDependencies: {}, devDependencies: {} },
    ...{ peerDependencies: {}, peerDependenciesMeta: {}, scripts: {} },
  },
)
const peersOf = (manifest: unknown): (readonly [name: string, range: string | null])[] => {
  const { peerDependencies, peerDependenciesMeta } = v.parse(ManifestSchema, manifest)
  const isOptional = (name: string) => v.is(v.object({ optional: v.literal(true) }), peerDependenciesMeta[name])
  return Object.entries(peerDependencies).map(([name, range]) => [name, isOptional(name) ? null : String(range)])
}

/** Returns the names of the packages of a tree, and of those that it wants beside it. */
export const namesIn = ({ ways, unknown, peers }: Tree): Set<string> =>
  new Set([
    ...[...ways.keys()].map((id) => splitPackageId(id).name),
    ...[...unknown.values()].flatMap((names) => [...names]),
    ...peers.keys(),
  ])

// Walking

/** A package that something depends on. */
interface NeededPackage {
  readonly name: string
  find(): Promise<Found>
}

interface Found {
  /** Its place in the tree. A version with other peers has another place. */
  readonly key: string
  /** `name@version` in its registry; null when it has none, for the reason. */
  readonly id: string | null
  readonly reason: UnknownReason | null
  readonly dependencies: readonly NeededPackage[]
  /** Ranges of the packages that it wants beside it. */
  readonly peers?: ReturnType<typeof peersOf>
  /** False if its dependencies are unknown. */
  readonly isRead: boolean
}

/** Walks the dependencies of a plugin level by level, so that the first way to a package is the shortest. */
async function walk(plugin: NeededPackage, maxPackages = Number.POSITIVE_INFINITY): Promise<Tree> {
  const ways = new Map<string, readonly string[]>()
  const unknown = new Map<UnknownReason, Set<string>>()
  const peers = new Map<string, string | null>()
  let isWhole = true
  const seen = new Set<string>()
  const addUnknown = (reason: UnknownReason, name: string) =>
    unknown.set(reason, (unknown.get(reason) ?? new Set()).add(name))
  const pending: { readonly wanted: NeededPackage; readonly before: readonly string[] }[] = [
    { wanted: plugin, before: [] },
  ]
  while (pending.length > 0 && seen.size < maxPackages) {
    const part = pending.splice(0, CONCURRENCY)
    const found = await Promise.all(part.map(({ wanted }) => wanted.find()))
    for (const [index, { key, id, reason, dependencies, isRead, ...one }] of found.entries()) {
      const { wanted, before } = part[index]!
      if (seen.has(key)) continue
      seen.add(key)
      const way = [...before, id ?? wanted.name]
      isWhole &&= isRead
      for (const [name, range] of one.peers ?? []) peers.set(name, range ?? peers.get(name) ?? null)
      if (reason !== null) addUnknown(reason, wanted.name)
      if (id !== null && !ways.has(id)) ways.set(id, way)
      pending.push(...dependencies.map((wanted) => ({ wanted, before: way })))
    }
  }
  for (const { wanted } of pending) addUnknown('too-many', wanted.name)
  return { ways, unknown, peers, isWhole: isWhole && pending.length === 0 }
}

// The lockfile

const fromLock = (lock: Lockfile, name: string, version: string): NeededPackage => ({
  name,
  async find() {
    // The version of another name, or of another source, is a whole key.
    const key = Object.hasOwn(lock.snapshots, `${name}@${version}`) ? `${name}@${version}` : version
    const id = withoutPeers(key)
    // Some registries have their tarballs at addresses of their own, which stand in the lockfile.
    const isOfRegistry = lock.packages[id]?.resolution.integrity && parsePackageId(id).version !== null
    const { dependencies, optionalDependencies } = lock.snapshots[key] ?? {}
    const all = Object.entries({ ...dependencies, ...optionalDependencies })
    return {
      key,
      id: isOfRegistry ? id : null,
      reason: isOfRegistry ? null : sourceOf(id.startsWith(`${name}@`) ? id.slice(name.length + 1) : id),
      dependencies: all.map(([name, version]) => fromLock(lock, name, version)),
      isRead: true,
    }
  },
})

/** Finds the newest version of a package in a lockfile that is in a range, which pnpm takes before a newer one. */
function findLocked(lock: Lockfile, name: string, range: string): string | null {
  const versions = Object.keys(lock.snapshots)
    .filter((key) => key.startsWith(`${name}@`))
    .map((key) => key.slice(name.length + 1))
  const plain = versions.map(withoutPeers)
  const newest = maxSatisfying(
    plain.filter((version) => valid(version)),
    range,
  )
  return newest === null ? null : (versions[plain.indexOf(newest)] ?? null)
}

/** Returns the kind of source that a dependency is installed from, if it is not a registry. */
function sourceOf(spec: string): UnknownReason {
  if (/^(?:file|link|workspace|portal):|^[./~]/.test(spec))
    return /\.(?:tgz|tar\.gz|tar)$/.test(spec) ? 'tarball' : 'folder'
  if (/^(?:git|ssh|github|gitlab|bitbucket|gist)\b|\.git(?:#|$)|\/\/codeload\.|^[\w.-]+\/[\w.-]+(?:#|$)/.test(spec))
    return 'repository'
  return /^https?:/.test(spec) ? 'tarball' : 'unreadable'
}
