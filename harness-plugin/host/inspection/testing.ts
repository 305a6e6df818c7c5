/** For tests: packs a package as a registry serves it, and states who built it as a build service does. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'

/** Packs files, and any other entries, with a package.json where none is given. */
export async function packPackage(
  files: Readonly<Record<string, string>>,
  others: readonly TarEntry[] = [],
): Promise<Uint8Array> {
  const all = { 'package.json': '{"name":"a-plugin","version":"1.0.0"}', ...files }
  const entries = Object.entries(all).map(([name, body]) => {
    const bytes = Buffer.from(body)
    const header = { name: `package/${name}`, size: bytes.length, type: 'file', mtime: new Date(0) } as const
    return { header, body: bytes }
  })
  return gzipSync(await packTar([...entries, ...others]))
}

// A Sigstore of its own: a certificate authority, and the logs of certificates and of signatures.

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })

/** Encodes a value of ASN.1. */
function der(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length: size } = body
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const octets = (...parts: readonly (Buffer | string)[]) => der(0x04, ...parts)
function oid(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number)
  const bytes = others.flatMap((part) => {
    const digits = [part & 127]
    for (let rest = part >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 127) | 128)
    return digits
  })
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]))
}
const extension = (id: string, value: Buffer) => sequence(oid(id), octets(value))
const nameOf = (text: string) => sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, text))))
const bits = (...bytes: readonly number[]) => der(0x03, Buffer.from(bytes))
const ECDSA = sequence(oid('1.2.840.10045.4.3.2'))

interface Certificate {
  readonly subject: string
  readonly key: KeyObject
  readonly from: Date
  readonly until: Date
  readonly extensions: readonly Buffer[]
}

/** Encodes the part of a certificate that its issuer signs. */
function toBeSigned({ subject, key, from, until, extensions }: Certificate, issuer: string): Buffer {
  const time = (date: Date) => der(0x18, `${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`)
  return sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([7])),
    ECDSA,
    nameOf(issuer),
    sequence(time(from), time(until)),
    nameOf(subject),
    spkiOf(key),
    der(0xa3, sequence(...extensions)),
  )
}
const signed = (part: Buffer, key: KeyObject) =>
  sequence(part, ECDSA, der(0x03, Buffer.from([0]), sign('sha256', part, key)))

/** Who built a package, and when. */
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

/** Creates a Sigstore: the authorities to trust, and what a registry answers about a build that it signed. */
export function createSigstore(authority = 'sigstore-test') {
  const [ca, certificates, signatures] = [keyPair(), keyPair(), keyPair()]
  const [start, now] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-11-27T10:00:00Z')]
  const caId = octets(createHash('sha1').update(spkiOf(ca.publicKey)).digest())
  const root = signed(
    toBeSigned(
      {
        subject: authority,
        key: ca.publicKey,
        from: start,
        until: new Date('2036-01-01T00:00:00Z'),
        extensions: [
          extension('2.5.29.19', sequence(der(0x01, Buffer.from([255])))),
          extension('2.5.29.15', bits(2, 4)),
          extension('2.5.29.14', caId),
        ],
      },
      authority,
    ),
    ca.privateKey,
  )

  /** Issues a certificate for ten minutes, with the promise of the log of certificates. */
  function issue(key: KeyObject, { repository, commit, issuer = GITHUB, isOld = false }: Build): Buffer {
    const field = (number: number, value: string) =>
      extension(`1.3.6.1.4.1.57264.1.${number}`, isOld ? Buffer.from(value) : der(0x0c, value))
    const fields = isOld
      ? [field(1, issuer), field(5, new URL(repository).pathname.slice(1)), field(3, commit)]
      : [field(8, issuer), field(12, repository), field(13, commit)]
    const certificate: Certificate = {
      subject: '',
      key,
      from: now,
      until: new Date(now.getTime() + 600_000),
      extensions: [
        extension('2.5.29.15', bits(7, 128)),
        extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.3'))),
        extension('2.5.29.35', sequence(der(0x80, caId.subarray(2)))),
        extension('2.5.29.17', sequence(der(0x86, `${repository}/.github/workflows/publish.yml@refs/heads/main`))),
        ...fields,
      ],
    }
    const part = toBeSigned(certificate, authority)
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(now.getTime()))
    const size = (bytes: number, length: number) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntBE(length, 0, bytes)
      return buffer
    }
    const promised = Buffer.concat([
      Buffer.from([0, 0]),
      time,
      Buffer.from([0, 1]),
      sha256(spkiOf(ca.publicKey)),
      size(3, part.length),
      part,
      size(2, 0),
    ])
    const signature = sign('sha256', promised, certificates.privateKey)
    const promise = Buffer.concat([
      Buffer.from([0]),
      sha256(spkiOf(certificates.publicKey)),
      time,
      size(2, 0),
      Buffer.from([4, 3]),
      size(2, signature.length),
      signature,
    ])
    const list = octets(size(2, promise.length + 2), size(2, promise.length), promise)
    const extensions = [...certificate.extensions, extension('1.3.6.1.4.1.11129.2.4.2', list)]
    return signed(toBeSigned({ ...certificate, extensions }, authority), ca.privateKey)
  }

  /** Returns the JSON with which a registry answers about a version that a build service published. */
  function attest(build: Build) {
    const { name, version, tarball } = build
    const key = keyPair()
    const payload = Buffer.from(
      JSON.stringify({
        predicateType: PREDICATE,
        subject: [
          {
            name: `pkg:npm/${name.replace('@', '%40')}@${version}`,
            digest: { sha512: createHash('sha512').update(tarball).digest('hex') },
          },
        ],
      }),
    )
    const payloadType = 'application/vnd.in-toto+json'
    const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `
    const signature = sign('sha256', Buffer.concat([Buffer.from(head), payload]), key.privateKey).toString('base64')
    const payloadHash = { algorithm: 'sha256', value: sha256(payload).toString('hex') }
    const entry = { apiVersion: '0.0.1', kind: 'dsse', spec: { payloadHash, signatures: [{ signature }] } }
    const body = Buffer.from(JSON.stringify(entry)).toString('base64')
    const logId = sha256(spkiOf(signatures.publicKey))
    const integratedTime = now.getTime() / 1000 + 60
    const logged = JSON.stringify({ body, integratedTime, logID: logId.toString('hex'), logIndex: 1 })
    const bundle = {
      mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.1',
      verificationMaterial: {
        x509CertificateChain: { certificates: [{ rawBytes: issue(key.publicKey, build).toString('base64') }] },
        tlogEntries: [
          {
            logIndex: '1',
            logId: { keyId: logId.toString('base64') },
            kindVersion: { kind: 'dsse', version: '0.0.1' },
            integratedTime: String(integratedTime),
            inclusionPromise: {
              signedEntryTimestamp: sign('sha256', Buffer.from(logged), signatures.privateKey).toString('base64'),
            },
            canonicalizedBody: body,
          },
        ],
      },
      dsseEnvelope: { payload: payload.toString('base64'), payloadType, signatures: [{ sig: signature, keyid: '' }] },
    }
    return { attestations: [{ predicateType: PREDICATE, bundle }] }
  }

  const validFor = { start: start.toISOString() }
  const log = (key: KeyObject) => ({
    baseUrl: 'https://log.example',
    hashAlgorithm: 'SHA2_256',
    publicKey: { rawBytes: spkiOf(key).toString('base64'), keyDetails: 'PKIX_ECDSA_P256_SHA_256', validFor },
    logId: { keyId: sha256(spkiOf(key)).toString('base64') },
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
          subject: { organization: 'test', commonName: authority },
          uri: 'https://ca.example',
          certChain: { certificates: [{ rawBytes: root.toString('base64') }] },
          validFor,
        },
      ],
      timestampAuthorities: [],
    },
  }
}

const GITHUB = 'https://token.actions.githubusercontent.com'
const PREDICATE = 'https://slsa.dev/provenance/v1'
