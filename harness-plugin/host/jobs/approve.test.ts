import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { OutcomeKind } from '../../protocol/index.ts'
import { hostForTests, value } from '../host-testing.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import { aRecord, directoryOf, whenJob } from '../testing.ts'

const { its, review, ended } = hostForTests()

/** Stands in for the harness's program: ends as the file `end` says, with the files and output of pnpm 11. */
const PROGRAM = `
  const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
  // The host may ask for the version at any time, which must not write into the profile.
  if (process.argv[2] !== 'plugin') process.exit(1)
  const end = readFileSync(__dirname + '/end', 'utf8')
  process.chdir(process.env.DSH_HOME + '/profiles/web')
  const dependencies = { good: '^1.0.0' }
  const save = (bundles) => writeFileSync('package.json', JSON.stringify({ dependencies, dsh: { profile: { bundles } } }))
  if (end === 'waits') {
    console.log('waiting')
    setInterval(() => {}, 1000)
  } else if (end === 'unreachable') {
    console.error('ERR_PNPM_META_FETCH_FAIL  GET http://127.0.0.1:9/good: ECONNREFUSED')
    process.exitCode = 1
  } else if (end === 'build-blocked') {
    save([])
    mkdirSync('node_modules', { recursive: true })
    writeFileSync('node_modules/.modules.yaml', JSON.stringify({ ignoredBuilds: ['good@1.0.0'] }))
    console.log('[ERR_PNPM_IGNORED_BUILDS] Ignored build scripts: good@1.0.0')
    process.exitCode = 1
  } else save(['good'])`

beforeEach(async () => {
  const bin = join(its.home.home, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'pnpm'), '#!/bin/sh\necho 11.7.0\n', { mode: 0o755 })
  await writeFile(join(its.home.home, 'program.cjs'), PROGRAM)
  its.create({ env: { PATH: `${bin}${delimiter}${process.env.PATH}` }, stateDir: join(its.home.home, 'state') })
  await endAs('build-blocked')
  expect((await perform('install')).outcome).toMatchObject({ kind: 'build-blocked', rollback: 'complete' })
})

const endAs = (end: OutcomeKind | 'waits') => writeFile(join(its.home.home, 'end'), end)
async function start(action: 'install' | 'approve'): Promise<string> {
  const { token } = value(await review('a/good', 'web', action))
  return value(await its.host.calls.start({ id: 'a/good', token, acknowledged: true })).id
}
const perform = async (action: 'install' | 'approve') => ended(await start(action))
const approval = async () => value(await review('a/good', 'web', 'approve')).approval
const ALLOWED = { setting: 'allowBuilds', builds: [{ key: 'good@1.0.0' }] }

test('shows blocked build scripts to another shell on the same profile', async () => {
  its.create({ stateDir: null })
  expect(await approval()).toMatchObject(ALLOWED)
})

test('allows another try of an approval after its job could not reach the registry', async () => {
  await endAs('unreachable')
  expect((await perform('approve')).outcome).toMatchObject({ kind: 'unreachable', rollback: 'complete' })
  expect(await approval()).toMatchObject(ALLOWED)
  await endAs('registered')
  expect((await perform('approve')).outcome?.kind).toBe('registered')
})

test('allows another try of an approval after its job was cancelled', async () => {
  await endAs('waits')
  const id = await start('approve')
  await whenJob(its.host, id, ({ output }) => output.includes('waiting'))
  await its.host.calls.cancel({ job: id })
  expect((await ended(id)).outcome).toMatchObject({ kind: 'cancelled', rollback: 'complete' })
  expect(await approval()).toMatchObject(ALLOWED)
})

test('allows another try of an approval in the next host after its host ended in the middle', async () => {
  await endAs('waits')
  await whenJob(its.host, await start('approve'), ({ output }) => output.includes('waiting'))
  await its.host.close()
  its.create({ stateDir: join(its.home.home, 'state') })
  expect(await approval()).toMatchObject(ALLOWED)
})

test('has no build scripts to approve once the plugin is installed', async () => {
  await endAs('registered')
  expect((await perform('approve')).outcome?.kind).toBe('registered')
  expect(await review('a/good', 'web', 'approve')).toMatchObject({ ok: false, code: 'nothing-blocked' })
})

test('asks for the scripts that the directory names before the first try, so that one yes covers both', async () => {
  const registry = await startRegistryForTests({
    good: { '1.0.0': { scripts: { postinstall: 'node build.js' } } },
  })
  await rm(join(its.home.directory, '.plugmark'), { recursive: true })
  const lock = JSON.stringify({ packages: { 'good@1.0.0': { resolution: {} } } })
  const pnpm = `#!/bin/sh\ncase $1 in --version) echo 11.7.0;; add) echo '${lock}' > pnpm-lock.yaml;; esac\n`
  await writeFile(join(its.home.home, 'bin/pnpm'), pnpm, { mode: 0o755 })
  const records = [aRecord('a/good', { installCheck: 'needs-approval', blockedBuilds: ['good'] })]
  its.create({
    env: { PATH: `${join(its.home.home, 'bin')}${delimiter}${process.env.PATH}` },
    registry: registry.url,
    fetch: directoryOf(records).fetch,
  })
  expect(value(await review('a/good'))).toMatchObject({
    action: 'approve',
    cautions: ['verdict', 'build-scripts'],
    approval: { ...ALLOWED, builds: [{ scripts: { postinstall: 'node build.js' } }] },
  })
  await endAs('registered')
  expect((await perform('install')).outcome).toMatchObject({ kind: 'registered' })
  expect(await readFile(join(its.home.directory, 'pnpm-workspace.yaml'), 'utf8')).toContain('good@1.0.0: true')
  await registry.close()
})
