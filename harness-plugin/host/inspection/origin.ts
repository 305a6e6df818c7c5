/** Where a package comes from: its registry's signature, its build, its publisher, its repository, its release. */
import { createPublicKey, verify } from 'node:crypto'
import lt from 'semver/functions/lt.js'
import rcompare from 'semver/functions/rcompare.js'
import valid from 'semver/functions/valid.js'
import * as v from 'valibot'
import type { Origin } from '../../protocol/inspection.ts'
import type { ReadProblem } from '../../protocol/package-facts.ts'
import type { PackageDocument, RegistryKey } from '../registry/registry.ts'
import type { VerifiedBuild } from './statement.ts'

const text = v.fallback(v.nullable(v.string()), null)
const VersionSchema = v.object({
  dist: v.fallback(
    v.object({
      tarball: text,
      integrity: text,
      shasum: text,
      signatures: v.fallback(v.array(v.object({ keyid: v.string(), sig: v.string() })), []),
      attestations: v.optional(v.unknown(), null),
    }),
    { tarball: null, integrity: null, shasum: null, signatures: [], attestations: null },
  ),
  gitHead: text,
  _npmUser: v.fallback(v.object({ name: text, trustedPublisher: v.optional(v.unknown(), null) }), {
    name: null,
    trustedPublisher: null,
  }),
  repository: v.fallback(
    v.union([
      v.pipe(
        v.string(),
        v.transform((url) => ({ url, directory: '' })),
      ),
      v.object({ url: v.string(), directory: v.fallback(v.string(), '') }),
    ]),
    { url: '', directory: '' },
  ),
})
/** What a registry says of one version. Mirrors leave out parts of it. */
export type PublishedVersion = v.InferOutput<typeof VersionSchema>

/** Returns what a registry says of a version; null if it does not have it. */
export function publishedVersion({ versions }: PackageDocument, version: string): PublishedVersion | null {
  return Object.hasOwn(versions, version) ? v.parse(VersionSchema, versions[version]) : null
}

/**
 * Returns the origin of a version.
 *
 * @param given.before installed version; null when there is none
 * @param given.repoUrl repository of the listing; empty when it is not listed
 * @param given.keys keys of the registry; null when it was not asked
 * @param given.build what was verified of its build
 * @param given.isRead true if the tarball is the one that the registry describes; what was signed says nothing otherwise
 */
export function originOf(
  document: PackageDocument,
  version: string,
  given: {
    readonly before: string | null
    readonly repoUrl: string
    readonly keys: RegistryKeys | null
    readonly build: VerifiedBuild
    readonly isRead: boolean
  },
): Omit<Origin, 'refusals' | 'source'> {
  const published = publishedVersion(document, version)
  const before = given.before === null ? null : publishedVersion(document, given.before)
  const publisher = published?._npmUser.name ?? null
  const publisherBefore = before?._npmUser.name ?? null
  const time = Date.parse(document.times[version] ?? '')
  const signature = signatureOf(document.name, version, { published, keys: given.keys, time })
  // The package's own build service publishes now: its owner has told the registry so.
  const isSamePublisher = publisherBefore === publisher || published?._npmUser.trustedPublisher != null
  const [named, listed] = [repositoryOf(published?.repository.url ?? ''), repositoryOf(given.repoUrl)]
  return {
    signature: given.isRead || signature.state !== 'valid' ? signature : NOT_READ,
    build: given.isRead || given.build.state !== 'signed' ? withListing(given.build, listed) : NOT_READ,
    publishedAt: Number.isNaN(time) ? null : new Date(time).toISOString(),
    publisher,
    publisherBefore: publisher !== null && !isSamePublisher ? publisherBefore : null,
    otherRepository: named !== null && listed !== null && named !== listed ? named : null,
    lostBuildStatement: lostStatement(document, version, given.before),
  }
}

const NOT_READ = { state: 'unknown', reason: 'not-read' } as const

/** Says if a build was of the repository of the listing. */
const withListing = (build: VerifiedBuild, listed: string | null): Origin['build'] =>
  build.state === 'signed'
    ? { ...build, isListed: listed === null ? null : repositoryOf(`https://${build.repository}`) === listed }
    : build

/** Returns the version whose build the registry has a statement of, where it has none of this one. */
function lostStatement(document: PackageDocument, version: string, installed: string | null): string | null {
  const before = installed ?? versionBefore(document, version)
  const isStated = (one: string) => hasStatement(publishedVersion(document, one))
  if (before === null || publishedVersion(document, version) === null || isStated(version)) return null
  return isStated(before) ? before : null
}

/** Returns the newest version that is older than another; null when there is none. */
export function versionBefore({ versions }: PackageDocument, after: string): string | null {
  const older = Object.keys(versions).filter((version) => valid(version) && valid(after) && lt(version, after))
  return older.toSorted(rcompare)[0] ?? null
}

/** Returns true if the registry names a statement of how a version was built. */
export const hasStatement = (version: PublishedVersion | null): boolean =>
  version !== null && version.dist.attestations !== null

/** Keys of a registry, or why they could not be read. */
export type RegistryKeys =
  | { readonly state: 'read'; readonly keys: readonly RegistryKey[] }
  | { readonly state: ReadProblem }

/** Verifies the registry's signature of a version. Source of the signed text: the registry's documentation. */
function signatureOf(
  name: string,
  version: string,
  {
    published,
    keys,
    time,
  }: { readonly published: PublishedVersion | null; readonly keys: RegistryKeys | null; readonly time: number },
): Origin['signature'] {
  const { integrity = null, signatures = [] } = published?.dist ?? {}
  if (integrity === null || signatures.length === 0 || keys === null)
    return { state: 'unknown', reason: 'no-signature' }
  if (keys.state === 'not-found') return { state: 'unknown', reason: 'no-keys' }
  if (keys.state !== 'read') return { state: 'unknown', reason: keys.state }
  const signed = Buffer.from(`${name}@${version}:${integrity}`)
  const tried = signatures.flatMap(({ keyid, sig }) =>
    keys.keys.filter((key) => key.keyid === keyid).map((key) => trySignature(signed, sig, key, time)),
  )
  if (tried.includes('valid')) return { state: 'valid' }
  if (tried.includes('wrong')) return { state: 'wrong' }
  return {
    state: 'unknown',
    reason: tried.includes('expired-key') ? 'expired-key' : tried.length > 0 ? 'unusable-key' : 'unknown-key',
  }
}

/** @param time time of the release in ms; NaN when it is unknown */
function trySignature(
  signed: Buffer,
  signature: string,
  { key, scheme, expires }: RegistryKey,
  time: number,
): 'valid' | 'wrong' | 'expired-key' | 'unusable-key' {
  if (scheme !== null && scheme !== 'ecdsa-sha2-nistp256') return 'unusable-key'
  if (expires !== null && !(time < Date.parse(expires))) return 'expired-key'
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
    return verify('sha256', signed, publicKey, Buffer.from(signature, 'base64')) ? 'valid' : 'wrong'
  } catch {
    return 'unusable-key'
  }
}

/** Returns the address of a repository in one form: `github.com/owner/name`; null for anything else. */
export function repositoryOf(address: string): string | null {
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+?)(?:\.git)?(?:#.*)?$/.exec(address)
  if (short) return `github.com/${short[1]}`.toLowerCase()
  const url =
    /^(?:git\+)?(?:https?|git|ssh):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d+)?[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?(?:[/#?].*)?$/.exec(
      address,
    )
  return url ? `${url[1]}/${url[2]}`.toLowerCase() : null
}
