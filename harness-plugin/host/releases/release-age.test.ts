import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Registry } from '../registry/registry.ts'
import { type RegistryForTests, type Served, startRegistryForTests } from '../registry/testing.ts'
import { findNewerReleases, findRefusals, pickRelease, type ReleaseAge, readReleaseAge } from './pick-version.ts'

let folder: string
let registry: RegistryForTests
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-age-'))
  registry = await startRegistryForTests({})
})
afterEach(async () => {
  await registry.close()
  await rm(folder, { recursive: true })
})

async function readFrom(output: string): Promise<ReleaseAge | null> {
  await writeFile(join(folder, 'pnpm'), `#!/bin/sh\necho '${output}'`, { mode: 0o755 })
  const env = { PATH: `${folder}:${process.env.PATH}` }
  return readReleaseAge({ env, cwd: folder, signal: new AbortController().signal })
}

test.each([
  ['pnpm 10 waits only if it is told to', { 'user-agent': 'pnpm/10.34.9 npm/?' }, [10, 0]],
  ['pnpm 10 as told in an .npmrc', { 'user-agent': 'pnpm/10.34.9 npm/?', 'minimum-release-age': '90' }, [10, 90]],
  ['pnpm 11 waits a day', { userAgent: 'pnpm/11.28.11 npm/?' }, [11, 1440]],
  ['pnpm 12 waits a day', { userAgent: 'pnpm/12.21.0 npm/?' }, [12, 1440]],
  ['pnpm 11 as told', { userAgent: 'pnpm/11.28.11 npm/?', minimumReleaseAge: 0 }, [11, 0]],
])('reads the wait before a release: %s', async (_, settings, expected) => {
  const age = await readFrom(JSON.stringify(settings))
  expect([age?.pnpm, age?.minutes]).toEqual(expected)
})

test('reads which releases are excluded from the wait', async () => {
  const minimumReleaseAgeExclude = ['whole', '@acme/*', 'some@1.0.0 || 1.1.0', '@acme2/some@2.0.0']
  const age = await readFrom(JSON.stringify({ userAgent: 'pnpm/11.28.11', minimumReleaseAgeExclude }))
  const releases = ['whole@9.0.0', '@acme/kite@1.0.0', 'some@1.1.0', '@acme2/some@2.0.0', 'some@1.2.0', 'whole2@1.0.0']
  const excluded = releases.filter((release) => {
    const at = release.lastIndexOf('@')
    return age!.isExcluded(release.slice(0, at), release.slice(at + 1))
  })
  expect(excluded).toEqual(releases.slice(0, 4))
})

test.each(['not json', '{}', '{"userAgent":"yarn/1.0.0"}', '{"userAgent":"pnpm/11.0.0","minimumReleaseAge":"0x"}'])(
  'knows no wait when pnpm prints %s',
  async (output) => {
    expect(await readFrom(output)).toBeNull()
  },
)

const NOW = Date.parse('2026-11-26T12:00:00Z')
const OLD = { release: '2026-11-01T00:00:00Z' }
const YOUNG = { release: '2026-11-26T00:00:00Z' }
const A_DAY: ReleaseAge = { pnpm: 11, minutes: 1440, isExcluded: () => false }

async function newer(versions: Served[string], age: ReleaseAge | null = A_DAY, current = '1.0.0') {
  registry.serve({ kite: versions })
  const client = new Registry(folder, { npm_config_registry: registry.url, pnpm_config_registry: registry.url })
  const { signal } = new AbortController()
  const answer = await client.package('kite', { signal })
  if (answer.state !== 'read') throw new Error(answer.state)
  const given = { current, readAge: async () => age, registry: client, signal, now: NOW }
  const { version, waiting } = await findNewerReleases(answer.document, given)
  return [version, waiting === 'unknown' ? waiting : (waiting?.version ?? null)]
}

test('finds a release that is old enough, without asking for the times of the others', async () => {
  expect(await newer({ '1.0.0': OLD, '2.0.0': OLD })).toEqual(['2.0.0', null])
  expect(registry.requests).toHaveLength(1)
})

test.each<[string, Served[string], string | null]>([
  ['nothing older', { '1.0.0': OLD, '9.0.0': YOUNG }, null],
  ['the newest of the older ones', { '1.0.0': OLD, '2.0.0': OLD, '1.5.0': OLD, '9.0.0': YOUNG }, '2.0.0'],
  ['no prerelease', { '1.0.0': OLD, '2.0.0-rc.1': OLD, '9.0.0': YOUNG }, null],
  ['no deprecated version', { '1.0.0': OLD, '2.0.0': { ...OLD, deprecated: 'broken' }, '9.0.0': YOUNG }, null],
])('names a young release, and offers %s instead', async (_, versions, offered) => {
  expect(await newer(versions)).toEqual([offered, '9.0.0'])
})

test.each<[string, ReleaseAge]>([
  ['pnpm does not wait', { ...A_DAY, minutes: 0 }],
  ['the release is excluded', { ...A_DAY, isExcluded: (name, version) => `${name}@${version}` === 'kite@9.0.0' }],
])('offers a young release if %s', async (_, age) => {
  expect(await newer({ '1.0.0': OLD, '9.0.0': YOUNG }, age)).toEqual(['9.0.0', null])
})

test('leaves it unknown if pnpm waits, where its settings or the times cannot be read', async () => {
  const versions = { '1.0.0': OLD, '9.0.0': YOUNG }
  expect(await newer(versions, null)).toEqual(['9.0.0', 'unknown'])
  // Asked between both requests.
  const isExcluded = () => {
    registry.failNext({ status: 500 })
    return false
  }
  const age = { ...A_DAY, isExcluded }
  expect(await newer(versions, age)).toEqual(['9.0.0', 'unknown'])
})

test('names a release for which pnpm is set to wait longer than dates go', async () => {
  const age = await readFrom(JSON.stringify({ userAgent: 'pnpm/11.28.11', minimumReleaseAge: 1e15 }))
  expect(await newer({ '1.0.0': OLD, '9.0.0': YOUNG }, age)).toEqual([null, '9.0.0'])
})

test('offers a release whose registry tells no times, as pnpm does', async () => {
  expect(await newer({ '1.0.0': {}, '9.0.0': {} })).toEqual(['9.0.0', null])
})

test('finds nothing newer than the newest version, young or old', async () => {
  expect(await newer({ '1.0.0': OLD, '9.0.0': YOUNG }, A_DAY, '9.0.0')).toEqual([null, null])
})

test('leaves it unknown if pnpm refuses a version of a range, where its settings or the times cannot be read', async () => {
  registry.serve({ kite: { '1.0.0': YOUNG } })
  const client = new Registry(folder, { npm_config_registry: registry.url, pnpm_config_registry: registry.url })
  const { signal } = new AbortController()
  const read = await client.package('kite', { signal })
  if (read.state !== 'read') throw new Error(read.state)
  const picked = async (wanted: string, age: ReleaseAge | null = A_DAY) =>
    (await pickRelease(read.document, wanted, { readAge: async () => age, registry: client, signal, now: NOW }))
      ?.refusals
  expect(await picked('^1.0.0')).toMatchObject([{ rule: 'release-age' }])
  expect(await picked('^1.0.0', null)).toBeNull()
  registry.failNext({ status: 500 })
  expect(await picked('^1.0.0')).toBeNull()
  expect([await picked('1.0.0'), await picked('latest', { ...A_DAY, minutes: 0 })]).toEqual([[], []])
})

test.each<[string, Partial<ReleaseAge>, string | null | undefined]>([
  ['names the newest that it installs', {}, '1.0.0'],
  ['does not where pnpm waits for none', { minutes: 0 }, undefined],
])('says that pnpm waits with a release, and %s', async (_, given, expected) => {
  registry.serve({ kite: { '1.0.0': OLD, '2.0.0': YOUNG } })
  const client = new Registry(folder, { npm_config_registry: registry.url, pnpm_config_registry: registry.url })
  const answer = await client.package('kite', { signal: new AbortController().signal, withTimes: true })
  if (answer.state !== 'read') throw new Error(answer.state)
  expect(findRefusals(answer.document, '2.0.0', { age: { ...A_DAY, ...given }, now: NOW })[0]?.passing).toBe(expected)
})
