/** The origin of a package: its registry's signature, its build, its publisher, its repository, its release. */
import { createPublicKey, verify } from 'node:crypto'
import type { Origin } from '../../protocol/inspection.ts'
import type { ReadProblem } from '../../protocol/package-facts.ts'
import {
  type PackageDocument,
  type PublishedVersion,
  publishedVersion,
  type RegistryKey,
} from '../registry/registry.ts'
import { findRefusals, type ReleaseAge } from '../releases/pick-version.ts'
import { hasPast } from './past.ts'
import {
  type OpenedPackage,
  type PackageRequest,
  repositoryAddress,
  type requestTarball,
  versionBefore,
} from './registry-package.ts'
import type { VerifiedBuild } from './statement.ts'
import { verifyBuild } from './workers.ts'

export interface OriginRequest extends PackageRequest {
  /** Installed version; null when there is none, or it is unknown. */
  readonly before: string | null
  /** Repository of the listing; empty when it is not listed. */
  readonly repoUrl: string
  /** Authorities whose statements about builds are trusted. @default those of Sigstore's public service */
  readonly trustedRoot?: unknown
  /** Reads which releases the profile's pnpm does not install. Never rejects. */
  readonly readAge: () => Promise<ReleaseAge | null>
  readonly now: () => number
}

/**
 * Reads what the registry and the profile's pnpm say of the origin of a version.
 *
 * @param tarball its tarball, as far as it is the one that the registry describes
 */
export async function readOrigin(
  opened: OpenedPackage,
  { repoUrl, readAge, now, signal, trustedRoot, ...given }: OriginRequest,
  tarball: ReturnType<typeof requestTarball>,
): Promise<Origin> {
  const { document, version } = opened
  const [age, keys, build, { state }] = await Promise.all([
    readAge(),
    requestKeys(opened, signal),
    readBuild(opened, { trustedRoot, signal }),
    tarball,
  ])
  const before = given.before === version ? null : given.before
  return {
    ...originOf(document, version, { before, repoUrl, keys, build, isRead: state === 'read' }),
    refusals: age && findRefusals(document, version, { age, now: now() }),
  }
}

/** Requests the keys that could have signed a version. @returns null when it has no signature */
async function requestKeys({ registry, document, version }: OpenedPackage, signal: AbortSignal) {
  if (!publishedVersion(document, version)?.dist.signatures.length) return null
  const answer = await registry.keys(document.name, { signal })
  return answer.state === 'read' ? { state: answer.state, keys: answer.document.keys } : answer
}

/** Verifies who built a version. Asks the registry only where it names a statement of that. */
async function readBuild(
  { registry, document: { name }, document, version }: OpenedPackage,
  { trustedRoot, signal }: Pick<OriginRequest, 'trustedRoot' | 'signal'>,
): Promise<VerifiedBuild> {
  const published = publishedVersion(document, version)
  if (!hasStatement(published)) return { state: 'unknown', reason: 'none' }
  // With several digests it would not be known which one the package manager compares.
  const digest = /^sha512-([\w+/]+={0,2})$/.exec(published?.dist.integrity ?? '')?.[1]
  if (digest === undefined) return NOT_READ
  const answer = await registry.attestations(name, version, { signal })
  if (answer.state !== 'read') return { state: 'unknown', reason: answer.state }
  const stated = { name, version, sha512: Buffer.from(digest, 'base64').toString('hex') }
  return verifyBuild({ answer: answer.document, stated, trustedRoot }, { signal })
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
): Omit<Origin, 'refusals'> {
  const published = publishedVersion(document, version)
  const time = Date.parse(document.times[version] ?? '')
  const signature = signatureOf(document.name, version, { published, keys: given.keys, time })
  const [named, listed] = [repositoryAddress(published?.repository.url ?? ''), repositoryAddress(given.repoUrl)]
  const before = given.before !== null && hasPast(given.before, version) ? given.before : null
  const isCompared =
    before !== null && repositoryAddress(publishedVersion(document, before)?.repository.url ?? '') !== null
  return {
    signature: given.isRead || signature.state !== 'valid' ? signature : NOT_READ,
    build: given.isRead || given.build.state !== 'signed' ? withListing(given.build, listed) : NOT_READ,
    publishedAt: Number.isNaN(time) ? null : new Date(time).toISOString(),
    publisher: published?._npmUser.name ?? null,
    otherRepository: !isCompared && named !== null && listed !== null && named !== listed ? named : null,
    lostBuildStatement: lostStatement(document, version, given.before),
  }
}

const NOT_READ = { state: 'unknown', reason: 'not-read' } as const

/** Says if a build was of the repository of the listing. */
const withListing = (build: VerifiedBuild, listed: string | null): Origin['build'] =>
  build.state === 'signed'
    ? { ...build, isListed: listed === null ? null : repositoryAddress(`https://${build.repository}`) === listed }
    : build

/** Returns the version whose build the registry has a statement of, where it has none of this one. */
function lostStatement(document: PackageDocument, version: string, installed: string | null): string | null {
  const before = installed ?? versionBefore(document, version)
  const isStated = (one: string) => hasStatement(publishedVersion(document, one))
  if (before === null || publishedVersion(document, version) === null || isStated(version)) return null
  return isStated(before) ? before : null
}

/** Returns true if the registry names a statement of how a version was built. */
const hasStatement = (version: PublishedVersion | null): boolean =>
  version !== null && version.dist.attestations !== null

/** Keys of a registry, or why they could not be read. */
type RegistryKeys = { readonly state: 'read'; readonly keys: readonly RegistryKey[] } | { readonly state: ReadProblem }

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
