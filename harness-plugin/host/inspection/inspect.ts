/** What a review tells of a package before the yes: its origin, what it can do, and what is known against it. */
import type { Advisory, CodeReading, Inspection } from '../../protocol/inspection.ts'
import { type PackageDocument, Registry } from '../registry/registry.ts'
import { toAdvisories } from './advisories.ts'
import { gainedCode } from './differences.ts'
import { originOf, publishedVersion } from './origin.ts'
import { MAX_TARBALL_BYTES, type Reading, readPackages } from './reading.ts'

/** Time limit of all requests of one inspection, in ms. */
const LIMIT_MS = 20_000

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
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Inspects a package of a registry. Nothing of it is written to the disk or run. Never rejects. */
export async function inspectPackage({
  name,
  before: installed,
  repoUrl,
  directory,
  env,
  ...given
}: InspectionRequest): Promise<Inspection> {
  const registry = new Registry(directory, env)
  const signal = AbortSignal.timeout(LIMIT_MS)
  const answer = await registry.package(name, { signal, withTimes: true })
  if (answer.state !== 'read')
    return {
      plugin: given.version === null ? name : `${name}@${given.version}`,
      before: null,
      code: { state: 'unknown', reason: answer.state === 'unchanged' ? 'unreadable' : answer.state },
      origin: null,
      advisories: null,
    }
  const { document } = answer
  const version = given.version ?? document.latest
  const before = installed !== version ? installed : null
  const [keys, advisories, code] = await Promise.all([
    publishedVersion(document, version)?.dist.signatures.length ? registry.keys(name, { signal }) : null,
    requestAdvisories(registry, { name, version, signal }),
    readCode(registry, document, { version, before, signal }),
  ])
  const keyList = keys?.state === 'read' ? keys.document.keys : null
  return {
    plugin: `${name}@${version}`,
    ...code,
    origin: originOf(document, version, { before, repoUrl, keys: keyList }),
    advisories,
  }
}

async function requestAdvisories(
  registry: Registry,
  { name, version, signal }: { readonly name: string; readonly version: string; readonly signal: AbortSignal },
): Promise<Advisory[] | null> {
  const answer = await registry.advisories({ [name]: [version] }, { signal })
  return answer.state === 'read' ? toAdvisories(answer.document, { [name]: [version] }) : null
}

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
  const tarballs = await Promise.all(
    versions.map((one) => requestTarball(registry, document, { version: one, signal })),
  )
  const bytes = tarballs.flatMap((tarball) => (tarball.state === 'read' ? [tarball.body] : []))
  const readings = await readPackages(bytes)
  const read = (index: number): CodeReading | Reading => {
    const tarball = tarballs[index]
    if (tarball === undefined) return { state: 'failed' }
    if (tarball.state !== 'read') return { state: 'unknown', reason: tarball.state }
    const reading = readings[bytes.indexOf(tarball.body)] ?? { state: 'failed' }
    const published = publishedVersion(document, versions[index]!)
    return reading.state === 'read' && !hasDigest(reading, published?.dist)
      ? { state: 'unknown', reason: 'other-digest' }
      : reading
  }
  const code = read(0)
  if (code.state === 'unknown') return { before: null, code }
  if (code.state !== 'read') return { before: null, code: { state: 'unknown', reason: code.state } }
  const { abilities, unread } = code
  const old = before === null ? null : read(1)
  if (old?.state !== 'read') return { before: null, code: { state: 'read', abilities, unread } }
  return { before, code: { state: 'read', ...gainedCode({ abilities, unread }, old) } }
}

/** Returns true unless the registry gives a digest that is not that of the tarball. */
function hasDigest(
  { sha512, sha1 }: Reading & { readonly state: 'read' },
  dist: { readonly integrity: string | null; readonly shasum: string | null } | undefined,
): boolean {
  const digests = dist?.integrity?.split(/\s+/).filter((digest) => digest.startsWith('sha512-')) ?? []
  return digests.length > 0 ? digests.includes(sha512) : !dist?.shasum || dist.shasum === sha1
}

async function requestTarball(
  registry: Registry,
  document: PackageDocument,
  { version, signal }: { readonly version: string; readonly signal: AbortSignal },
) {
  const published = publishedVersion(document, version)
  if (published === null) return { state: 'no-such-version' } as const
  const { tarball } = published.dist
  if (tarball === null || !/^https?:\/\//.test(tarball)) return { state: 'unreadable' } as const
  const options = { accept: '*/*', isRegistry: true, signal, maxBytes: MAX_TARBALL_BYTES }
  const answer = await registry.request(tarball, options)
  return answer.state === 'unchanged' ? ({ state: 'unreadable' } as const) : answer
}
