/** Where a package comes from: its registry's signature, its publisher, its repository, the time of its release. */
import { createPublicKey, verify } from 'node:crypto'
import * as v from 'valibot'
import type { Origin } from '../../protocol/inspection.ts'
import type { PackageDocument, RegistryKey } from '../registry/registry.ts'

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
      v.string(),
      v.pipe(
        v.object({ url: v.string() }),
        v.transform(({ url }) => url),
      ),
    ]),
    '',
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
 * @param given.keys keys of the registry; null when it gives none
 * @param given.isRead true if the tarball is the one that the registry describes; its signature says nothing otherwise
 */
export function originOf(
  document: PackageDocument,
  version: string,
  given: {
    readonly before: string | null
    readonly repoUrl: string
    readonly keys: readonly RegistryKey[] | null
    readonly isRead: boolean
  },
): Origin {
  const published = publishedVersion(document, version)
  const before = given.before === null ? null : publishedVersion(document, given.before)
  const publisher = published?._npmUser.name ?? null
  const publisherBefore = before?._npmUser.name ?? null
  const time = Date.parse(document.times[version] ?? '')
  const signature = published === null ? 'unknown' : signatureOf(document.name, version, published, given.keys, time)
  // The package's own build service publishes now: its owner has told the registry so.
  const isSamePublisher = publisherBefore === publisher || published?._npmUser.trustedPublisher != null
  const [named, listed] = [repositoryOf(published?.repository ?? ''), repositoryOf(given.repoUrl)]
  return {
    signature: signature === 'valid' && !given.isRead ? 'unknown' : signature,
    publishedAt: Number.isNaN(time) ? null : new Date(time).toISOString(),
    publisher,
    publisherBefore: publisher !== null && !isSamePublisher ? publisherBefore : null,
    otherRepository: named !== null && listed !== null && named !== listed ? named : null,
    lostBuildStatement: published !== null && hasStatement(before) && !hasStatement(published),
  }
}

const hasStatement = (version: PublishedVersion | null) => version !== null && version.dist.attestations !== null

/** Verifies the registry's signature of a version. Source of the signed text: the registry's documentation. */
function signatureOf(
  name: string,
  version: string,
  { dist }: PublishedVersion,
  keys: readonly RegistryKey[] | null,
  time: number,
): Origin['signature'] {
  if (dist.integrity === null) return 'unknown'
  const signed = Buffer.from(`${name}@${version}:${dist.integrity}`)
  const known = dist.signatures.flatMap(({ keyid, sig }) =>
    (keys ?? [])
      .filter((key) => key.keyid === keyid && isInUse(key, time))
      .map(({ key }) => isSigned(signed, key, sig)),
  )
  if (known.includes(true)) return 'valid'
  return known.includes(false) ? 'wrong' : 'unknown'
}

/** Returns true if versions that were published at a time may be signed with a key. @param time in ms; NaN if unknown */
function isInUse({ scheme, expires }: RegistryKey, time: number): boolean {
  if (scheme !== null && scheme !== 'ecdsa-sha2-nistp256') return false
  return expires === null || time < Date.parse(expires)
}

/** Returns null for a key that cannot be read. */
function isSigned(signed: Buffer, key: string, signature: string): boolean | null {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
    return verify('sha256', signed, publicKey, Buffer.from(signature, 'base64'))
  } catch {
    return null
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
