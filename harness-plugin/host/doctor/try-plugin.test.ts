import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LAYERING_HARNESS, placeHarness } from '../harness/testing.ts'
import { hostForTests } from '../host-testing.ts'
import { sharedFile } from '../profile/state-folder.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import type { HostOptions } from '../settings.ts'

const { its } = hostForTests()

test('ends a try at once, and says why, where the registry cannot be reached', async () => {
  its.create(await placeHarness(its.home.home))
  const tried = await its.host.tryPlugin({ spec: 'some-plugin@1.0.0', signal: new AbortController().signal })
  expect(tried).toMatchObject({
    ok: true,
    tried: {
      verdict: 'failed',
      kind: 'unreachable',
      runs: null,
      command: expect.stringContaining('some-plugin@1.0.0'),
    },
  })
})

test('ends a try, and says why, where the registry never answers', async () => {
  const registry = await startRegistryForTests({ good: { '1.0.0': {} } })
  const answer = registry.hold()
  await writeFile(join(its.home.home, 'program.cjs'), LAYERING_HARNESS)
  its.create({ registry: registry.url })
  const tried = await its.host.tryPlugin({ spec: 'good@1.0.0', signal: new AbortController().signal })
  expect(tried).toMatchObject({ ok: true, tried: { verdict: 'failed', kind: 'unreachable', runs: null } })
  answer()
  await registry.close()
})

test('reports the verdict of a command that does not end as a timeout', async () => {
  its.create({ ...(await placeHarness(its.home.home)), timeLimitMs: 1 })
  const tried = await its.host.tryPlugin({ spec: its.home.home, signal: new AbortController().signal })
  expect(tried).toMatchObject({ ok: true, tried: { verdict: 'timeout', runs: null } })
})

test('tries a folder whose path has a space', async () => {
  its.create({ ...(await placeHarness(its.home.home)), timeLimitMs: 1 })
  const folder = join(its.home.home, 'my plugin')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{}')
  const tried = await its.host.tryPlugin({ spec: folder, signal: new AbortController().signal })
  expect(tried).toMatchObject({ ok: true, tried: { verdict: 'timeout' } })
})

test('refuses what could be an option, and a path without a file', async () => {
  its.create(await placeHarness(its.home.home))
  const { signal } = new AbortController()
  for (const spec of ['--global', './nothing-here', 'a b'])
    expect(await its.host.tryPlugin({ spec, signal })).toEqual({ ok: false, reason: 'bad-spec' })
})

test('refuses a folder without a package.json, as an install does', async () => {
  its.create(await placeHarness(its.home.home))
  const folder = join(its.home.home, 'empty')
  await mkdir(folder)
  const tried = await its.host.tryPlugin({ spec: folder, signal: new AbortController().signal })
  expect(tried).toEqual({ ok: false, reason: 'bad-spec' })
})

/** Stands in for a harness whose package manager finds no package, and prints the settings that it would use. */
const FINDS_NOTHING = `
  const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
  const profile = process.env.DSH_HOME + '/profiles/web'
  if (process.argv[2] === '--version') return console.log('0.2.1')
  mkdirSync(profile, { recursive: true })
  writeFileSync(profile + '/package.json', '{}')
  if (!process.argv.includes('add')) return
  console.log(readFileSync(profile + '/.npmrc', 'utf8'), process.env.pnpm_config_registry)
  console.log('dsh: plugin command failed; diagnostics: ' + profile + '/.plugin-manager/pnpm.log')
  console.log(' ERR_PNPM_FETCH_404  GET http://127.0.0.1:1/gone: Not Found - 404')
  process.exitCode = 1`

test('tells a repository that is not there from a plugin that does not install', async () => {
  const program = FINDS_NOTHING.replace(/ERR_PNPM_FETCH_404.*404/, 'ERROR: Repository not found.')
  await writeFile(join(its.home.home, 'program.cjs'), program)
  await writeFile(join(its.home.home, 'profiles/web/.npmrc'), '')
  its.create()
  const tried = await its.host.tryPlugin({ spec: 'github:nobody/none', signal: new AbortController().signal })
  expect(tried).toMatchObject({ ok: true, tried: { kind: 'not-found', subjects: [], missingFrom: null } })
})

test('asks the registry of the profile, and names it where it does not have the package', async () => {
  const registry = await startRegistryForTests({})
  await writeFile(join(its.home.home, 'program.cjs'), FINDS_NOTHING)
  await writeFile(
    join(its.home.home, 'profiles/web/.npmrc'),
    `registry=${registry.url}/\n@own:registry=http://own.example/\n`,
  )
  // The registry of the host's own settings would come first.
  Reflect.deleteProperty(its.home.options, 'registry')
  its.create()
  const tried = await its.host.tryPlugin({ spec: 'gone@1.0.0', signal: new AbortController().signal })
  expect(tried).toMatchObject({
    ok: true,
    tried: { kind: 'not-found', subjects: ['gone'], missingFrom: `${registry.url}/` },
  })
  const output = tried.ok ? tried.tried.output.join('\n') : ''
  expect(output).toContain('@own:registry=http://own.example/')
  expect(output).toContain(`\n ${registry.url}/`)
  // It is deleted with the home.
  expect(output).not.toContain('pnpm.log')
  await registry.close()
})

test('runs nothing that is known as malware', async () => {
  const malware = { title: 'Malware in good', cwe: ['CWE-506'], vulnerable_versions: '*' }
  const bulk = '-/npm/v1/security/advisories/bulk'
  const registry = await startRegistryForTests({ good: { '1.0.0': {} }, [bulk]: { file: { good: [malware] } } })
  await writeFile(join(its.home.home, 'program.cjs'), LAYERING_HARNESS)
  its.create({ registry: registry.url })
  const tried = await its.host.tryPlugin({ spec: 'good@^1.0.0', signal: new AbortController().signal })
  expect(tried).toEqual({ ok: false, reason: 'malware' })
  await registry.close()
})

describe('a try that starts the harness', () => {
  /** Tries a spec. Returns whether it runs, and what is kept of that. */
  async function tried(start: 'runs' | 'waits' | 'hangs', spec: string | null, options: HostOptions = {}) {
    const { home } = its.home
    const folder = join(home, 'mine')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'good', version: '1.0.0' }))
    await writeFile(join(home, 'program.cjs'), LAYERING_HARNESS)
    await writeFile(join(home, 'start'), start)
    const registry = await startRegistryForTests({ good: { '1.0.0': {} } })
    its.create({ registry: registry.url, stateDir: join(home, 'state'), browser: null, ...options })
    const found = await its.host.tryPlugin({ spec: spec ?? folder, signal: new AbortController().signal })
    await registry.close()
    const file = await readFile(sharedFile(home, 'fit-trials.json'), 'utf8').catch(() => '{"trials":[]}')
    const { trials } = JSON.parse(file) as { trials: { plugin: string; runs: boolean }[] }
    const { plugin, runs } = found.ok ? found.tried : { plugin: null, runs: found.reason }
    return { plugin, runs, kept: trials.map(({ plugin, runs }) => [plugin, runs]) }
  }

  test('keeps what it showed of a published version', async () => {
    const plugin = 'good@1.0.0'
    expect(await tried('runs', 'good')).toEqual({ plugin, runs: true, kept: [[plugin, true]] })
    expect(await tried('waits', 'good@1.0.0')).toEqual({ plugin, runs: false, kept: [[plugin, false]] })
  })

  test('keeps nothing of a folder, which may differ from the published version', async () => {
    expect(await tried('waits', null)).toEqual({ plugin: 'good@1.0.0', runs: false, kept: [] })
  })

  test.each<[string, HostOptions]>([
    ['within the time limit of a start', { startLimitMs: 500 }],
    ['before the time of the whole try is over', { timeLimitMs: 10_000 }],
  ])('does not know if a plugin runs that did not come up %s', async (_, options) => {
    expect(await tried('hangs', 'good', options)).toEqual({ plugin: 'good@1.0.0', runs: null, kept: [] })
  })
})
