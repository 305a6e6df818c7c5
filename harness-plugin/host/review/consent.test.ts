import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { followFacts, malwareIn, refusalOf } from '../../protocol/review-facts.ts'
import { GATE_PACKAGES, placeHarness } from '../harness/testing.ts'
import { hostForTests, readFit, readInspection, value, whenRecovered } from '../host-testing.ts'
import { packPackage } from '../inspection/testing.ts'
import { type RegistryForTests, startRegistryForTests } from '../registry/testing.ts'
import { aRecord, directoryOf, hashTree } from '../testing.ts'

const { its, review, ended } = hostForTests()

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

  test('starts no plugin that the harness would refuse, and one that the user allowed only after a deliberate step', async () => {
    const names = ['old', 'allowed', 'fits']
    const records = names.map((name) => aRecord(`a/${name}`, { installCheck: 'passed' }))
    const registry = await startRegistryForTests(GATE_PACKAGES)
    its.create({ ...(await placeHarness(its.home.home)), registry: registry.url, fetch: directoryOf(records).fetch })
    const states: unknown[] = []
    for (const name of names) {
      const { id, token } = value(await review(`a/${name}`))
      const known = await readFit(its.host, { id, token })
      const start = (acknowledged: boolean) => its.host.calls.start({ id, token, acknowledged })
      const [plain, careful] = [await start(false), await start(true)]
      states.push([known?.state, ...[plain, careful].map((answer) => (answer.ok ? 'started' : answer.code))])
    }
    expect(states).toEqual([
      ['refused', 'incompatible', 'incompatible'],
      ['allowed', 'not-acknowledged', 'started'],
      ['declared-to-fit', 'started', 'bad-token'],
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
    expect(await readFit(its.host, { id, token })).toMatchObject({
      plugin: 'good@1.1.0',
      state: 'declared-to-fit',
    })
    expect(await its.host.calls.start({ id, token, acknowledged: false })).toMatchObject({ code: 'not-acknowledged' })
    const job = value(await its.host.calls.start({ id, token, acknowledged: true }))
    expect(job.command).toBe('dsh plugin --profile web add good@1.1.0')
    const old = value(await chosen('1.0.0'))
    expect(await readFit(its.host, old)).toMatchObject({ plugin: 'good@1.0.0', state: 'refused' })
    const gone = value(await chosen('9.0.0'))
    expect(await readFit(its.host, gone)).toMatchObject({ plugin: 'good@9.0.0', state: 'not-found' })
    await registry.close()
  })

  test.each([
    ['released before the check', '2026-11-01T00:00:00.000Z', []],
    ['released after the check', '2026-11-11T00:00:00.000Z', ['other-version']],
    ['of an unknown time', undefined, ['other-version']],
  ])('review of the newest version, %s, says that the check ran another: %s, %s', async (_, release, cautions) => {
    const registry = await startRegistryForTests({
      good: { '1.0.0': { release: '2026-10-01T00:00:00.000Z' }, '1.1.0': release ? { release } : {} },
    })
    const checked = { installCheck: 'passed', installCheckedAt: '2026-11-10T00:00:00.000Z' } as const
    its.create({
      ...(await placeHarness(its.home.home)),
      registry: registry.url,
      fetch: directoryOf([aRecord('a/good', checked)]).fetch,
    })
    const chosen = { id: 'a/good', profile: 'web', action: 'install', version: '1.1.0' } as const
    expect(value(await its.host.calls.review(chosen)).cautions).toEqual(cautions)
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
      code: 'no-versions',
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
    expect(its.host.job(job.id)).toMatchObject({ state: 'done', outcome: { kind: 'interrupted' } })
  })

  test('reports a directory that cannot be reached as a value', async () => {
    its.create({ fetch: () => Promise.reject(new TypeError('fetch failed')) })
    const { promise, resolve } = Promise.withResolvers<void>()
    its.host.subscribe((event) => event.type === 'catalogue' && event.status.state === 'failed' && resolve())
    await its.host.calls.overview({})
    await promise
    expect(value(await its.host.calls.listings({ from: 0 })).status.failure?.kind).toBe('network')
  })
})

describe('a yes', () => {
  /** Stands in for the harness's program: installs what the registry calls the newest, or the named version. */
  const PROGRAM = `
    const { readFileSync, writeFileSync, mkdirSync } = require('node:fs')
    const args = process.argv.slice(2)
    if (args[0] === '--version') console.log('0.2.1')
    else main()
    async function main() {
      const [name, named] = args.at(-1).split('@')
      const known = await (await fetch(new URL(name, process.env.npm_config_registry))).json()
      const version = named ?? known['dist-tags'].latest
      process.chdir(process.env.DSH_HOME + '/profiles/web')
      const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
      manifest.dependencies[name] = '^' + version
      const layers = manifest.dsh.profile.bundles
      if (!layers.includes(name)) layers.push(name)
      writeFileSync('package.json', JSON.stringify(manifest))
      writeFileSync('pnpm-lock.yaml', version)
      mkdirSync('node_modules/' + name, { recursive: true })
      writeFileSync('node_modules/' + name + '/package.json', JSON.stringify({ name, version, dsh: { bundle: {} } }))
    }`
  const fits = { engines: { dsh: '^0.2.0' } }
  const newer = { engines: { dsh: '^0.3.0' } }
  let registry: RegistryForTests
  let directory: ReturnType<typeof directoryOf>
  beforeEach(async () => {
    registry = await startRegistryForTests({ good: { '1.0.0': fits } })
    directory = directoryOf([aRecord('a/good', { installCheck: 'passed' })])
    await writeFile(join(its.home.home, 'program.cjs'), PROGRAM)
    its.create({ registry: registry.url, fetch: directory.fetch })
    await whenRecovered(its.host)
  })
  afterEach(() => registry.close())

  const start = async ({ id, token }: { id: string; token: string }, acknowledged = false) =>
    ended(value(await its.host.calls.start({ id, token, acknowledged })).id)
  const fit = async (reviewed: { id: string; token: string }) => await readFit(its.host, reviewed)
  const install = async () => expect((await start(value(await review('a/good')))).outcome?.kind).toBe('registered')
  const installedVersion = async () =>
    JSON.parse(await readFile(join(its.home.directory, 'node_modules/good/package.json'), 'utf8')).version

  test('is for one version: what was published since the review is not kept', async () => {
    const reviewed = value(await review('a/good'))
    expect((await fit(reviewed))?.plugin).toBe('good@1.0.0')
    const before = await hashTree(its.home.directory)
    registry.serve({ good: { '1.0.0': fits, '7.0.0': fits } })
    expect((await start(reviewed)).outcome).toMatchObject({
      kind: 'source-changed',
      subjects: ['good@1.0.0', 'good@7.0.0'],
      rollback: 'complete',
    })
    expect(await hashTree(its.home.directory)).toBe(before)
    // The next review is of the new version.
    const again = value(await review('a/good'))
    expect((await fit(again))?.plugin).toBe('good@7.0.0')
    expect((await start(again)).outcome?.kind).toBe('registered')
    expect(await installedVersion()).toBe('7.0.0')
  })

  test('is for the bytes that the registry described: others of the same version are not kept', async () => {
    const [reviewed, other] = ['A', 'B'].map((letter) => `sha512-${letter.repeat(86)}==`)
    const install = async (integrity: string) => {
      registry.serve({ good: { '1.0.0': { ...fits, dist: { integrity: reviewed } } } })
      const locked = `{packages: {good@1.0.0: {resolution: {integrity: ${integrity}}}}}`
      const program = PROGRAM.replace(`'pnpm-lock.yaml', version`, `'pnpm-lock.yaml', '${locked}'`)
      await writeFile(join(its.home.home, 'program.cjs'), program)
      return (await start(value(await review('a/good')))).outcome
    }
    expect(await install(other!)).toMatchObject({
      kind: 'source-changed',
      subjects: ['good@1.0.0 (sha512-AAAAAAAAAAAA…)', 'good@1.0.0 (sha512-BBBBBBBBBBBB…)'],
      rollback: 'complete',
    })
    expect(await install(reviewed!)).toMatchObject({ kind: 'registered' })
  })

  test.each([
    { status: 500, reason: 'unreachable' },
    { status: 401, reason: 'unauthorized' },
    { status: 404, reason: 'not-found' },
  ])('reads no code for a yes to a version that nobody knows: $reason', async ({ status, reason }) => {
    registry.failNext({ status })
    const reviewed = value(await review('a/good'))
    await fit(reviewed)
    const inspected = await readInspection(its.host, reviewed)
    expect(inspected).toMatchObject({
      code: { state: 'unknown', reason },
      advisories: { asked: 0, found: [], unknown: [{ reason }] },
    })
  })

  test('ends the reading of its package when it expires', async () => {
    let now = Date.now()
    registry.serve({
      good: { '1.0.0': { ...fits, dist: { tarball: `${registry.url}/good.tgz`, integrity: 'sha512-x' } } },
    })
    its.create({ registry: registry.url, fetch: directory.fetch, now: () => now })
    const reviewed = value(await review('a/good'))
    await fit(reviewed)
    const release = registry.hold()
    const reading = its.host.calls.facts({ id: reviewed.id, token: reviewed.token, wanted: ['code'] })
    now = reviewed.expiresAt
    expect(await its.host.calls.facts({ id: reviewed.id, token: reviewed.token, wanted: ['fit'] })).toMatchObject({
      code: 'bad-token',
    })
    release()
    // The registry would have answered.
    expect(value(await reading).code?.code).toEqual({ state: 'unknown', reason: 'unreachable' })
  })

  test('starts nothing that is known as malware or would install it, whatever was acknowledged', async () => {
    const malware = { title: 'Malware in deep', cwe: ['CWE-506'], vulnerable_versions: '>=2' }
    const advisories = { '-/npm/v1/security/advisories/bulk': { file: { deep: [malware] } } }
    const deep = { '1.0.0': {}, '2.0.0': {} }
    const publish = (range: string) =>
      registry.serve({ good: { '1.0.0': { ...fits, dependencies: { deep: range } } }, deep, ...advisories })
    publish('^2.0.0')
    const reviewed = value(await review('a/good'))
    const order = { id: reviewed.id, token: reviewed.token, acknowledged: true }
    // It waits for the look-up, although nobody has asked for it yet.
    expect(await its.host.calls.start(order)).toMatchObject({
      ok: false,
      code: 'malware',
      message: expect.stringContaining('deep@2.0.0'),
    })
    expect(await its.host.calls.startAll({ reviews: [order] })).toMatchObject({ ok: false, code: 'malware' })
    const inspected = await readInspection(its.host, reviewed)
    expect(inspected?.advisories?.found).toMatchObject([{ isMalware: true, path: ['good@1.0.0', 'deep@2.0.0'] }])
    // Another host has kept no document.
    its.create({ registry: registry.url, fetch: directory.fetch })
    publish('^1.0.0')
    await install()
    // What is there already can be removed.
    publish('^2.0.0')
    const removal = value(await review('a/good', 'web', 'remove'))
    expect(await its.host.calls.start({ ...removal, acknowledged: false })).toMatchObject({ ok: true })
  })

  test('hears of malware as soon as the registry answers, while the code is still being read', async () => {
    const malware = { title: 'Malware in good', cwe: ['CWE-506'], vulnerable_versions: '*' }
    registry.serve({
      good: { '1.0.0': { ...fits, dist: { tarball: `${registry.url}/slow.tgz`, integrity: 'sha512-x' } } },
      '-/npm/v1/security/advisories/bulk': { file: { good: [malware] } },
    })
    const release = registry.hold(/slow/)
    const reviewed = value(await review('a/good'))
    const { advisories, code } = await followFacts(
      (wanted) => its.host.calls.facts({ id: reviewed.id, token: reviewed.token, wanted }),
      (known) => refusalOf(known) === null,
    )
    expect([malwareIn(advisories?.found)[0]?.package, code]).toEqual(['good@1.0.0', undefined])
    release()
  })

  test('requests one document and one tarball a version for everything that a review tells', async () => {
    const files = { 'package.json': '{"name":"good"}', 'index.js': 'fetch("https://a.dev")' }
    const tarball = Buffer.from(await packPackage(files))
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const published = { ...fits, dist: { tarball: `${registry.url}/good.tgz`, integrity }, dependencies: { deep: '1' } }
    registry.serve({
      good: {
        '1.0.0': published,
        '1.1.0': { ...published, dist: { ...published.dist, tarball: `${registry.url}/new.tgz` } },
      },
      deep: { '1.0.0': {} },
      'good.tgz': { body: tarball, headers: { 'content-encoding': 'identity' } },
      'new.tgz': { body: tarball, headers: { 'content-encoding': 'identity' } },
    })
    await writeFile(
      join(its.home.directory, 'package.json'),
      JSON.stringify({ dependencies: { good: '^1.0.0' }, dsh: { profile: { bundles: ['good'] } } }),
    )
    const installed = join(its.home.directory, 'node_modules/good')
    await mkdir(installed, { recursive: true })
    await writeFile(
      join(installed, 'package.json'),
      JSON.stringify({ name: 'good', version: '1.0.0', dsh: { bundle: {} } }),
    )
    registry.requests.length = 0
    const reviewed = value(await review('a/good', 'web', 'update'))
    const read = await readInspection(its.host, reviewed)
    expect(read).toMatchObject({
      plugin: 'good@1.1.0',
      before: '1.0.0',
      code: { state: 'read' },
      origin: { publisher: null },
    })
    expect(value(await its.host.calls.diff({ id: reviewed.id, token: reviewed.token }))?.files.state).toBe('read')
    expect(registry.requests.map(({ path }) => path).toSorted()).toEqual([
      '-/npm/v1/security/advisories/bulk',
      'deep',
      'good',
      'good.tgz',
      'new.tgz',
    ])
  })

  test('starts with a line of output about what could not be looked up', async () => {
    registry.serve({ good: { '1.0.0': fits } })
    const job = await start(value(await review('a/good')))
    expect(job.output[0]).toBe(
      `Known problems of good@1.0.0 could not be looked up at ${new URL(registry.url).host}: no-advisories.`,
    )
  })

  test('is for the chosen version, also where its package could not be read', async () => {
    await writeFile(join(its.home.home, 'program.cjs'), PROGRAM.replace('named ?? ', ''))
    registry.serve({ good: { '1.0.0': fits, '2.0.0': fits } })
    registry.failNext({ status: 500 })
    const call = { id: 'a/good', profile: 'web', action: 'install', version: '1.0.0' } as const
    const reviewed = value(await its.host.calls.review(call))
    expect(await fit(reviewed)).toBeNull()
    expect((await start(reviewed, true)).outcome).toMatchObject({
      kind: 'source-changed',
      subjects: ['good@1.0.0', 'good@2.0.0'],
      rollback: 'complete',
    })
  })

  test('to an update brings the newer version also where the profile pins an older one', async () => {
    await install()
    const pinned = PROGRAM.replace(
      'named ?? ',
      "named ?? (args.includes('update') && !args.includes('--latest')) ? '1.0.0' : ",
    )
    await writeFile(join(its.home.home, 'program.cjs'), pinned)
    const file = join(its.home.directory, 'package.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace('^1.0.0', '1.0.0'))
    registry.serve({ good: { '1.0.0': fits, '2.0.0': fits } })
    const reviewed = value(await review('a/good', 'web', 'update'))
    expect((await start(reviewed)).outcome).toMatchObject({ kind: 'updated', subjects: ['1.0.0', '2.0.0'] })
    expect(await installedVersion()).toBe('2.0.0')
  })

  test('to an update names the hold of what it replaces', async () => {
    await install()
    registry.serve({ good: { '1.0.0': fits, '2.0.0': fits } })
    const held = async () => value(await review('a/good', 'web', 'update')).held
    expect(await held()).toBeNull()
    value(await its.host.calls.hold({ package: 'good', profile: 'web', reason: 'It works.' }))
    expect(await held()).toMatchObject({ reason: 'It works.' })
    expect(value(await review('a/good', 'web', 'remove')).held).toBeNull()
    await writeFile(join(its.home.directory, '.plugmark/holds.json'), '{')
    expect(await held()).toMatchObject({ isUnknown: true })
  })

  test('to an update names the version before and the one after', async () => {
    await install()
    registry.serve({ good: { '1.0.0': fits, '2.0.0': fits } })
    const reviewed = value(await review('a/good', 'web', 'update'))
    expect(reviewed).toMatchObject({ installed: '1.0.0', passedOver: null })
    expect(await fit(reviewed)).toMatchObject({ plugin: 'good@2.0.0', state: 'declared-to-fit' })
    registry.serve({ good: { '2.0.0': fits, '3.0.0': fits } })
    expect((await start(reviewed)).outcome).toMatchObject({ kind: 'source-changed', rollback: 'complete' })
    expect(await installedVersion()).toBe('1.0.0')
  })

  test('to an update takes the newest version that fits, and names the one that does not', async () => {
    await install()
    registry.serve({ good: { '1.0.0': fits, '1.9.0': { engines: { dsh: '>=0.2.0 <0.3.0' } }, '2.0.0': newer } })
    const reviewed = value(await review('a/good', 'web', 'update'))
    expect(reviewed).toMatchObject({
      version: '1.9.0',
      command: 'dsh plugin --profile web add good@1.9.0',
      passedOver: { plugin: 'good@2.0.0', state: 'refused', requirements: ['dsh ^0.3.0'] },
    })
    expect((await start(reviewed)).outcome).toMatchObject({ kind: 'updated', subjects: ['1.0.0', '1.9.0'] })
    expect(await installedVersion()).toBe('1.9.0')
  })

  test('to a plugin in the scope of the harness but of another owner needs a deliberate step', async () => {
    const name = '@deepseek-ai/dsh-better'
    const records = ['stranger/better', 'deepseek-ai/better'].map((id) =>
      aRecord(id, { installCheck: 'passed', npmPackage: name }),
    )
    directory.change(records)
    registry.serve({ [name]: { '1.0.0': fits } })
    its.create({ registry: registry.url, fetch: directory.fetch })
    const [foreign, own] = [value(await review('stranger/better')), value(await review('deepseek-ai/better'))]
    expect([(await fit(foreign))?.foreignScope, (await fit(own))?.foreignScope]).toEqual([true, false])
    const { id, token } = foreign
    expect(await its.host.calls.start({ id, token, acknowledged: false })).toMatchObject({ code: 'not-acknowledged' })
  })

  test('is not spent when the plugin already has a job', async () => {
    const reviews = [value(await review('a/good')), value(await review('a/good'))]
    const { start: begin } = its.host.calls
    const answers = await Promise.all(reviews.map(({ id, token }) => begin({ id, token, acknowledged: false })))
    // Either of them may come first.
    const refused = answers.findIndex(({ ok }) => !ok)
    expect(answers[refused]).toMatchObject({ code: 'already-running' })
    await ended(value(answers[1 - refused]!).id)
    expect((await start(reviews[refused]!)).outcome?.kind).toBe('registered')
  })

  test('the first of five hundred reviews is open after the last', async () => {
    const reviews = await Promise.all(Array.from({ length: 500 }, () => review('a/good', 'web', 'install')))
    const { id, token } = value(reviews[0]!)
    expect(await its.host.calls.facts({ id, token, wanted: ['fit'] })).toMatchObject({ ok: true })
  })

  test('expires after ten minutes', async () => {
    let now = Date.now()
    its.create({ registry: registry.url, fetch: directory.fetch, now: () => now })
    const { id, token, expiresAt } = value(await review('a/good'))
    now = expiresAt - 1
    expect(await its.host.calls.facts({ id, token, wanted: ['fit'] })).toMatchObject({ ok: true })
    now = expiresAt
    expect(await its.host.calls.facts({ id, token, wanted: ['fit'] })).toMatchObject({ code: 'bad-token' })
  })
})

describe('the record of a review', () => {
  test('is the one that the directory has now, not the stored one', async () => {
    const directory = directoryOf([aRecord('a/good', { installCheck: 'passed' })])
    let now = Date.now()
    its.create({ fetch: directory.fetch, now: () => now })
    expect(value(await review('a/good'))).toMatchObject({ verdict: 'passed', cautions: [] })
    now += 60_000
    directory.change([aRecord('a/good', { installCheck: 'failed' })])
    expect(value(await review('a/good'))).toMatchObject({ verdict: 'failed', cautions: ['verdict'] })
    now += 60_000
    directory.change([])
    expect(await review('a/good')).toMatchObject({ ok: false, code: 'unknown-listing' })
  })

  test('is the stored one with a caution while the directory cannot be reached', async () => {
    const directory = directoryOf([aRecord('a/good', { installCheck: 'passed' })])
    let now = Date.now()
    its.create({ fetch: directory.fetch, now: () => now })
    await review('a/good')
    now += 60_000
    directory.fail(true)
    expect(value(await review('a/good'))).toMatchObject({ verdict: 'passed', cautions: ['unconfirmed'] })
  })
})

test('a registry that wants a log-in is not one that lacks the package, and is asked again', async () => {
  const registry = await startRegistryForTests({ good: { '1.0.0': {} } })
  its.create({ ...(await placeHarness(its.home.home)), registry: registry.url })
  const fit = async () => await readFit(its.host, value(await review('a/good')))
  for (const status of [401, 403]) {
    registry.failNext({ status })
    expect(await fit()).toMatchObject({ state: 'unknown', problem: 'unauthorized', plugin: 'good' })
  }
  expect(await fit()).toMatchObject({ state: 'not-declared', plugin: 'good@1.0.0', problem: null })
  registry.failNext({ status: 401 })
  expect(await its.host.calls.reviewSpec({ spec: 'good', profile: 'web' })).toMatchObject({
    code: 'source-unauthorized',
  })
  await registry.close()
})
