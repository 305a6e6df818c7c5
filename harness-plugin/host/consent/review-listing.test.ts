import { describe, expect, test } from 'vitest'
import { GATE_PACKAGES, placeHarness } from '../harness/testing.ts'
import { hostForTests, value } from '../host-testing.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import { aRecord, directoryOf } from '../testing.ts'
import { reviewListing } from './review-listing.ts'

const { its, review } = hostForTests()

describe('review', () => {
  test('shows the exact command for the profile, with verdict and licence', async () => {
    expect(value(await review('a/good'))).toMatchObject({
      id: 'a/good',
      command: 'dsh plugin --profile web add good',
      verdict: 'passed',
      license: 'MIT',
      cautions: [],
    })
  })

  test('names the cautions that need a deliberate step', async () => {
    expect(value(await review('a/risky')).cautions).toEqual(['risk-flags'])
    expect(value(await review('a/failed')).cautions).toEqual(['verdict'])
  })

  test.each([
    ['a/missing', 'web', 'unknown-listing'],
    ['a/good', 'other', 'unknown-profile'],
    ['a/none', 'web', 'not-installable'],
    ['a/forged', 'web', 'not-installable'],
  ])('refuses %s into %s: %s', async (id, profile, code) => {
    expect(await review(id, profile)).toMatchObject({ ok: false, code })
  })

  test('starts no plugin that the harness would refuse, and one that a person allowed only after a deliberate step', async () => {
    const names = ['old', 'allowed', 'fits']
    const records = names.map((name) => aRecord(`a/${name}`, { installCheck: 'passed' }))
    const registry = await startRegistryForTests(GATE_PACKAGES)
    its.create({ ...(await placeHarness(its.home.home)), registry: registry.url, fetch: directoryOf(records).fetch })
    const states: unknown[] = []
    for (const name of names) {
      const { id, token } = value(await review(`a/${name}`))
      const known = value(await its.host.calls.compatibility({ id, token }))
      const start = (acknowledged: boolean) => its.host.calls.start({ id, token, acknowledged })
      const [plain, careful] = [await start(false), await start(true)]
      states.push([known?.state, ...[plain, careful].map((answer) => (answer.ok ? 'started' : answer.code))])
    }
    expect(states).toEqual([
      ['refused', 'incompatible', 'incompatible'],
      ['allowed', 'not-acknowledged', 'started'],
      ['met', 'started', 'bad-token'],
    ])
    await registry.close()
  })

  test('review of a chosen version says that the install check does not speak for it, and asks about that version', async () => {
    const registry = await startRegistryForTests({
      good: { '1.0.0': { engines: { dsh: '^0.1.0' } }, '1.1.0': { engines: { dsh: '^0.2.0' } }, '2.0.0': {} },
    })
    its.create({ ...(await placeHarness(its.home.home)), registry: registry.url })
    const chosen = (version: string) =>
      its.host.calls.review({ id: 'a/good', profile: 'web', action: 'install', version })
    const { id, token, ...shown } = value(await chosen('1.1.0'))
    expect(shown).toMatchObject({
      version: '1.1.0',
      command: 'dsh plugin --profile web add good@1.1.0',
      checkedCommand: 'dsh plugin --profile web add good',
      cautions: ['other-version'],
    })
    expect(value(await its.host.calls.compatibility({ id, token }))).toMatchObject({
      plugin: 'good@1.1.0',
      state: 'met',
    })
    expect(await its.host.calls.start({ id, token, acknowledged: false })).toMatchObject({ code: 'not-acknowledged' })
    const job = value(await its.host.calls.start({ id, token, acknowledged: true }))
    expect(job.command).toBe('dsh plugin --profile web add good@1.1.0')
    const old = value(await chosen('1.0.0'))
    expect(value(await its.host.calls.compatibility(old))).toMatchObject({ plugin: 'good@1.0.0', state: 'refused' })
    const gone = value(await chosen('9.0.0'))
    expect(value(await its.host.calls.compatibility(gone))).toMatchObject({ plugin: 'good@9.0.0', state: 'not-found' })
    await registry.close()
  })

  test('has no version to choose for an update or a repository', async () => {
    const call = { id: 'a/good', profile: 'web', version: '1.0.0' } as const
    expect(await its.host.calls.review({ ...call, action: 'approve' })).toMatchObject({ ok: false })
    its.create({
      fetch: directoryOf([
        aRecord('a/repo', { npmPackage: null, install: 'dsh plugin --profile web add github:a/repo' }),
      ]).fetch,
    })
    expect(await its.host.calls.review({ ...call, id: 'a/repo', action: 'install' })).toMatchObject({
      ok: false,
      code: 'not-installable',
    })
  })

  test('starts one job when a confirmation is used twice at the same time', async () => {
    const { id, token } = value(await review('a/good'))
    const starts = [1, 2].map(() => its.host.calls.start({ id, token, acknowledged: false }))
    expect((await Promise.all(starts)).map((answer) => answer.ok || answer.code)).toEqual([true, 'bad-token'])
  })

  test('starts no job while the host closes', async () => {
    const { id, token } = value(await review('a/good'))
    const closed = its.host.close()
    const job = value(await its.host.calls.start({ id, token, acknowledged: false }))
    await closed
    expect(its.host.job(job.id)).toMatchObject({ state: 'done', outcome: { kind: 'not-begun' } })
  })

  test('reports a directory that cannot be reached as a value', async () => {
    its.create({ fetch: () => Promise.reject(new TypeError('fetch failed')) })
    const { promise, resolve } = Promise.withResolvers<void>()
    its.host.subscribe((event) => event.type === 'catalogue' && event.status.state === 'failed' && resolve())
    await its.host.calls.overview({})
    await promise
    expect(value(await its.host.calls.listings({ from: 0 })).status.failure?.kind).toBe('network')
  })

  test('offers no approval of build scripts when the package manager is unknown', () => {
    const record = aRecord('a/good')
    const blocked = { setting: null, builds: [{ package: 'good', version: '1.0.0', key: 'good@1.0.0', scripts: {} }] }
    const reviewing = {
      cli: 'dsh',
      profile: 'web',
      action: 'approve',
      trial: true,
      desktop: false,
      dependencies: {},
      bundles: [],
    } as const
    const reviewed = (given: typeof blocked | null) =>
      reviewListing({ record, verdict: null }, { ...reviewing, blocked: given })
    expect(reviewed(blocked)).toEqual({ ok: false, reason: 'unknown-package-manager' })
    expect(reviewed(null)).toEqual({ ok: false, reason: 'nothing-blocked' })
  })

  test('reviews the approval of an installed plugin as its update', () => {
    const record = aRecord('a/good', { installCheck: 'passed' })
    const builds = [{ package: 'good', version: '2.0.0', key: 'good@2.0.0', scripts: {} }]
    const reviewing = { cli: 'dsh', profile: 'web', trial: true, desktop: false } as const
    const reviewed = (dependencies: Readonly<Record<string, string>>, bundles: readonly string[] = []) =>
      reviewListing(
        { record, verdict: 'passed' },
        { ...reviewing, action: 'approve', blocked: { setting: 'allowBuilds', builds }, dependencies, bundles },
      )
    const approval = { setting: 'allowBuilds', builds }
    expect(reviewed({ good: '^1.0.0' }, ['good'])).toMatchObject({
      change: { action: 'update', package: 'good', approval },
      review: { action: 'update', command: 'dsh plugin --profile web update --latest good', approval },
    })
    const install = { change: { action: 'approve', approval }, review: { action: 'approve' } }
    expect(reviewed({})).toMatchObject(install)
    // The blocked build script made the package manager stop with a half-installed package.
    expect(reviewed({ good: '^1.0.0' })).toMatchObject(install)
  })
})
