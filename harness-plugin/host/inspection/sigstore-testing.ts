/** For tests: a Sigstore of its own, which states who built a package as a build service does. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { initializeCA, initializeCTLog, initializeTLog } from '@sigstore/mock'

const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest()
const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const base64 = ({ buffer, byteOffset, byteLength }: ArrayBufferView): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
const encoder = new TextEncoder()

/** Says who built a package, and when. */
interface Build {
  readonly name: string
  readonly version: string
  readonly tarball: Uint8Array
  /** Address of the repository that the build service ran for. */
  readonly repository: string
  readonly commit: string
  /** @default that of GitHub's build service */
  readonly issuer?: string
  /** True for a certificate of the form until 2023. @default false */
  readonly isOld?: boolean
}

/** Entry in the log of signatures, as its server answers. */
interface LoggedEntry {
  readonly logIndex: number
  readonly integratedTime: number
  readonly verification: { readonly signedEntryTimestamp: string }
  readonly body: string
}

/** Creates a Sigstore: the authorities to trust, and what a registry answers about a build that it signed. */
export async function createSigstore() {
  const certificates = await initializeCTLog(keyPair())
  const authority = await initializeCA(keyPair(), certificates)
  const signatures = await initializeTLog('https://log.example', keyPair())

  /** Returns the JSON with which a registry answers about a version that a build service published. */
  async function attest({ name, version, tarball, repository, commit, issuer = GITHUB, isOld = false }: Build) {
    const key = keyPair()
    const fields: readonly (readonly [number, string])[] = isOld
      ? [
          [1, issuer],
          [5, new URL(repository).pathname.slice(1)],
          [3, commit],
        ]
      : [
          [8, issuer],
          [12, repository],
          [13, commit],
        ]
    const certificate = await authority.issueCertificate({
      publicKey: key.publicKey.export({ type: 'spki', format: 'der' }),
      subjectAltName: `${repository}/.github/workflows/publish.yml@refs/heads/main`,
      extensions: fields.map(([number, value]) => ({ oid: `1.3.6.1.4.1.57264.1.${number}`, value, legacy: isOld })),
    })
    const digest = { sha512: createHash('sha512').update(tarball).digest('hex') }
    const subject = [{ name: `pkg:npm/${name.replace('@', '%40')}@${version}`, digest }]
    const payload = encoder.encode(JSON.stringify({ predicateType: PREDICATE, subject }))
    const payloadType = 'application/vnd.in-toto+json'
    const head = encoder.encode(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `)
    const signature = base64(sign('sha256', Buffer.concat([head, payload]), key.privateKey))
    const payloadHash = { algorithm: 'sha256', value: sha256(payload).toString('hex') }
    const entry = { apiVersion: '0.0.1', kind: 'dsse', spec: { payloadHash, signatures: [{ signature }] } }
    const [logged] = Object.values((await signatures.log(entry)) as Record<string, LoggedEntry>)
    const bundle = {
      mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.1',
      verificationMaterial: {
        x509CertificateChain: { certificates: [{ rawBytes: base64(certificate) }] },
        tlogEntries: [
          {
            logIndex: String(logged!.logIndex),
            logId: { keyId: base64(sha256(signatures.publicKey)) },
            kindVersion: { kind: 'dsse', version: '0.0.1' },
            integratedTime: String(logged!.integratedTime),
            inclusionPromise: { signedEntryTimestamp: logged!.verification.signedEntryTimestamp },
            canonicalizedBody: logged!.body,
          },
        ],
      },
      dsseEnvelope: { payload: base64(payload), payloadType, signatures: [{ sig: signature, keyid: '' }] },
    }
    return { attestations: [{ predicateType: PREDICATE, bundle }] }
  }

  const validFor = { start: '2026-01-01T00:00:00Z' }
  const log = (key: Uint8Array) => ({
    baseUrl: 'https://log.example',
    hashAlgorithm: 'SHA2_256',
    publicKey: { rawBytes: base64(key), keyDetails: 'PKIX_ECDSA_P256_SHA_256', validFor },
    logId: { keyId: base64(sha256(key)) },
  })
  return {
    attest,
    /** In the form in which Sigstore publishes its own. */
    trustedRoot: {
      mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
      tlogs: [log(signatures.publicKey)],
      ctlogs: [log(certificates.publicKey)],
      certificateAuthorities: [
        {
          subject: { organization: 'test', commonName: 'sigstore' },
          uri: 'https://ca.example',
          certChain: { certificates: [{ rawBytes: base64(authority.rootCertificate) }] },
          validFor,
        },
      ],
      timestampAuthorities: [],
    },
  }
}

const GITHUB = 'https://token.actions.githubusercontent.com'
const PREDICATE = 'https://slsa.dev/provenance/v1'
