import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { placeHarness } from '../harness/testing.ts'
import { hostForTests, value } from '../host-testing.ts'
import { sharedFile } from '../profile/state-folder.ts'
import { type RegistryForTests, startRegistryForTests } from '../registry/testing.ts'
import { aRecord, directoryOf } from '../testing.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const README = 'Hello.\n\n[中文](./README_zh-CN.md) [evil](../../../README.zh.md)'
const served = {
  good: {
    file: {
      name: 'good',
      'dist-tags': { latest: '1.1.0' },
      versions: {
        '1.0.0': { engines: { dsh: '^0.1.0' }, dist: { unpackedSize: 2048 } },
        '1.1.0': { engines: { dsh: '^0.2.0' }, dist: { unpackedSize: 4096 }, deprecated: 'Use other.' },
        '2.0.0-beta.1': {},
        banana: {},
      },
      time: { '1.0.0': '2026-08-01T00:00:00.000Z', '1.1.0': 'long ago' },
    },
  },
  '-/v1/search?text=good&size=5': {
    file: {
      objects: [
        { package: { name: 'goods' }, downloads: { weekly: 9, monthly: 30 } },
        { package: { name: 'good' }, downloads: { weekly: 4321, monthly: 20_000 } },
      ],
    },
  },
  'a/good/HEAD/README.md': { body: README },
  'a/good/HEAD/README_zh-CN.md': { body: '你好，世界。这是一个插件。' },
  'a/good/HEAD/CHANGELOG.md': { body: '# 1.1.0' },
  'a/other/HEAD/readme.md': { body: 'Other.' },
  'a/other/HEAD/shot.png': { body: PNG },
  'a/other/HEAD/shot.svg': { body: '<svg onload="alert(1)"/>' },
  'repos/a/good': { file: { open_issues_count: 12, archived: true, pushed_at: '2026-08-20T00:00:00Z', more: 1 } },
  'repos/a/other/releases?per_page=10': {
    file: [
      { tag_name: 'v2', name: null, body: '- Faster', published_at: '2026-08-20T10:00:00Z', draft: false },
      { tag_name: 'v3', name: null, body: 'secret', published_at: null, draft: true },
    ],
  },
}

const directory = directoryOf([
  aRecord('a/good', { installCheck: 'passed' }),
  aRecord('a/other', { installCheck: 'passed' }),
  aRecord('a/repo', { npmPackage: null, install: 'dsh plugin --profile web add github:a/repo' }),
  aRecord('a/other#packages/one', { installCheck: 'passed', npmPackage: 'one' }),
])
const { its } = hostForTests()
let servers: RegistryForTests
beforeEach(async () => {
  servers = await startRegistryForTests(served)
  its.create({
    registry: servers.url,
    rawUrl: servers.url,
    apiUrl: servers.url,
    fetch: directory.fetch,
  })
})
afterEach(() => servers.close())

const paths = () => servers.requests.map(({ path }) => path)
const versions = (id: string) => its.host.calls.versions({ id, profile: 'web' }).then(value)
const readme = (id: string, language: 'en' | 'zh' = 'en', kind: 'readme' | 'changes' = 'readme') =>
  its.host.calls.repositoryText({ id, profile: 'web', kind, language }).then(value)

async function placeTrials(plugins: readonly string[], runs: boolean) {
  const file = sharedFile(its.home.home, 'fit-trials.json')
  const trials = plugins.map((plugin) => ({ plugin, harnessVersion: '0.2.1-rc.2', runs, why: [], at: 1 }))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify({ version: 1, trials }))
}

describe('versions', () => {
  test('versions that were read before show what a trial has shown since', async () => {
    const { home } = its.home
    its.create({ ...(await placeHarness(home)), registry: servers.url, stateDir: home, fetch: directory.fetch })
    const newest = async () => {
      const read = await versions('a/good')
      return read.state === 'read' ? read.versions[0]?.fits : read
    }
    expect(await newest()).toBe(true)
    await placeTrials(['good@1.1.0'], false)
    expect(await newest()).toBe(false)
  })

  test('versions are listed newest first with date, size and deprecation, without prereleases and odd names', async () => {
    expect(await versions('a/good')).toEqual({
      state: 'read',
      host: new URL(servers.url).host,
      newest: '1.1.0',
      weeklyDownloads: 4321,
      versions: [
        { version: '1.1.0', publishedAt: null, sizeBytes: 4096, fits: null, deprecated: 'Use other.' },
        { version: '1.0.0', publishedAt: '2026-08-01T00:00:00.000Z', sizeBytes: 2048, fits: null, deprecated: null },
      ],
      more: 0,
    })
  })

  test('versions are asked for once an hour', async () => {
    await versions('a/good')
    await versions('a/good')
    expect(paths().filter((path) => path === 'good')).toHaveLength(1)
  })

  test('the versions say that the registry lacks the package, is busy, or answers nonsense, and ask again next time', async () => {
    expect(await versions('a/other')).toMatchObject({ state: 'not-found' })
    servers.failNext({ status: 429 })
    expect(await versions('a/good')).toMatchObject({ state: 'busy' })
    servers.serve({ good: { file: { name: 'good', 'dist-tags': { latest: '9.0.0' }, versions: {} } } })
    expect(await versions('a/good')).toMatchObject({ state: 'unreadable' })
    servers.serve(served)
    expect(await versions('a/good')).toMatchObject({ state: 'read' })
  })

  test('the versions do not exist for a plugin that is installed from its repository', async () => {
    expect(await versions('a/repo')).toEqual({ state: 'repository' })
    expect(paths()).toEqual([])
  })
})

test('a start of a published version says nothing of a repository or a folder with the same name and version', async () => {
  const { home } = its.home
  const manifest = { name: 'kite', version: '1.0.0' }
  servers.serve({ ...served, 'a/repo/HEAD/package.json': { file: manifest } })
  await placeTrials(['good@1.1.0', 'kite@1.0.0'], true)
  const { url } = servers
  its.create({ ...(await placeHarness(home)), registry: url, rawUrl: url, stateDir: home, fetch: directory.fetch })
  await its.host.readDirectory()
  for (const [id, state] of [
    ['a/good', 'runs'],
    ['a/repo', 'not-declared'],
  ] as const)
    expect(value(await its.host.calls.fit({ id, profile: 'web' }))).toMatchObject({ state })
  expect(value(await its.host.calls.fits({ profile: 'web' })).fits).toEqual([['a/good', true]])
  const folder = join(home, 'kite')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const { id, token } = value(await its.host.calls.reviewSpec({ spec: folder, profile: 'web' }))
  const { fit } = value(await its.host.calls.facts({ id, token, wanted: ['fit'] }))
  expect(fit).toMatchObject({ plugin: 'kite@1.0.0', trial: null })
})

test('a start of a repository says whether its plugin runs, in details and review, while it is at that commit', async () => {
  const { home } = its.home
  const [tried, newer] = ['1'.repeat(40), '2'.repeat(40)]
  const file = { name: 'kite', version: '1.0.0' }
  const at = (commit: string) => ({ [`a/repo/${commit}/package.json`]: { file } })
  servers.serve({ ...served, 'a/repo/HEAD/package.json': { file }, ...at(tried), ...at(newer) })
  await placeTrials([`kite@1.0.0 from github:a/repo at ${tried}`], false)
  const { url } = servers
  const env = { PATH: `${home}:${process.env.PATH}` }
  its.create({ ...(await placeHarness(home)), env, registry: url, rawUrl: url, stateDir: home, fetch: directory.fetch })
  const fits = async (commit: string) => {
    await writeFile(join(home, 'git'), `#!/bin/sh\nprintf '${commit}\\tHEAD\\n'`, { mode: 0o755 })
    const { id, token } = value(await its.host.calls.review({ id: 'a/repo', profile: 'web', action: 'install' }))
    const { fit } = value(await its.host.calls.facts({ id, token, wanted: ['fit'] }))
    return [value(await its.host.calls.fit({ id: 'a/repo', profile: 'web' })).state, fit?.trial?.runs]
  }
  expect(await fits(tried)).toEqual(['does-not-run', false])
  // All listings are answered as the one was.
  const { fits: all, misfits } = value(await its.host.calls.fits({ profile: 'web' }))
  expect([all, misfits]).toMatchObject([[['a/repo', false]], [['a/repo', { reason: 'did-not-start' }]]])
  its.events.length = 0
  expect(await fits(newer)).toEqual(['not-declared', undefined])
  // Pages forget what was known of the earlier commit.
  expect(its.events).toContainEqual({ type: 'fits', profile: 'web', id: 'a/repo', fits: null, misfit: null })
})

describe('a README', () => {
  test('a README is read in the language of the reader, by a link that stays in the repository', async () => {
    expect(await readme('a/good')).toMatchObject({ markdown: README, language: 'en', otherLanguage: 'zh' })
    expect(await readme('a/good', 'zh')).toMatchObject({
      markdown: '你好，世界。这是一个插件。',
      language: 'zh',
      otherLanguage: 'en',
      linkBase: 'https://github.com/a/good/blob/HEAD/',
      pictureBase: `${servers.url}/a/good/HEAD/`,
    })
    expect(new Set(paths())).toEqual(new Set(['a/good/HEAD/README.md', 'a/good/HEAD/README_zh-CN.md']))
  })

  test('a README is found in small letters, and read in the only language that it has', async () => {
    expect(await readme('a/other', 'zh')).toMatchObject({ markdown: 'Other.', language: 'en', otherLanguage: null })
  })

  test('a README is found by a link whose name is encoded', async () => {
    const link = encodeURIComponent('README_中文.md')
    servers.serve({
      'a/good/HEAD/README.md': { body: `[evil](%2e%2e%2fREADME.zh.md) [broken](%E4README.zh.md) [中文](${link})` },
      'a/good/HEAD/README_中文.md': { body: '你好，世界。' },
    })
    expect(await readme('a/good', 'zh')).toMatchObject({ markdown: '你好，世界。' })
  })

  test('a README of a part of a repository is the one in its folder', async () => {
    expect(await readme('a/other#packages/one')).toEqual({ state: 'not-found' })
    expect(paths()[0]).toBe('a/other/HEAD/packages/one/README.md')
  })

  test('a README is not read beyond its limit, packed or not', async () => {
    servers.serve({ 'a/good/HEAD/README.md': { body: 'x'.repeat(600_000) } })
    expect(await readme('a/good')).toEqual({ state: 'too-large' })
    const bomb = gzipSync('x'.repeat(50_000_000))
    expect(bomb.length).toBeLessThan(60_000)
    servers.serve({ 'a/good/HEAD/README.md': { body: bomb, headers: { 'content-encoding': 'gzip' } } })
    expect(await readme('a/good')).toEqual({ state: 'too-large' })
  })

  test('a README is asked for only from repositories that the directory lists', async () => {
    const call = { id: 'evil/repo', profile: 'web', kind: 'readme', language: 'en' } as const
    expect(await its.host.calls.repositoryText(call)).toMatchObject({ ok: false, code: 'unknown-listing' })
    expect(paths()).toEqual([])
  })
})

test('changes are the changelog, or else the notes of published releases', async () => {
  expect(await readme('a/good', 'en', 'changes')).toMatchObject({ markdown: '# 1.1.0' })
  expect(await readme('a/other', 'en', 'changes')).toMatchObject({ markdown: '## v2, 2026-08-20\n\n- Faster' })
})

test('facts of a repository are its open issues and whether it is archived', async () => {
  const facts = (id: string) => its.host.calls.repositoryFacts({ id, profile: 'web' }).then(value)
  expect(await facts('a/good')).toEqual({
    state: 'read',
    openIssues: 12,
    isArchived: true,
    pushedAt: '2026-08-20T00:00:00Z',
  })
  expect(await facts('a/other')).toEqual({ state: 'not-found' })
  servers.failNext({ status: 403 })
  expect(await facts('a/other')).toEqual({ state: 'busy' })
})

describe('a picture', () => {
  const picture = (url: string) => its.host.calls.repositoryPicture({ url, profile: 'web' }).then(value)

  test('a picture is read when its bytes are those of a picture', async () => {
    expect(await picture(`${servers.url}/a/other/HEAD/shot.png`)).toEqual({
      state: 'read',
      dataUrl: `data:image/png;base64,${PNG.toString('base64')}`,
    })
    expect(await picture(`${servers.url}/a/other/HEAD/shot.svg`)).toEqual({ state: 'not-a-picture' })
  })

  test('a picture is not followed to another server', async () => {
    const elsewhere = await startRegistryForTests({ 'pixel.png': { body: PNG } })
    const headers = { location: `${elsewhere.url}/pixel.png` }
    servers.serve({ 'a/other/HEAD/shot.png': { body: '', status: 302, headers } })
    expect(await picture(`${servers.url}/a/other/HEAD/shot.png`)).toEqual({ state: 'unreachable' })
    expect(elsewhere.requests).toEqual([])
    await elsewhere.close()
  })

  test.each([
    'https://tracker.example/pixel.png',
    'http://github.com/a/b/raw/HEAD/x.png',
    'https://github.com:8443/x.png',
    'https://githubusercontent.com.evil.example/x.png',
    'https://evil-githubusercontent.com/x.png',
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:1/x.png',
    'https://user@evil.example/github.com/x.png',
  ])('a picture is never read from elsewhere: %s', async (url) => {
    expect(await picture(url)).toEqual({ state: 'not-a-picture' })
    expect(paths()).toEqual([])
  })
})
