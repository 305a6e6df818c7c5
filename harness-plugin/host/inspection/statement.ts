/** Verifies who built a package: the statement of its build service, which Sigstore signed. Verified in the worker, offline. */
import { type Bundle, bundleFromJSON, type SerializedBundle } from '@sigstore/bundle'
import type { X509Certificate } from '@sigstore/core'
import { TrustedRoot } from '@sigstore/protobuf-specs'
import {
  type SignedEntity,
  type TrustMaterial,
  toSignedEntity,
  toTrustMaterial,
  VerificationError,
  Verifier,
} from '@sigstore/verify'
import * as v from 'valibot'
import type { Origin } from '../../protocol/inspection.ts'
import { isCommit } from '../../protocol/package-id.ts'
import publicRoot from './sigstore-root.json' with { type: 'json' }

/** Statements that are verified; a registry has one for a version. */
const MAX_STATEMENTS = 4
const PROVENANCE = 'https://slsa.dev/provenance/'

/** Build services whose certificates name a repository, with the start of its address. */
const BUILD_SERVICES: Readonly<Record<string, string>> = {
  'https://token.actions.githubusercontent.com': 'https://github.com/',
  'https://gitlab.com': 'https://gitlab.com/',
}
/** Fields of a certificate. Source: Fulcio's documentation of its object identifiers, 2023 and 2024. */
const FIELDS = {
  issuer: '1.3.6.1.4.1.57264.1.8',
  repository: '1.3.6.1.4.1.57264.1.12',
  commit: '1.3.6.1.4.1.57264.1.13',
} as const
/** Fields of certificates until 2023, whose values are plain text. */
const OLD_FIELDS = {
  issuer: '1.3.6.1.4.1.57264.1.1',
  repository: '1.3.6.1.4.1.57264.1.5',
  commit: '1.3.6.1.4.1.57264.1.3',
} as const

const AnswerSchema = v.object({
  attestations: v.array(v.object({ predicateType: v.string(), bundle: v.record(v.string(), v.unknown()) })),
})
const StatementSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    predicateType: v.string(),
    subject: v.array(v.object({ name: v.string(), digest: v.object({ sha512: v.string() }) })),
  }),
)

/** Package that a statement must be about. */
export interface StatedPackage {
  readonly name: string
  readonly version: string
  /** SHA-512 of its tarball, in hexadecimal digits. */
  readonly sha512: string
}

/** A build before its repository is compared with that of the listing. */
export type VerifiedBuild =
  | { readonly state: 'signed'; readonly repository: string; readonly commit: string | null }
  | Exclude<Origin['build'], { readonly state: 'signed' }>

type UnknownReason = (Origin['build'] & { readonly state: 'unknown' })['reason']
const unknown = (reason: UnknownReason): VerifiedBuild => ({ state: 'unknown', reason })

/**
 * Verifies what a registry answers about the build of a package.
 *
 * @param answer the registry's JSON, of any form
 * @param root keys and authorities to trust, as Sigstore publishes them. @default those of its public service
 */
export function verifyBuild(answer: unknown, stated: StatedPackage, root: unknown = publicRoot): VerifiedBuild {
  const read = v.safeParse(AnswerSchema, answer)
  if (!read.success) return unknown('unreadable')
  const material = toTrustMaterial(TrustedRoot.fromJSON(root))
  const builds = read.output.attestations
    .filter(({ predicateType }) => predicateType.startsWith(PROVENANCE))
    .slice(0, MAX_STATEMENTS)
    .map(({ bundle }) => verifyBundle(bundle, stated, material))
  return (
    builds.find(({ state }) => state === 'wrong') ??
    builds.find(({ state }) => state === 'signed') ??
    builds[0] ??
    unknown('none')
  )
}

function verifyBundle(serialized: unknown, stated: StatedPackage, material: TrustMaterial): VerifiedBuild {
  let bundle: Bundle
  let entity: SignedEntity
  try {
    bundle = bundleFromJSON(serialized as SerializedBundle)
    entity = toSignedEntity(bundle)
    if (bundle.content.$case !== 'dsseEnvelope' || entity.key.$case !== 'certificate') return unknown('unknown-signer')
    if (!isKnownSigner(entity, entity.key.certificate, material)) return unknown('unknown-signer')
  } catch {
    return unknown('unreadable')
  }
  try {
    new Verifier(material).verify(entity)
  } catch (error) {
    if (!(error instanceof VerificationError)) return unknown('unreadable')
    // Without a time that can be checked, nothing else can be.
    if (error.code === 'TIMESTAMP_ERROR' || error.code === 'NOT_IMPLEMENTED_ERROR') return unknown('unknown-signer')
    return { state: 'wrong', reason: 'other-signature' }
  }
  const builder = builderOf(entity.key.certificate)
  if (builder === null) return unknown('unknown-signer')
  const { payload } = bundle.content.dsseEnvelope
  const statement = v.safeParse(StatementSchema, payload.toString('utf8'))
  const isAbout =
    statement.success &&
    statement.output.predicateType.startsWith(PROVENANCE) &&
    statement.output.subject.some(
      ({ name, digest }) => name === packageUrl(stated) && digest.sha512.toLowerCase() === stated.sha512,
    )
  return isAbout ? { state: 'signed', ...builder } : { state: 'wrong', reason: 'other-package' }
}

/** Returns the name of a package in a statement. Source: the specification of package URLs. */
const packageUrl = ({ name, version }: StatedPackage): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/**
 * Returns true if the authorities that a statement names are among those to trust: others may be newer than this list, so
 * that their signatures are neither right nor wrong.
 */
function isKnownSigner(entity: SignedEntity, certificate: X509Certificate, material: TrustMaterial): boolean {
  const { certificateAuthorities, ctlogs, tlogs } = material
  const keyId = certificate.extAuthorityKeyID?.keyIdentifier
  const isIssuer = ({ subject, extSubjectKeyID }: X509Certificate) =>
    subject.equals(certificate.issuer) && (!keyId || !extSubjectKeyID || extSubjectKeyID.keyIdentifier.equals(keyId))
  const isLog = (logs: TrustMaterial['tlogs'], id: Buffer | undefined) => logs.some(({ logID }) => id?.equals(logID))
  return (
    certificateAuthorities.some(({ certChain }) => certChain.some(isIssuer)) &&
    (certificate.extSCT?.signedCertificateTimestamps ?? []).every(({ logID }) => isLog(ctlogs, logID)) &&
    entity.tlogEntries.every(({ logId }) => isLog(tlogs, logId?.keyId))
  )
}

/** Returns the repository and the commit that a build service was running for; null for any other signer. */
function builderOf(
  certificate: X509Certificate,
): { readonly repository: string; readonly commit: string | null } | null {
  const field = (name: keyof typeof FIELDS): string | null =>
    certificate.extension(FIELDS[name])?.valueObj.subs[0]?.value.toString('utf8') ??
    certificate.extension(OLD_FIELDS[name])?.value.toString('utf8') ??
    null
  const base = BUILD_SERVICES[field('issuer') ?? '']
  const named = field('repository')
  if (base === undefined || named === null) return null
  const repository = named.startsWith('https://') ? named : base + named
  if (!repository.startsWith(base)) return null
  const commit = field('commit')
  return {
    repository: repository.slice('https://'.length),
    commit: isCommit(commit ?? '') ? commit : null,
  }
}
