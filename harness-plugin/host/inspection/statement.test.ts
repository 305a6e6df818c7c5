import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createSigstore } from './sigstore-testing.ts'
import { verifyBuild } from './statement.ts'

const tarball = Buffer.from('the package')
const COMMIT = '3f2c1ab'.padEnd(40, '0')
const build = { name: '@acme/x', version: '1.2.0', tarball, repository: 'https://github.com/acme/x', commit: COMMIT }
const stated = { name: '@acme/x', version: '1.2.0', sha512: createHash('sha512').update(tarball).digest('hex') }
const SIGNED = { state: 'signed', repository: 'github.com/acme/x', commit: COMMIT }

let sigstore: Awaited<ReturnType<typeof createSigstore>>
type Answer = Awaited<ReturnType<typeof sigstore.attest>>
beforeAll(async () => {
  sigstore = await createSigstore()
})
/** Verifies a statement after a change of its bundle. */
async function verify(
  answer: Promise<Answer>,
  change: (bundle: Answer['attestations'][number]['bundle']) => void = () => {},
) {
  const changed = structuredClone(await answer)
  change(changed.attestations[0]!.bundle)
  return verifyBuild(changed, stated, sigstore.trustedRoot)
}

test('names the repository and the commit that a build service signed', async () => {
  expect(await verify(sigstore.attest(build))).toEqual(SIGNED)
  // As certificates were until 2023.
  expect(await verify(sigstore.attest({ ...build, isOld: true }))).toEqual(SIGNED)
  const gitlab = { ...build, issuer: 'https://gitlab.com', repository: 'https://gitlab.com/acme/group/x' }
  expect(await verify(sigstore.attest(gitlab))).toMatchObject({ repository: 'gitlab.com/acme/group/x' })
})

test('calls a statement wrong that is about another package', async () => {
  const wrong = { state: 'wrong', reason: 'other-package' }
  expect(await verify(sigstore.attest({ ...build, tarball: Buffer.from('another') }))).toEqual(wrong)
  expect(await verify(sigstore.attest({ ...build, name: '@acme/y' }))).toEqual(wrong)
  expect(await verify(sigstore.attest({ ...build, version: '1.2.1' }))).toEqual(wrong)
})

test('calls a statement wrong that is not signed by whom it names', async () => {
  const wrong = { state: 'wrong', reason: 'other-signature' }
  const good = sigstore.attest(build)
  const other = await sigstore.attest({ ...build, tarball: Buffer.from('another') })
  const { bundle } = other.attestations[0]!
  expect(
    await verify(good, (changed) => Object.assign(changed.dsseEnvelope, { payload: bundle.dsseEnvelope.payload })),
  ).toEqual(wrong)
  expect(await verify(good, (changed) => Object.assign(changed, { dsseEnvelope: bundle.dsseEnvelope }))).toEqual(wrong)
  const { x509CertificateChain } = bundle.verificationMaterial
  expect(
    await verify(good, (changed) => Object.assign(changed.verificationMaterial, { x509CertificateChain })),
  ).toEqual(wrong)
  const { canonicalizedBody } = bundle.verificationMaterial.tlogEntries[0]!
  expect(
    await verify(good, ({ verificationMaterial: { tlogEntries } }) =>
      Object.assign(tlogEntries[0]!, { canonicalizedBody }),
    ),
  ).toEqual(wrong)
  // Another authority of the same name, with the key of the right one named as its own.
  const copied = structuredClone(sigstore.trustedRoot)
  copied.certificateAuthorities[0]!.certChain = (await createSigstore()).trustedRoot
    .certificateAuthorities[0]!.certChain
  expect(verifyBuild(await good, stated, copied)).toMatchObject({ state: 'unknown', reason: 'unknown-signer' })
})

test('knows neither good nor bad of an authority or a build service that it does not know', async () => {
  const unknown = { state: 'unknown', reason: 'unknown-signer' }
  expect(verifyBuild(await sigstore.attest(build), stated)).toEqual(unknown)
  expect(verifyBuild(await sigstore.attest(build), stated, (await createSigstore()).trustedRoot)).toEqual(unknown)
  for (const logs of ['tlogs', 'ctlogs'])
    expect(verifyBuild(await sigstore.attest(build), stated, { ...sigstore.trustedRoot, [logs]: [] })).toEqual(unknown)
  expect(await verify(sigstore.attest({ ...build, issuer: 'https://ci.example' }))).toEqual(unknown)
  // A service may not speak for the repositories of another one.
  expect(await verify(sigstore.attest({ ...build, repository: 'https://gitlab.com/acme/x' }))).toEqual(unknown)
})

test('says that it cannot read what is no statement', async () => {
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
    await verify(good, (changed) => {
      changed.verificationMaterial.x509CertificateChain.certificates = [{ rawBytes }]
    }),
  ).toEqual(unreadable)
  expect(verifyBuild({ attestations: [] }, stated, sigstore.trustedRoot)).toEqual({ state: 'unknown', reason: 'none' })
})
