/** Advisories about packages: those that their registry has about the exact versions. */
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import type { Advisories, Advisory, ProfileAdvisories } from '../../protocol/inspection.ts'
import { withTimeout } from '../process/run.ts'
import { type Lockfile, parsePackageId } from '../profile/lockfile.ts'
import { readManifest } from '../profile/manifest.ts'
import { type Access, Registry, type RegistryAdvisories, registryOf } from '../registry/registry.ts'
import { askTwice, Dependencies, type SharedDocuments, type Tree, type UnknownReason } from './dependencies.ts'

/** Weakness of code that was published to do harm. Source: the list of weaknesses, CWE. */
const EMBEDDED_MALICE = 'CWE-506'
/** Time limits of a look-up before a change, in ms: its start waits for it. */
const RESOLVE_MS = 6_000
const LOOK_UP_MS = 8_000
/** Most names of unknown packages in a line of a job's output. */
const MAX_NAMES = 20

interface LookUpRequest extends Access {
  /** Documents that it shares with other look-ups. */
  readonly documents?: SharedDocuments | undefined
}

/** A plugin that would be installed. */
export type PlannedPackage =
  | {
      readonly name: string
      /** A version or a range; null for the newest. */
      readonly version: string | null
    }
  /** One that no registry knows. */
  | {
      readonly name: string
      /** Its package.json, or the address of that; null if it cannot be read. */
      readonly manifest: unknown
      readonly reason: UnknownReason
    }

/** Looks up a plugin, and what would be installed with it. Never rejects. */
export async function advisoriesOfPlugin(request: LookUpRequest, plugin: PlannedPackage): Promise<Advisories> {
  const signal = withTimeout(request.signal, LOOK_UP_MS)
  const { tree, ...given } = await resolvePlugin(request, plugin)
  return lookUp([tree], { ...given, signal })
}

/** Resolves what would be installed with a plugin. Never rejects. */
export async function resolvePlugin({ signal: given, documents, ...access }: LookUpRequest, plugin: PlannedPackage) {
  const registry = registryOf(access)
  const signal = withTimeout(given, RESOLVE_MS)
  const dependencies = await Dependencies.read({ directory: access.directory, registry, signal, documents })
  return { tree: await resolve(), registry, dependencies }

  async function resolve(): Promise<Tree> {
    if ('version' in plugin) return dependencies.resolve(plugin.name, plugin.version)
    const { name, manifest, reason } = plugin
    const answer = typeof manifest === 'string' ? await registry.file(manifest, { signal }) : null
    const read = answer === null ? manifest : answer.state === 'read' ? answer.document : null
    return dependencies.resolveManifest(name, read, reason)
  }
}

/**
 * Audits every package of a profile's lockfile. Asks each package's own registry, which the profile installs from.
 * Never rejects.
 *
 * @param lock a lockfile that is to be the profile's
 */
export async function advisoriesOfProfile({
  directory,
  env,
  signal,
  lock,
}: Access & { readonly lock?: Lockfile }): Promise<ProfileAdvisories> {
  const registry = new Registry(directory, env)
  const dependencies = await Dependencies.read({ directory, registry, signal, lock })
  const trees = await dependencies.locked()
  // A profile that never had a plugin has no lockfile.
  const manifest = trees === null ? await readManifest(directory) : null
  if (trees === null && (manifest === null || Object.keys(manifest.dependencies).length > 0))
    return { state: 'no-lockfile' }
  return {
    state: 'read',
    ...(await lookUp(trees ?? [], { registry, dependencies, signal })),
  }
}

async function lookUp(
  trees: readonly Tree[],
  {
    registry,
    dependencies,
    signal,
  }: { readonly registry: Registry; readonly dependencies: Dependencies; readonly signal: AbortSignal },
): Promise<Advisories> {
  const byRegistry = new Map<string, Map<string, Set<string>>>()
  for (const id of new Set(trees.flatMap(({ ways }) => [...ways.keys()]))) {
    const { name, version } = parsePackageId(id)
    if (version === null) continue
    const address = await registry.addressOf(name)
    const versions = byRegistry.get(address) ?? new Map<string, Set<string>>()
    byRegistry.set(address, versions.set(name, (versions.get(name) ?? new Set()).add(version)))
  }
  let asked = 0
  const unknown: Advisories['unknown'][number][] = []
  const known: KnownAdvisory[] = []
  for (const [address, versions] of byRegistry) {
    const lists = Object.fromEntries([...versions].map(([name, list]) => [name, [...list]]))
    const ids = Object.entries(lists).flatMap(([name, list]) => list.map((version) => `${name}@${version}`))
    const answer = await askTwice(() => registry.advisories(lists, { signal }))
    if (answer.state === 'read') {
      const unread = ids.filter((id) => isUnread(id, answer.document))
      asked += ids.length - unread.length
      known.push(...ids.flatMap((id) => advisoriesAbout(id, answer.document)))
      if (unread.length > 0) unknown.push({ ...namesOf(unread), host: hostOf(address), reason: 'unreadable' })
    } else {
      unknown.push({ ...namesOf(ids), host: hostOf(address), reason: reasonOf(answer.state, signal) })
    }
  }
  const others = new Map<UnknownReason, Set<string>>()
  for (const [reason, names] of trees.flatMap((tree) => [...tree.unknown]))
    others.set(reason, new Set([...(others.get(reason) ?? []), ...names]))
  for (const [reason, names] of others) unknown.push({ ...namesOf([...names]), host: null, reason })

  const found = trees.flatMap(({ ways }) =>
    known.flatMap(({ range, ...advisory }) => {
      const path = ways.get(advisory.package)
      return path ? { ...advisory, path, range } : []
    }),
  )
  const without = await findVersionsWithout(found, dependencies)
  const advisories = found.map(({ range: _, ...advisory }, index) => ({ ...advisory, without: without[index] ?? null }))
  return { asked, unknown, found: advisories.toSorted((a, b) => Number(b.isMalware) - Number(a.isMalware)) }
}

/** An advisory with the versions that it is about. */
type KnownAdvisory = Omit<Advisory, 'path' | 'without'> & { readonly range: string }

/** Returns true if there may be advisories about a package that cannot be read. @param id `name@version` */
function isUnread(id: string, answer: RegistryAdvisories): boolean {
  const { name } = parsePackageId(id)
  // A package that is not named has no advisories only if the answer is one.
  const lists = Object.hasOwn(answer, name) ? [answer[name]!] : Object.values(answer)
  return lists.some((list) => list.includes(null))
}

/** Returns the advisories about a version. @param id `name@version` */
function advisoriesAbout(id: string, answer: RegistryAdvisories): KnownAdvisory[] {
  const { name, version } = parsePackageId(id)
  const about = Object.hasOwn(answer, name) ? answer[name]! : []
  return about
    .filter((advisory) => advisory !== null)
    .filter(({ vulnerable_versions: range }) => isInRange(version ?? '', range))
    .map(({ title, severity, url, cwe = [], vulnerable_versions: range }) => ({
      package: id,
      title: title || url || id,
      severity,
      url,
      isMalware: cwe.includes(EMBEDDED_MALICE) || /^malware in /i.test(title),
      range,
    }))
}

/**
 * Reads ranges as `npm audit` does, but for those that it cannot read: nobody knows that the version is out of such a one.
 * Source: @npmcli/metavuln-calculator 10 and 20,000 generated ranges.
 */
function isInRange(version: string, text: string): boolean {
  // Some databases put commas between the parts of a range.
  const range = text.replaceAll(',', ' ')
  const options = { includePrerelease: true, loose: true }
  return validRange(range, options) === null || satisfies(version, range, options)
}

/** Finds for each advisory the newest version of its plugin, if that comes without it; null when this is not known. */
async function findVersionsWithout(
  found: readonly (KnownAdvisory & Pick<Advisory, 'path'>)[],
  dependencies: Dependencies,
): Promise<(string | null)[]> {
  const plugins = [...new Set(found.map(({ path }) => path[0] ?? ''))]
  const newer = await Promise.all(
    plugins.map((id) => {
      const { name, version } = parsePackageId(id)
      return version ? dependencies.resolveNewer(name, version) : null
    }),
  )
  return found.map(({ package: id, path, range }) => {
    const one = newer[plugins.indexOf(path[0] ?? '')]
    if (!one || (path.length > 1 && one.tree.unknown.size > 0)) return null
    const { name } = parsePackageId(id)
    const versions = [...one.tree.ways.keys()].map(parsePackageId).filter((other) => other.name === name)
    return versions.some(({ version }) => isInRange(version ?? '', range)) ? null : one.version
  })
}

const namesOf = (names: readonly string[]) => ({ packages: names.length, names })
const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host : address || null)

/** A registry that lacks the address has no advisories to ask for. */
function reasonOf(state: Exclude<Awaited<ReturnType<Registry['advisories']>>['state'], 'read'>, signal: AbortSignal) {
  if (signal.aborted) return 'too-slow'
  return state === 'not-found' ? 'no-advisories' : state
}

/** Says in the output of a job what could not be looked up before it. */
export const notLookedUp = (advisories: Advisories | null): string[] =>
  (advisories?.unknown ?? []).map(
    ({ names, packages, host, reason }) =>
      `Known problems of ${names.slice(0, MAX_NAMES).join(', ')}${packages > MAX_NAMES ? ' and others' : ''} could not be looked up${
        host === null ? '' : ` at ${host}`
      }: ${reason}.`,
  )
