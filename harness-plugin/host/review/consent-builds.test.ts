import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JobAction } from '../../protocol/index.ts'
import { placeHarness } from '../harness/testing.ts'
import { hostForTests, readInspection, value } from '../host-testing.ts'
import { packPackage } from '../inspection/testing.ts'
import { stateFolder } from '../profile/state-folder.ts'
import { type RegistryForTests, startRegistryForTests } from '../registry/testing.ts'
import { aRecord, directoryOf, whenJob } from '../testing.ts'
import { lockProfile } from '../transaction/journal.ts'
import { resolveChange } from './listing-change.ts'

const { its, review } = hostForTests()
let registry: RegistryForTests
const fits = { dsh: { bundle: {} } }

/** Creates a host over this registry, and a pnpm whose settings are printed and that resolves these packages. */
async function create({
  settings = {},
  blockedBuilds = [],
  resolved = ['good', 'deep'],
}: {
  readonly settings?: object
  readonly blockedBuilds?: readonly string[]
  readonly resolved?: readonly string[]
} = {}) {
  const printed = JSON.stringify({ userAgent: 'pnpm/11.28.11 npm/?', ...settings })
  const lock = JSON.stringify({
    packages: Object.fromEntries(resolved.map((name) => [`${name}@1.0.0`, { resolution: { integrity: 'sha512-x' } }])),
  })
  const bin = join(its.home.home, 'bin')
  await mkdir(bin, { recursive: true })
  await writeFile(
    join(bin, 'pnpm'),
    `#!${process.execPath}
    const [verb] = process.argv.slice(2)
    if (verb === '--version') console.log('11.28.11')
    require('node:fs').appendFileSync(__dirname + '/ran', verb + ' ')
    if (verb === 'config') console.log(${JSON.stringify(printed)})
    if (verb === 'add') require('node:fs').writeFileSync('pnpm-lock.yaml', ${JSON.stringify(lock)})`,
    { mode: 0o755 },
  )
  const installCheck = blockedBuilds.length > 0 ? 'needs-approval' : 'passed'
  its.create({
    ...(await placeHarness(its.home.home)),
    registry: registry.url,
    fetch: directoryOf([aRecord('a/good', { installCheck, blockedBuilds: [...blockedBuilds] })]).fetch,
    env: { PATH: `${bin}:${process.env.PATH}` },
  })
}

beforeEach(async () => {
  const scripts = { postinstall: 'node deep.js' }
  registry = await startRegistryForTests({
    good: { '1.0.0': { ...fits, dependencies: { deep: '1' }, peerDependencies: { beside: '*' } } },
    deep: { '1.0.0': { scripts } },
    beside: { '1.0.0': {} },
  })
})
afterEach(() => registry.close())

test('names what runs because it was allowed before, and does not ask for it again', async () => {
  await create({ settings: { allowBuilds: { 'deep@1.0.0': true, 'other@1.0.0': true } }, blockedBuilds: ['deep'] })
  expect(value(await review('a/good'))).toMatchObject({
    action: 'install',
    approval: null,
    allowedBuilds: ['deep@1.0.0'],
    blockedBuilds: [],
    cautions: [],
  })
})

test('asks for what is not allowed yet beside what is', async () => {
  registry.serve({
    good: { '1.0.0': { ...fits, dependencies: { deep: '1', more: '1' } } },
    deep: { '1.0.0': { scripts: { postinstall: 'node deep.js' } } },
    more: { '1.0.0': { scripts: { install: 'node more.js' } } },
  })
  const settings = { allowBuilds: { 'deep@1.0.0': true } }
  await create({ settings, blockedBuilds: ['deep', 'more'], resolved: ['good', 'deep', 'more'] })
  expect(value(await review('a/good'))).toMatchObject({
    action: 'approve',
    approval: { builds: [{ key: 'more@1.0.0' }] },
    allowedBuilds: ['deep@1.0.0'],
  })
})

test.each([
  ['of all versions', { allowBuilds: { deep: true } }, ['deep']],
  ['of several versions', { allowBuilds: { 'deep@0.9.0 || 1.0.0': true } }, ['deep@0.9.0 || 1.0.0']],
  ['of all packages', { dangerouslyAllowAllBuilds: true }, ['*']],
  ['of a package that it wants beside it', { allowBuilds: { beside: true } }, ['beside']],
  ['of other packages only', { allowBuilds: { 'other@1.0.0': true, deep: false } }, []],
  ['of what cannot be read', { allowBuilds: 'some' }, ['*']],
])(
  'names the build scripts that a profile allows, also where the directory saw none: %s',
  async (_, settings, keys) => {
    await create({ settings })
    expect(value(await review('a/good')).allowedBuilds).toEqual(keys)
  },
)

test('names every allowed build script where it is unknown what comes with a plugin', async () => {
  registry.serve({ good: { '1.0.0': { ...fits, dependencies: { lost: '1' } } } })
  await create({ settings: { allowBuilds: { 'other@1.0.0': true } } })
  expect(value(await review('a/good')).allowedBuilds).toEqual(['other@1.0.0'])
})

test('says of a removal which permissions stay, and of another change that runs no build script nothing', async () => {
  await create({ settings: { allowBuilds: { 'deep@1.0.0': true, 'other@1.0.0': true } } })
  const { directory } = its.home
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({ dependencies: { good: '1.0.0' }, dsh: { profile: { bundles: ['good'] } } }),
  )
  await mkdir(join(directory, 'node_modules/good'), { recursive: true })
  await writeFile(join(directory, 'node_modules/good/package.json'), '{"name":"good","version":"1.0.0"}')
  await writeFile(
    join(directory, 'pnpm-lock.yaml'),
    JSON.stringify({
      importers: { '.': { dependencies: { good: { specifier: '1.0.0', version: '1.0.0' } } } },
      packages: {},
      snapshots: { 'good@1.0.0': { dependencies: { deep: '1.0.0' } }, 'deep@1.0.0': {} },
    }),
  )
  const allowed = async (action: JobAction) => value(await review('a/good', 'web', action)).allowedBuilds
  expect([await allowed('remove'), await allowed('disable'), await allowed('update')]).toEqual([
    ['deep@1.0.0'],
    [],
    ['deep@1.0.0'],
  ])
  const removal = value(await review('a/good', 'web', 'remove'))
  const order = { id: removal.id, token: removal.token, acknowledged: true, byAgent: true }
  expect(await its.host.calls.start(order)).toMatchObject({ ok: true })
})

test('asks pnpm once what it allows for all reviews of one yes', async () => {
  await create({ settings: { allowBuilds: { deep: true } } })
  const reviews = await Promise.all(Array.from({ length: 20 }, () => review('a/good')))
  expect(reviews.map((one) => value(one).allowedBuilds)).toEqual(Array.from({ length: 20 }, () => ['deep']))
  // Each review asks pnpm which releases wait, too.
  const asked = (await readFile(join(its.home.home, 'bin/ran'), 'utf8')).trim().split(' ')
  expect(asked.length).toBeLessThanOrEqual(21)
})

test('names the build scripts of what comes with a package that a plugin wants beside it', async () => {
  registry.serve({
    good: { '1.0.0': { ...fits, peerDependencies: { beside: '*', '@deepseek-ai/dsh': '*' } } },
    beside: { '1.0.0': { dependencies: { more: '1' }, peerDependencies: { last: '*' } } },
    more: { '1.0.0': {} },
    last: { '1.0.0': { dependencies: { deep: '1' } } },
    deep: { '1.0.0': { scripts: { postinstall: 'node deep.js' } } },
  })
  await create({ settings: { allowBuilds: { deep: true, other: true } } })
  expect(value(await review('a/good')).allowedBuilds).toEqual(['deep'])
  registry.serve({ good: { '1.0.0': { ...fits, peerDependencies: { lost: '*' } } } })
  expect(value(await review('a/good')).allowedBuilds).toEqual(['deep', 'other'])
})

test('names allowed build scripts that were blocked before, which pnpm 11 runs with any change', async () => {
  await mkdir(join(its.home.directory, 'node_modules'), { recursive: true })
  await writeFile(join(its.home.directory, 'node_modules/.modules.yaml'), '{"ignoredBuilds":["late@1.0.0"]}')
  await create({ settings: { allowBuilds: { late: true, other: true } } })
  expect(value(await review('a/good')).allowedBuilds).toEqual(['late'])
})

test('starts no change whose build scripts were allowed after its review', async () => {
  await create({ settings: { allowBuilds: { other: true } } })
  const { id, token, allowedBuilds } = value(await review('a/good'))
  expect(allowedBuilds).toEqual([])
  const start = () => its.host.calls.start({ id, token, acknowledged: true, byAgent: true })
  const program = join(its.home.home, 'bin/pnpm')
  const text = await readFile(program, 'utf8')
  const allow = (name: string) => writeFile(program, text.replace('other', `${name}\\":true,\\"other`))
  await allow('deep')
  expect(await start()).toMatchObject({ ok: false, code: 'bad-token' })
  await allow('more')
  expect(await start()).toMatchObject({ ok: true })
})

test('runs no change whose build scripts were allowed while its job waited', async () => {
  await create({ settings: { allowBuilds: { other: true } } })
  const program = join(its.home.home, 'bin/pnpm')
  const text = await readFile(program, 'utf8')
  const runWhileAllowing = async (name: string) => {
    const { id, token } = value(await review('a/good'))
    const other = await lockProfile(its.home.directory)
    const job = value(await its.host.calls.start({ id, token, acknowledged: true }))
    await whenJob(its.host, job.id, ({ profileBusy }) => profileBusy)
    await writeFile(program, text.replace('other', `${name}\\":true,\\"other`))
    await other?.release()
    return whenJob(its.host, job.id)
  }
  // That of a package that does not come with it.
  expect((await runWhileAllowing('more')).outcome?.kind).toBe('failed')
  const { outcome, output } = await runWhileAllowing('deep')
  expect(outcome).toMatchObject({ kind: 'profile-changed', rollback: null })
  expect(output.join('\n')).toContain('Review it again')
})

test('lets no yes to an agent run build scripts that were allowed before', async () => {
  await create({ settings: { allowBuilds: { deep: true } } })
  const { id, token } = value(await review('a/good'))
  const start = (byAgent: boolean) => its.host.calls.start({ id, token, acknowledged: true, byAgent })
  expect(await start(true)).toMatchObject({ ok: false, code: 'builds-need-approval' })
  const reviews = [{ id, token, acknowledged: true }]
  const together = await its.host.calls.startAll({ reviews, byAgent: true })
  expect(together).toMatchObject({ ok: false, code: 'builds-need-approval' })
  expect(await start(false)).toMatchObject({ ok: true })
})

test('lets no yes to an agent allow build scripts, which only the user who sees them may', async () => {
  const script = { package: 'deep', version: '1.0.0', key: 'deep@1.0.0', scripts: { postinstall: 'node deep.js' } }
  const builds = { 'a/good': { setting: 'allowBuilds', builds: [script] } }
  // At once with its folder: a host that has just begun removes an empty one.
  const prepared = join(its.home.home, 'prepared')
  await mkdir(prepared)
  await writeFile(join(prepared, 'blocked-builds.json'), JSON.stringify({ version: 1, builds }))
  await rename(prepared, stateFolder(its.home.directory))
  const { id, token, approval } = value(await review('a/good'))
  expect(approval?.builds).toHaveLength(1)
  const start = (byAgent: boolean) => its.host.calls.start({ id, token, acknowledged: true, byAgent })
  expect(await start(true)).toMatchObject({ ok: false, code: 'builds-need-approval' })
  expect(await start(false)).toMatchObject({ ok: true })
})

test('offers no approval of build scripts when the package manager is unknown', () => {
  const record = aRecord('a/good')
  const blocked = { setting: null, builds: [{ package: 'good', version: '1.0.0', key: 'good@1.0.0', scripts: {} }] }
  const planned = {
    cli: 'dsh',
    profile: 'web',
    action: 'approve',
    dependencies: {},
    layers: [],
  } as const
  const reviewed = (given: typeof blocked | null) => resolveChange({ record }, { ...planned, blocked: given })
  expect(reviewed(blocked)).toMatchObject({ ok: false, code: 'unknown-package-manager' })
  expect(reviewed(null)).toMatchObject({ ok: false, code: 'nothing-blocked' })
})

test('takes a chosen version with the build scripts that were blocked', () => {
  const builds = [{ package: 'good', version: '2.0.0', key: 'good@2.0.0', scripts: {} }]
  const reviewed = (layers: readonly string[], dependencies: Readonly<Record<string, string>>) =>
    resolveChange(
      { record: aRecord('a/good', { installCheck: 'passed' }) },
      {
        cli: 'dsh',
        profile: 'web',
        action: 'approve',
        version: '1.0.0',
        blocked: { setting: 'allowBuilds', builds },
        dependencies,
        layers,
      },
    )
  const chosen = { version: '1.0.0', approval: { builds } }
  expect(reviewed([], {})).toMatchObject({ change: { action: 'approve', ...chosen } })
  expect(reviewed(['good'], { good: '^2.0.0' })).toMatchObject({ change: { action: 'update', ...chosen } })
})

test('reviews the approval of an installed plugin as its update', () => {
  const record = aRecord('a/good', { installCheck: 'passed' })
  const builds = [{ package: 'good', version: '2.0.0', key: 'good@2.0.0', scripts: {} }]
  const reviewed = (dependencies: Readonly<Record<string, string>>, layers: readonly string[] = []) =>
    resolveChange(
      { record },
      {
        cli: 'dsh',
        profile: 'web',
        action: 'approve',
        blocked: { setting: 'allowBuilds', builds },
        dependencies,
        layers,
      },
    )
  const approval = { setting: 'allowBuilds', builds }
  expect(reviewed({ good: '^1.0.0' }, ['good'])).toMatchObject({
    change: { action: 'update', package: 'good', approval },
  })
  const install = { change: { action: 'approve', approval } }
  expect(reviewed({})).toMatchObject(install)
  // The blocked build script made the package manager stop with a half-installed package.
  expect(reviewed({ good: '^1.0.0' })).toMatchObject(install)
})

test('requests each document once for an install with ten dependencies, one of which has a build script', async () => {
  const tarball = Buffer.from(await packPackage({ 'package.json': '{"name":"good"}', 'index.js': '' }))
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const parts = Array.from({ length: 10 }, (_, index) => `part-${index}`)
  const scripts = { install: 'node-gyp rebuild' }
  registry.serve({
    good: {
      '1.0.0': {
        ...fits,
        dist: { tarball: `${registry.url}/good.tgz`, integrity },
        dependencies: Object.fromEntries(parts.map((name) => [name, '1'])),
      },
    },
    ...Object.fromEntries(parts.map((name) => [name, { '1.0.0': name === 'part-3' ? { scripts } : {} }])),
    'good.tgz': { body: tarball, headers: { 'content-encoding': 'identity' } },
  })
  await create({ blockedBuilds: ['part-3'], resolved: ['good', ...parts] })
  registry.requests.length = 0
  const reviewed = value(await review('a/good'))
  expect(reviewed.approval?.builds).toMatchObject([{ package: 'part-3', key: 'part-3@1.0.0', scripts }])
  expect(await readInspection(its.host, reviewed)).toMatchObject({
    code: { state: 'read' },
    advisories: { unknown: [{ packages: 11 }] },
  })
  expect(registry.requests.map(({ path }) => path).toSorted()).toEqual(
    ['-/npm/v1/security/advisories/bulk', 'good', 'good.tgz', ...parts].toSorted(),
  )
})
