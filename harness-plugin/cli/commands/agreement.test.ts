import { expect, test } from 'vitest'
import type { ReviewData } from '../../client/published.ts'
import { agree, agreesTo, type ConsentScope, digestOf } from './agreement.ts'

const review: ReviewData = {
  id: 'a/b',
  profile: 'web',
  version: null,
  desktop: false,
  wayBack: null,
  package: 'b',
  action: 'install',
  command: 'dsh plugin --profile web add b',
  checkedCommand: 'dsh plugin --profile web add b',
  verdict: 'passed',
  checkedAt: '2026-08-20T14:05:11.000Z',
  cautions: [],
  risks: [],
  blockedBuilds: [],
  allowedBuilds: [],
  license: 'MIT',
  source: 'https://github.com/a/b',
  trial: true,
  otherPlugins: null,
  builds: [],
  buildSetting: null,
  installed: null,
  passedOver: null,
  loadedAs: null,
  past: null,
  held: null,
  commit: null,
  contents: null,
  compatibility: {
    state: 'declared-to-fit',
    plugin: 'b@1.0.0',
    harnessVersion: '0.2.1',
    requirements: [],
    allowCommand: null,
    problem: null,
    foreignScope: false,
    registry: 'https://registry.example/',
    integrity: 'sha512-AAAA',
    shadows: [],
    deprecated: null,
    fitting: null,
    trial: null,
  },
  inspection: null,
  missing: [],
  refusal: null,
}
const scope = { profile: 'web', home: '/home/dsh', directory: 'https://directory.example' }
const digest = (change: Partial<ReviewData> = {}, where: Partial<ConsentScope> = {}) =>
  digestOf([{ ...review, ...change }], { ...scope, ...where })

function knownAgainst(title: string | null): NonNullable<ReviewData['inspection']> {
  const advisory = { package: 'b@1.0.0', path: ['b@1.0.0'], severity: 'high', url: '', isMalware: false, without: null }
  const found = title === null ? [] : [{ ...advisory, title }]
  return { plugin: 'b@1.0.0', before: null, code: null, origin: null, advisories: { asked: 1, unknown: [], found } }
}

test('holds a late yes while nothing new is known against a package, and not when something is', () => {
  const none = digest({ inspection: knownAgainst(null) })
  const agrees = (inspection: ReviewData['inspection']) => agreesTo(none, [{ ...review, inspection }], scope)
  expect([agrees(knownAgainst(null)), agrees(null)]).toEqual([true, true])
  expect(agrees(knownAgainst('Leaks tokens'))).toBe(false)
  const unread = digest({ compatibility: null })
  expect(agreesTo(unread, [{ ...review, inspection: knownAgainst('Leaks tokens') }], scope)).toBe(false)
})

test('binds a yes to every byte of the lock that a sync takes', () => {
  const texts = ['{"patches":{"a.patch":["+1"]}}', '{"patches":{"a.patch":["+2"]}}']
  const files = texts.map((text) => ({ text, warnings: [] }))
  const warned = { ...files[0]!, warnings: [{ kind: 'builds' as const, names: ['deep@1.0.0'] }] }
  expect(new Set([undefined, ...files, warned].map((file) => digest({}, { file }))).size).toBe(4)
})

test('binds a yes to the registry, the integrity and the files that were shown', () => {
  const from = (change: Partial<NonNullable<ReviewData['compatibility']>>) => ({
    ...review,
    compatibility: { ...review.compatibility!, ...change },
  })
  const others = [
    from({ registry: 'https://mirror.example/' }),
    from({ integrity: 'sha512-BBBB' }),
    { ...review, contents: 'sha512-CCCC' },
  ]
  expect([review, ...others].map((one) => agreesTo(digest(), [one], scope))).toEqual([true, false, false, false])
})

test('binds a yes to what was read of a package although the version of the harness was unknown', () => {
  const unknown = { ...review.compatibility!, state: 'unknown' as const, harnessVersion: null }
  const shown = digest({ compatibility: unknown })
  const agrees = (change: Partial<typeof unknown>) =>
    agreesTo(shown, [{ ...review, compatibility: { ...unknown, ...change } }], scope)
  expect(agrees({})).toBe(true)
  expect(agreesTo(shown, [review], scope)).toBe(true)
  expect(agrees({ plugin: 'b@1.0.1' })).toBe(false)
  expect(agrees({ deprecated: 'Taken over' })).toBe(false)
  const unread = digest({ compatibility: null })
  expect(agreesTo(unread, [{ ...review, compatibility: { ...unknown, shadows: ['@deepseek-ai/dsh'] } }], scope)).toBe(
    false,
  )
})

test('gives the same digest to the same review', () => {
  expect(digest()).toBe(digest())
  expect(digest()).toMatch(/^[0-9a-f]{64}$/)
})

test.each<[string, Partial<ReviewData>, Partial<typeof scope>]>([
  ['command', { command: 'dsh plugin --profile web add c' }, {}],
  ['verdict', { verdict: 'needs-approval' }, {}],
  ['date of the verdict', { checkedAt: '2026-09-01T00:00:00.000Z' }, {}],
  ['commit', { commit: 'b'.repeat(40) }, {}],
  ['cautions', { cautions: ['risk-flags'] }, {}],
  ['risks', { risks: ['install script'] }, {}],
  ['version', { compatibility: { ...review.compatibility!, plugin: 'b@1.0.1' } }, {}],
  ['version of the harness', { compatibility: { ...review.compatibility!, harnessVersion: '0.3.0' } }, {}],
  ['build scripts', { builds: [{ package: 'b', version: '1.0.0', key: 'b@1.0.0', scripts: { install: 'x' } }] }, {}],
  ['build scripts that run because they were allowed before', { allowedBuilds: ['b@1.0.0'] }, {}],
  ['known problems', { inspection: knownAgainst('Leaks tokens') }, {}],
  ['profile', {}, { profile: 'other' }],
  ['home', {}, { home: '/elsewhere' }],
  ['directory', {}, { directory: 'https://other.example' }],
])('gives another digest when the %s differs', (_, change, where) => {
  expect(digest(change, where)).not.toBe(digest())
})

test('asks again where the package or its integrity could not be read when the code was made', () => {
  const integrity = { ...review.compatibility!, integrity: null }
  for (const compatibility of [null, integrity]) {
    const unread = digest({ compatibility })
    expect(agreesTo(unread, [{ ...review, compatibility }], scope)).toBe(true)
    expect(agreesTo(unread, [review], scope)).toBe(false)
  }
})

test('says of a digest of another review that the review changed, whatever build scripts are named with it', async () => {
  const data = { profile: 'web', digest: digest(), reviews: [review], skipped: [] }
  const given = { action: 'install', scope, allowBuild: ['x@1.0.0'], accepting: '' } as const
  const asked = (accept: string) => agree({ canAsk: false } as never, data, { ...given, accept })
  await expect(asked('another')).rejects.toMatchObject({ code: 'consent-changed' })
  await expect(asked(data.digest)).rejects.toMatchObject({ code: 'nothing-blocked' })
})
