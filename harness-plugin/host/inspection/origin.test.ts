import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PackageDocument } from '../registry/registry.ts'
import { originOf } from './origin.ts'
import { repositoryAddress } from './registry-package.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const KEY = {
  keyid: 'SHA256:a',
  key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  scheme: null,
  expires: null,
}
const INTEGRITY = `sha512-${'A'.repeat(86)}==`
const SIGNED = {
  integrity: INTEGRITY,
  signatures: [
    { keyid: KEY.keyid, sig: sign('sha256', Buffer.from(`kite@1.1.0:${INTEGRITY}`), privateKey).toString('base64') },
  ],
}
const RELEASE = '2026-11-27T10:00:00.000Z'

type Manifest = Readonly<Record<string, unknown>>
type OriginFacts = Parameters<typeof originOf>[2]
/** Returns the origin of 1.1.0, by default of a package whose registry says nothing but its signature. */
function origin(
  manifests: { readonly before?: Manifest; readonly now?: Manifest | null } = {},
  given: Partial<OriginFacts> = {},
) {
  const { before, now = {} } = manifests
  const document: PackageDocument = {
    name: 'kite',
    latest: '1.1.0',
    tags: {},
    versions: { ...(before && { '1.0.0': before }), ...(now && { '1.1.0': { dist: SIGNED, ...now } }) },
    modified: null,
    times: { '1.1.0': RELEASE },
  }
  return originOf(document, '1.1.0', {
    before: before ? '1.0.0' : null,
    repoUrl: 'https://github.com/acme/kite',
    keys: { state: 'read', keys: [KEY] },
    build: { state: 'unknown', reason: 'none' },
    isRead: true,
    ...given,
  })
}
const withKey = (
  change: Partial<typeof KEY> | { readonly expires: string } | { readonly scheme: string },
): Partial<OriginFacts> => ({
  keys: { state: 'read', keys: [{ ...KEY, ...change }] },
})

test.for<[string, Parameters<typeof origin>[0], Partial<OriginFacts>, string]>([
  ['the registry has none', { now: { dist: { integrity: INTEGRITY } } }, {}, 'no-signature'],
  ['the registry gives no digest to sign', { now: { dist: { ...SIGNED, integrity: null } } }, {}, 'no-signature'],
  ['the registry does not have the version', { now: null }, {}, 'no-signature'],
  ['the registry publishes no keys', {}, { keys: { state: 'not-found' } }, 'no-keys'],
  ['the registry wants a log-in', {}, { keys: { state: 'unauthorized' } }, 'unauthorized'],
  ['the registry asks to wait', {}, { keys: { state: 'busy' } }, 'busy'],
  ['the registry did not answer', {}, { keys: { state: 'unreachable' } }, 'unreachable'],
  ['its key is not among those of the registry', {}, withKey({ keyid: 'another' }), 'unknown-key'],
  ['the key cannot be read', {}, withKey({ key: 'AAAA' }), 'unusable-key'],
  ['the key is of another kind', {}, withKey({ scheme: 'another' }), 'unusable-key'],
  ['the key was out of use', {}, withKey({ expires: '2026-11-27T09:00:00.000Z' }), 'expired-key'],
  ['the package was not read', {}, { isRead: false }, 'not-read'],
])('knows nothing of a signature where %s', ([, manifests, given, reason]) => {
  expect(origin(manifests, given).signature).toEqual({ state: 'unknown', reason })
})

test('calls a signature valid by a key that was in use, and wrong when it is of something else', () => {
  expect(origin({}, withKey({ expires: '2026-11-27T11:00:00.000Z' })).signature).toEqual({ state: 'valid' })
  const other = { dist: { ...SIGNED, integrity: `sha512-${'B'.repeat(86)}==` } }
  expect(origin({ now: other }).signature).toEqual({ state: 'wrong' })
  // Also where the package was not read: the registry describes another one than it signed.
  expect(origin({ now: other }, { isRead: false }).signature).toEqual({ state: 'wrong' })
})

test('says if the repository that built a package is that of the listing', () => {
  const build = { state: 'signed', repository: 'github.com/Acme/kite', commit: null } as const
  const isListed = (repoUrl: string) => origin({}, { build, repoUrl }).build
  expect(isListed('https://github.com/acme/Kite.git')).toMatchObject({ isListed: true })
  expect(isListed('https://github.com/acme/other')).toMatchObject({ isListed: false })
  expect(isListed('')).toMatchObject({ isListed: null })
  expect(origin({}, { build, isRead: false }).build).toEqual({ state: 'unknown', reason: 'not-read' })
  // What is wrong stays wrong.
  const wrong = { state: 'wrong', reason: 'other-package' } as const
  expect(origin({}, { build: wrong, isRead: false }).build).toEqual(wrong)
})

test('names the publisher and another repository, and nothing where a mirror leaves them out', () => {
  const by = (name: string) => ({ _npmUser: { name } })
  expect(origin({ before: by('ann'), now: { ...by('bob'), repository: 'github:evil/kite' } })).toMatchObject({
    publishedAt: RELEASE,
    publisher: 'bob',
    otherRepository: 'github.com/evil/kite',
  })
  const other = (before: Manifest, given?: Partial<OriginFacts>) =>
    origin({ before, now: { repository: 'github:evil/kite' } }, given).otherRepository
  // What the installed version names too was said when it was installed; what it does not, its past says.
  expect(other({ repository: 'github:evil/kite' })).toBeNull()
  expect(other({ repository: 'github:acme/kite' })).toBeNull()
  // An older version has no past, and an unknown one is compared with nothing.
  for (const before of ['1.2.0', '0.9.0'])
    expect(other({ repository: 'github:acme/kite' }, { before })).toBe('github.com/evil/kite')
  const silent = { publisher: null, otherRepository: null }
  expect(origin({ before: by('ann') })).toMatchObject(silent)
})

test('tells of a lost build statement only where the version is known and the one before had it', () => {
  const stated = { dist: { ...SIGNED, attestations: { url: 'x' } } }
  expect(origin({ before: stated }).lostBuildStatement).toBe('1.0.0')
  expect(origin({ before: stated, now: stated }).lostBuildStatement).toBeNull()
  expect(origin({ before: stated, now: null }).lostBuildStatement).toBeNull()
  expect(origin({ before: { dist: { attestations: null } } }).lostBuildStatement).toBeNull()
  // Where none is installed, the version before.
  expect(origin({ before: stated }, { before: null }).lostBuildStatement).toBe('1.0.0')
})

test.for([
  ['git+https://github.com/Acme/kite.git', 'github.com/acme/kite'],
  ['git@github.com:acme/kite.git', 'github.com/acme/kite'],
  ['https://www.github.com/acme/kite', 'github.com/acme/kite'],
  ['ssh://git@ssh.github.com:443/acme/kite.git', 'github.com/acme/kite'],
  ['https://github.com/acme/kite#readme', 'github.com/acme/kite'],
  ['https://github.com/acme/kite/blob/main/README.md', 'github.com/acme/kite'],
  ['https://gitlab.com/group/sub/a', 'gitlab.com/group/sub/a'],
  ['https://gitlab.com/group/sub/b.git', 'gitlab.com/group/sub/b'],
  ['https://git.example/team/sub/kite.git', 'git.example/team/sub/kite'],
  ['git+ssh://git@github.com/acme/kite.git', 'github.com/acme/kite'],
  ['github:acme/kite#main', 'github.com/acme/kite'],
  ['acme/kite', 'github.com/acme/kite'],
  ['https://github.com/acme/kite/tree/main/packages/a', 'github.com/acme/kite'],
  ['https://gitlab.com/acme/kite', 'gitlab.com/acme/kite'],
  ['https://github.com.evil.dev/acme/kite', 'github.com.evil.dev/acme/kite'],
  ['https://github.com@evil.dev/acme/kite', 'evil.dev/acme/kite'],
  ['javascript:alert(1)', null],
])('reads the repository of %s', ([address, repository]) => {
  expect(repositoryAddress(address!)).toBe(repository)
})
