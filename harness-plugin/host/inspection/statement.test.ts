import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { verifyBuild } from './statement.ts'
import { createSigstore } from './testing.ts'

const tarball = Buffer.from('the package')
const COMMIT = '3f2c1ab'.padEnd(40, '0')
const build = { name: '@acme/x', version: '1.2.0', tarball, repository: 'https://github.com/acme/x', commit: COMMIT }
const stated = { name: '@acme/x', version: '1.2.0', sha512: createHash('sha512').update(tarball).digest('hex') }
const SIGNED = { state: 'signed', repository: 'github.com/acme/x', commit: COMMIT }

let sigstore: ReturnType<typeof createSigstore>
type Answer = ReturnType<typeof sigstore.attest>
beforeAll(() => {
  sigstore = createSigstore()
})
/** Verifies a statement after a change of its bundle. */
function verify(answer: Answer, change: (bundle: Answer['attestations'][number]['bundle']) => void = () => {}) {
  const changed = structuredClone(answer)
  change(changed.attestations[0]!.bundle)
  return verifyBuild(changed, stated, sigstore.trustedRoot)
}

test('names the repository and the commit that a build service signed', () => {
  expect(verify(sigstore.attest(build))).toEqual(SIGNED)
  // As certificates were until 2023.
  expect(verify(sigstore.attest({ ...build, isOld: true }))).toEqual(SIGNED)
  const gitlab = { ...build, issuer: 'https://gitlab.com', repository: 'https://gitlab.com/acme/group/x' }
  expect(verify(sigstore.attest(gitlab))).toMatchObject({ repository: 'gitlab.com/acme/group/x' })
})

test('calls a statement wrong that is about another package', () => {
  const wrong = { state: 'wrong', reason: 'other-package' }
  expect(verify(sigstore.attest({ ...build, tarball: Buffer.from('another') }))).toEqual(wrong)
  expect(verify(sigstore.attest({ ...build, name: '@acme/y' }))).toEqual(wrong)
  expect(verify(sigstore.attest({ ...build, version: '1.2.1' }))).toEqual(wrong)
})

test('calls a statement wrong that is not signed by whom it names', () => {
  const wrong = { state: 'wrong', reason: 'other-signature' }
  const [good, other] = [sigstore.attest(build), sigstore.attest({ ...build, tarball: Buffer.from('another') })]
  const { bundle } = other.attestations[0]!
  expect(
    verify(good, (changed) => Object.assign(changed.dsseEnvelope, { payload: bundle.dsseEnvelope.payload })),
  ).toEqual(wrong)
  expect(verify(good, (changed) => Object.assign(changed, { dsseEnvelope: bundle.dsseEnvelope }))).toEqual(wrong)
  const { x509CertificateChain } = bundle.verificationMaterial
  expect(verify(good, (changed) => Object.assign(changed.verificationMaterial, { x509CertificateChain }))).toEqual(
    wrong,
  )
  const { canonicalizedBody } = bundle.verificationMaterial.tlogEntries[0]!
  expect(
    verify(good, ({ verificationMaterial: { tlogEntries } }) => Object.assign(tlogEntries[0]!, { canonicalizedBody })),
  ).toEqual(wrong)
  // Another authority of the same name, with the key of the right one named as its own.
  const copied = structuredClone(sigstore.trustedRoot)
  copied.certificateAuthorities[0]!.certChain = createSigstore().trustedRoot.certificateAuthorities[0]!.certChain
  expect(verifyBuild(good, stated, copied)).toMatchObject({ state: 'unknown', reason: 'unknown-signer' })
})

test('knows neither good nor bad of an authority or a build service that it does not know', () => {
  const unknown = { state: 'unknown', reason: 'unknown-signer' }
  expect(verifyBuild(sigstore.attest(build), stated)).toEqual(unknown)
  expect(verifyBuild(sigstore.attest(build), stated, createSigstore('another').trustedRoot)).toEqual(unknown)
  for (const logs of ['tlogs', 'ctlogs'])
    expect(verifyBuild(sigstore.attest(build), stated, { ...sigstore.trustedRoot, [logs]: [] })).toEqual(unknown)
  expect(verify(sigstore.attest({ ...build, issuer: 'https://ci.example' }))).toEqual(unknown)
  // A service may not speak for the repositories of another one.
  expect(verify(sigstore.attest({ ...build, repository: 'https://gitlab.com/acme/x' }))).toEqual(unknown)
})

test('says that it cannot read what is no statement', () => {
  const unreadable = { state: 'unknown', reason: 'unreadable' }
  for (const answer of [
    null,
    [],
    {},
    { attestations: [{ predicateType: 'https://slsa.dev/provenance/v1', bundle: {} }] },
  ])
    expect(verifyBuild(answer, stated, sigstore.trustedRoot)).toEqual(unreadable)
  const good = sigstore.attest(build)
  const rawBytes = Buffer.from('no certificate').toString('base64')
  expect(
    verify(good, (changed) => {
      changed.verificationMaterial.x509CertificateChain.certificates = [{ rawBytes }]
    }),
  ).toEqual(unreadable)
  expect(verifyBuild({ attestations: [] }, stated, sigstore.trustedRoot)).toEqual({ state: 'unknown', reason: 'none' })
})
