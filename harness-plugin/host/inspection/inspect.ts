/** What a review tells of a package before the yes: its origin, and what it can do. */
import { createHash } from 'node:crypto'
import validRange from 'semver/ranges/valid.js'
import * as v from 'valibot'
import type { Ability, CodeReading, Inspection, Origin, OriginReport } from '../../protocol/inspection.ts'
import { withTimeout } from '../process/run.ts'
import { type PackageDocument, Registry } from '../registry/registry.ts'
import { findRefusals, type ReleaseAge } from '../releases/release-age.ts'
import type { DigestedFile } from './abilities.ts'
import { hasStatement, originOf, type PublishedVersion, publishedVersion, type RegistryKeys } from './origin.ts'
import { MAX_TARBALL_BYTES, type Reading, readPackages, verifyBuild } from './reading.ts'
import { readSource } from './source.ts'
import type { VerifiedBuild } from './statement.ts'

/** Time limit of the requests of one inspection or comparison, in ms. */
export const LIMIT_MS = 20_000
/** Names and places of one ability, and files that could not be read, that are told. */
const MAX_NAMES = 100
const MAX_PLACES = 20
const MAX_UNREAD = 100

export interface InspectionRequest {
  readonly name: string
  /** Version that an install takes; null for the registry's newest. */
  readonly version: string | null
  /** Installed version; null when there is none, or it is unknown. */
  readonly before: string | null
  /** Repository of the listing; empty when it is not listed. */
  readonly repoUrl: string
  /** Directory of the profile whose registries and proxies apply. */
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  /** Ends it, such as when the host closes. */
  readonly signal: AbortSignal
  /** Authorities whose statements about builds are trusted. @default those of Sigstore's public service */
  readonly trustedRoot?: unknown
  /** Reads which releases the profile's pnpm does not install. Never rejects. */
  readonly readAge: () => Promise<ReleaseAge | null>
  readonly now: () => number
}

/** Inspects a package of a registry. Nothing of it is written to the disk or run. Never rejects. */
export async function inspectPackage({
  name,
  before: installed,
  repoUrl,
  directory,
  env,
  ...given
}: InspectionRequest): Promise<Omit<Inspection, 'advisories'>> {
  const registry = new Registry(directory, env)
  const signal = limited(given.signal)
  const answer = await registry.package(name, { signal, withTimes: true })
  if (answer.state !== 'read')
    return {
      plugin: given.version === null ? name : `${name}@${given.version}`,
      before: null,
      code: { state: 'unknown', reason: answer.state === 'unchanged' ? 'unreadable' : answer.state },
      origin: null,
    }
  const { document } = answer
  const version = given.version ?? document.latest
  const before = installed !== version ? installed : null
  const [signed, code] = await Promise.all([
    readSigned(registry, document, { ...given, version, signal }),
    readCode(registry, document, { version, before, signal: given.signal }),
  ])
  const isRead = code.code.state === 'read'
  return {
    plugin: `${name}@${version}`,
    ...code,
    origin: { ...toOrigin(document, version, { before, repoUrl, isRead, ...signed }), source: null },
  }
}

/**
 * Reads where a package comes from, also how its files differ from those of its repository where no build service signed
 * them. Never rejects.
 */
export async function inspectOrigin({
  name,
  before: installed,
  repoUrl,
  directory,
  env,
  ...given
}: InspectionRequest): Promise<OriginReport> {
  const registry = new Registry(directory, env)
  const signal = limited(given.signal)
  const answer = await registry.package(name, { signal, withTimes: true })
  if (answer.state !== 'read') {
    const plugin = given.version === null ? name : `${name}@${given.version}`
    return { state: 'unknown', plugin, reason: answer.state === 'unchanged' ? 'unreadable' : answer.state }
  }
  const { document } = answer
  const version = given.version ?? document.latest
  const plugin = `${name}@${version}`
  const published = publishedVersion(document, version)
  if (published === null) return { state: 'unknown', plugin, reason: 'no-such-version' }
  const [signed, tarball] = await Promise.all([
    readSigned(registry, document, { ...given, version, signal }),
    requestTarball(registry, document, { version, signal }),
  ])
  const isRead = tarball.state === 'read'
  const before = installed !== version ? installed : null
  const origin = toOrigin(document, version, { before, repoUrl, isRead, ...signed })
  const report = (source: Origin['source']) => ({ state: 'read', plugin, origin: { ...origin, source } }) as const
  if (!isRead)
    return report({ state: 'unknown', reason: tarball.state === 'other-digest' ? 'other-digest' : 'not-read' })
  if (origin.build.state === 'signed') return report(null)
  return report(await readSource({ name, version, published, tarball: tarball.body, repoUrl, directory, env, signal }))
}

/** What was read of the origin of a version beyond its registry's document. */
interface Signed {
  readonly keys: RegistryKeys | null
  readonly build: VerifiedBuild
  readonly refusals: Origin['refusals']
}

/** Reads what is signed of a version, and if pnpm installs it. */
async function readSigned(
  registry: Registry,
  document: PackageDocument,
  { readAge, now, trustedRoot, ...given }: VersionRequest & Pick<InspectionRequest, 'readAge' | 'now' | 'trustedRoot'>,
): Promise<Signed> {
  const [age, keys, build] = await Promise.all([
    readAge(),
    requestKeys(registry, document, given),
    readBuild(registry, document, { ...given, trustedRoot }),
  ])
  return { keys, build, refusals: age === null ? [] : findRefusals(document, given.version, { age, now: now() }) }
}

const toOrigin = (
  document: PackageDocument,
  version: string,
  { refusals, ...given }: Parameters<typeof originOf>[2] & Signed,
) => ({ ...originOf(document, version, given), refusals })

interface VersionRequest {
  readonly version: string
  readonly signal: AbortSignal
}

/** Requests the keys that could have signed a version. @returns null when it has no signature */
async function requestKeys(
  registry: Registry,
  document: PackageDocument,
  { version, signal }: VersionRequest,
): Promise<RegistryKeys | null> {
  if (!publishedVersion(document, version)?.dist.signatures.length) return null
  const answer = await registry.keys(document.name, { signal })
  if (answer.state === 'read') return { state: 'read', keys: answer.document.keys }
  return { state: answer.state === 'unchanged' ? 'unreadable' : answer.state }
}

/** Verifies who built a version. Asks the registry only where it names a statement of that. */
async function readBuild(
  registry: Registry,
  document: PackageDocument,
  { version, signal, trustedRoot }: VersionRequest & { readonly trustedRoot: unknown },
): Promise<VerifiedBuild> {
  const unknown = (reason: (VerifiedBuild & { readonly state: 'unknown' })['reason']) =>
    ({ state: 'unknown', reason }) as const
  const published = publishedVersion(document, version)
  if (published === null || !hasStatement(published)) return unknown('none')
  // With several digests it would not be known which one the package manager compares.
  const digest = /^sha512-([\w+/]+={0,2})$/.exec(published.dist.integrity ?? '')?.[1]
  if (digest === undefined) return unknown('not-read')
  const { name } = document
  const answer = await registry.attestations(name, version, { signal })
  if (answer.state !== 'read') return unknown(answer.state === 'unchanged' ? 'unreadable' : answer.state)
  const stated = { name, version, sha512: Buffer.from(digest, 'base64').toString('hex') }
  return verifyBuild({ answer: answer.document, stated, trustedRoot }, { signal })
}

/** Returns a signal that also ends requests that take too long. */
const limited = (signal: AbortSignal): AbortSignal => withTimeout(signal, LIMIT_MS)

/** Reads the code of a version, and what it gains over the one before where that can be read too. */
async function readCode(
  registry: Registry,
  document: PackageDocument,
  {
    version,
    before,
    signal,
  }: { readonly version: string; readonly before: string | null; readonly signal: AbortSignal },
): Promise<Pick<Inspection, 'before' | 'code'>> {
  const versions = before === null ? [version] : [version, before]
  const request = { signal: limited(signal) }
  const tarballs = await Promise.all(
    versions.map((one) => requestTarball(registry, document, { version: one, ...request })),
  )
  const bytes = tarballs.flatMap((tarball) => (tarball.state === 'read' ? [tarball.body] : []))
  const readings = await readPackages(bytes, { signal })
  const read = (index: number): Reading | Exclude<(typeof tarballs)[number], { readonly state: 'read' }> => {
    const tarball = tarballs[index]
    if (tarball === undefined) return { state: 'failed' }
    return tarball.state === 'read' ? (readings[bytes.indexOf(tarball.body)] ?? { state: 'failed' }) : tarball
  }
  const code = read(0)
  if (!('abilities' in code)) return { before: null, code: { state: 'unknown', reason: code.state } }
  const now = withRegistryManifest(code, document.versions[version])
  const old = before === null ? null : read(1)
  if (old === null || !('abilities' in old)) return { before: null, code: toCode(now, null) }
  return { before, code: toCode(now, withRegistryManifest(old, document.versions[versions[1]!])) }
}

const Values = v.optional(v.fallback(v.record(v.string(), v.unknown()), {}), {})
const RegistryManifestSchema = v.fallback(
  v.object({ dependencies: Values, optionalDependencies: Values, hasInstallScript: v.optional(v.unknown()) }),
  { dependencies: {}, optionalDependencies: {} },
)

export type ReadCode = Omit<Reading & { readonly state: 'read' }, 'state'>

/** Returns what clients get of a reading: all of it, or what it has beyond an older one. */
export function toCode(now: ReadCode, before: ReadCode | null): CodeReading {
  return published(before === null ? now : gainedCode(now, before))
}

const published = ({ abilities, unread }: Pick<ReadCode, 'abilities' | 'unread'>): CodeReading => ({
  state: 'read',
  abilities: abilities.map((ability) => {
    // One line can have several names.
    const places = new Map(ability.places.map(({ file, line }) => [`${line} ${file}`, { file, line }]))
    return {
      ...ability,
      names: ability.names.slice(0, MAX_NAMES),
      more: ability.more || ability.names.length > MAX_NAMES,
      places: [...places.values()].slice(0, MAX_PLACES),
    }
  }),
  unread: unread.slice(0, MAX_UNREAD).map(({ file, reason }) => ({ file, reason })),
})

/**
 * Returns the part of a reading that an older one does not have. Where that has no ability, it still has each file that
 * may do something else than before.
 */
function gainedCode(now: ReadCode, before: ReadCode): Pick<ReadCode, 'abilities' | 'unread'> {
  const abilities = now.abilities.flatMap((ability) => {
    const old = before.abilities.find(({ kind }) => kind === ability.kind)
    if (old === undefined) return [ability]
    // The same command runs other files.
    const known = new Set(
      old.names
        .filter((name) => ability.kind !== 'install-scripts' || now.scripts[name] === before.scripts[name])
        .map((name) => subject(ability.kind, name)),
    )
    const names = ability.names.filter((name) => !known.has(subject(ability.kind, name)))
    const more = ability.more && !old.more
    return names.length > 0 || more ? [{ ...ability, names, more, places: placesOf(ability, names, more) }] : []
  })
  const same = new Set([...before.unread, ...before.opaque].map(keyOf))
  const changed = [...now.unread, ...now.opaque].filter((one) => !same.has(keyOf(one)))
  // What these run may be new although they are not, and nobody can see it.
  const choosing = now.opaque.filter((one) => one.reason === 'chooses-code' && !changed.includes(one))
  // A file that is only changed says nothing beside what is new.
  const unread = abilities.length > 0 ? changed.filter(({ reason }) => reason !== 'changed') : [...changed, ...choosing]
  return { abilities, unread }
}

const keyOf = ({ file, reason, digest }: DigestedFile): string => [reason, digest, file].join(' ')

/** Adds what the registry's manifest has beyond the package's own, which the package manager installs as well. */
function withRegistryManifest(code: ReadCode, manifest: unknown): ReadCode {
  const { dependencies, optionalDependencies, hasInstallScript } = v.parse(RegistryManifestSchema, manifest)
  const own = code.abilities.find(({ kind }) => kind === 'dependency')
  const known = new Set(own?.names)
  const others = Object.entries({ ...dependencies, ...optionalDependencies })
    .map(([name, range]) => `${name} ${String(range)}`)
    .filter((name) => !known.has(name))
  const hidesScript = hasInstallScript === true && !code.abilities.some(({ kind }) => kind === 'install-scripts')
  // Of a longer list not all names are known.
  if (own?.more || (others.length === 0 && !hidesScript)) return code
  const names = [...(own?.names ?? []), ...others].toSorted()
  return {
    ...code,
    abilities: [
      ...code.abilities.filter((one) => one !== own),
      ...(names.length > 0 ? [{ kind: 'dependency' as const, names, more: false, places: [] }] : []),
    ],
    unread: [...code.unread, { file: 'package.json', reason: 'other-manifest', digest: others.join() }],
  }
}

/** Returns what a name is about: of a dependency its package, as another version of it is no other package. */
function subject(kind: Ability['kind'], name: string): string {
  const [, dependency, range] = (kind === 'dependency' && /^(\S+) (.*)$/.exec(name)) || []
  return dependency && validRange(range) !== null ? dependency : name
}

/** Returns the places of the names that are left, or of what has no name. */
function placesOf({ places }: ReadCode['abilities'][number], names: readonly string[], more: boolean) {
  const known = new Set(names)
  return places.filter(({ name }) => (name === null ? more : known.has(name)))
}

/** Compares a tarball with the strongest digest that the registry gives, as the package manager does. */
function compareDigest(tarball: Buffer, { integrity, shasum }: PublishedVersion['dist']): 'same' | DigestProblem {
  const given = integrity?.split(/\s+/) ?? (shasum ? [`sha1-${Buffer.from(shasum, 'hex').toString('base64')}`] : [])
  const algorithm = ['sha512', 'sha384', 'sha256', 'sha1'].find((name) =>
    given.some((one) => one.startsWith(`${name}-`)),
  )
  if (algorithm === undefined) return 'no-digest'
  const digest = `${algorithm}-${createHash(algorithm).update(tarball).digest('base64')}`
  return given.some((one) => one.replace(/\?.*/, '') === digest) ? 'same' : 'other-digest'
}
type DigestProblem = 'no-digest' | 'other-digest'

/** Requests the tarball of a version. @returns its bytes only if they are those that the registry describes */
export async function requestTarball(
  registry: Registry,
  document: PackageDocument,
  { version, signal }: { readonly version: string; readonly signal: AbortSignal },
) {
  const published = publishedVersion(document, version)
  if (published === null) return { state: 'no-such-version' } as const
  const { tarball } = published.dist
  if (tarball === null || !/^https?:\/\//.test(tarball)) return { state: 'unreadable' } as const
  const options = { accept: '*/*', isRegistry: true, signal, maxBytes: MAX_TARBALL_BYTES, isAsSent: true }
  const answer = await registry.request(tarball, options)
  if (answer.state === 'unchanged') return { state: 'unreadable' } as const
  if (answer.state !== 'read') return answer
  const digest = compareDigest(answer.body, published.dist)
  return digest === 'same' ? answer : ({ state: digest } as const)
}
