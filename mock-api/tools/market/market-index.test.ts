import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseCatalogue } from '../../catalogue/parse.ts'
import { type Manifest, versionProblem } from './format.ts'
import { iconFile } from './icon.ts'
import { buildMarketIndex } from './market-index.ts'
import { createSources } from './sources.ts'

const manifest = (name: string, version: string, more: object = {}): Manifest => ({
  name,
  version,
  description: `${name} ${version}`,
  engines: { dsh: '>=0.1.0' },
  dsh: { bundle: { patch: 'cordis.patch.yml' } },
  ...more,
})

/** Packages of the registry. */
const packages: Record<string, object> = {
  '@moss/field': {
    'dist-tags': { latest: '1.10.0', next: '2.0.0-rc.1', old: '0.9.0' },
    versions: {
      '0.9.0': manifest('@moss/field', '0.9.0', { engines: {} }),
      '1.9.0': manifest('@moss/field', '1.9.0'),
      '1.10.0': manifest('@moss/field', '1.10.0', { author: { name: 'Moss' }, homepage: 'https://moss.example' }),
      '2.0.0-rc.1': manifest('@moss/field', '2.0.0-rc.1', { dsh: {} }),
    },
    time: {
      '0.9.0': '2026-01-01T00:00:00.000Z',
      '1.9.0': '2026-02-01T00:00:00.500Z',
      '1.10.0': '2026-03-01T00:00:00.000Z',
    },
  },
  'no-engines': { versions: { '1.0.0': manifest('no-engines', '1.0.0', { engines: { node: '>=20' } }) } },
  'other-name': { versions: { '1.0.0': manifest('another', '1.0.0') } },
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'
/** Packages with an icon: what its field names, and the files of their tarball. */
const WITH_ICON: Readonly<
  Record<string, { readonly icon: unknown; readonly files: Readonly<Record<string, string>> }>
> = {
  'with-svg': { icon: './art/icon.svg', files: { 'art/icon.svg': SVG } },
  'with-page': { icon: 'icon.svg', files: { 'icon.svg': '<html><svg/></html>' } },
  'with-large': { icon: 'icon.svg', files: { 'icon.svg': SVG + ' '.repeat(300_000) } },
  'with-none': { icon: 'icon.svg', files: { 'other.svg': SVG } },
  'with-outside': { icon: '../../etc/passwd', files: {} },
  'with-object': { icon: { file: 'icon.svg' }, files: {} },
}
const tarballs = new Map<string, Buffer>()

let folder: string
let server: Server
let registry: string
let commit: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-market-test-'))
  const repository = join(folder, 'lanternworks', 'kites')
  await mkdir(repository, { recursive: true })
  await writeFile(join(repository, 'package.json'), JSON.stringify(manifest('kites', '0.3.0', { icon: 'kite.svg' })))
  await writeFile(join(repository, 'kite.svg'), SVG)
  const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).trim()
  git('init', '--quiet')
  git('add', '.')
  execFileSync('git', ['-C', repository, '-c', 'user.name=x', '-c', 'user.email=x@x.example', 'commit', '-qm', 'one'], {
    env: { ...process.env, GIT_COMMITTER_DATE: '2026-04-01T00:00:00Z' },
  })
  commit = git('rev-parse', 'HEAD')
  for (const [name, { icon, files }] of Object.entries(WITH_ICON)) {
    const top = join(folder, 'packed', name)
    await mkdir(join(top, 'package/art'), { recursive: true })
    await writeFile(join(top, 'package/package.json'), JSON.stringify(manifest(name, '1.0.0', { icon })))
    for (const [file, content] of Object.entries(files)) await writeFile(join(top, 'package', file), content)
    tarballs.set(`${name}/-/${name}-1.0.0.tgz`, execFileSync('tar', ['-czf', '-', '-C', top, 'package']))
    packages[name] = {
      versions: { '1.0.0': manifest(name, '1.0.0', { icon }) },
      time: { '1.0.0': '2026-03-01T00:00:00.000Z' },
    }
  }
  server = createServer((request, response) => {
    const path = decodeURIComponent(request.url!.slice(1))
    if (tarballs.has(path)) return response.end(tarballs.get(path))
    const found = packages[path]
    response.writeHead(found ? 200 : 404).end(JSON.stringify(found ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

const row = (fullName: string, npm: string | null, spec = npm ?? `github:${fullName}`) => [
  fullName,
  'tools',
  `dsh plugin --profile web add ${spec}`,
  null,
  npm,
]

const build = (...rows: unknown[][]) => buildWith({}, ...rows)

async function buildWith({ icons = false }, ...rows: unknown[][]) {
  const catalogue = parseCatalogue([
    {
      generated: '2026-08-20T00:00:00.000Z',
      count: rows.length,
      site: 'https://directory.example',
      fields: ['fullName', 'category', 'install', 'path', 'npm'],
      plugins: rows,
    },
  ])
  const sources = createSources({ registry })
  return buildMarketIndex(catalogue, { sources, title: 'Directory', codeHost: `file://${folder}`, icons })
}

describe('buildMarketIndex', () => {
  test('lists the eligible versions of a package, the highest first, with tags and facts of the highest', async () => {
    const { index, leftOut } = await build(row('moss/field', '@moss/field'))
    expect(leftOut).toEqual([])
    expect(index).toMatchObject({
      format: 1,
      title: 'Directory',
      metadata: { categories: { tools: { title: { en: 'Tools', zh: expect.any(String) } } } },
    })
    expect(index.plugins).toEqual([
      {
        name: '@moss/field',
        description: '@moss/field 1.10.0',
        author: 'Moss',
        homepage: 'https://moss.example',
        metadata: { category: 'tools', sortKeys: { stars: 0 } },
        'dist-tags': { latest: '1.10.0' },
        versions: [
          { version: '1.10.0', publishTimestamp: 1772323200, source: { type: 'npm' }, engines: { dsh: '>=0.1.0' } },
          { version: '1.9.0', publishTimestamp: 1769904000, source: { type: 'npm' }, engines: { dsh: '>=0.1.0' } },
        ],
      },
    ])
  })

  test('lists a repository at its newest commit, with the committer time', async () => {
    const { index } = await build(row('lanternworks/kites', null))
    expect(index.plugins).toMatchObject([
      {
        name: 'kites',
        'dist-tags': { latest: '0.3.0' },
        versions: [
          {
            version: '0.3.0',
            publishTimestamp: Date.UTC(2026, 3, 1) / 1000,
            source: { type: 'git', url: `file://${folder}/lanternworks/kites`, commit },
          },
        ],
      },
    ])
  })

  test('leaves out listings that the format does not allow, each with its reason', async () => {
    const { index, leftOut } = await build(
      row('moss/field', '@moss/field'),
      row('moss/twin', '@moss/field'),
      row('a/no-engines', 'no-engines'),
      row('a/other-name', 'other-name'),
      row('a/missing', 'missing'),
      row('a/gone', null),
      ['a/none', 'tools', null, null, null],
    )
    expect(index.plugins.map(({ name }) => name)).toEqual(['@moss/field'])
    expect(Object.fromEntries(leftOut.map(({ fullName, reason }) => [fullName, reason]))).toEqual({
      'moss/twin': 'another listing is called @moss/field too',
      'a/no-engines': 'no version can be listed: 1.0.0 has no publish time',
      'a/other-name': 'no version can be listed: a version has another name',
      'a/missing': 'the registry answers with status 404',
      'a/gone': expect.stringContaining('git cannot read it'),
      'a/none': expect.stringMatching(/\S/),
    })
  })
})

describe('icons', () => {
  test('reads the icon of a package and of a repository, as the file that the index names', async () => {
    const { index, icons, withoutIcon } = await buildWith(
      { icons: true },
      row('a/with-svg', 'with-svg'),
      row('lanternworks/kites', null),
      row('moss/field', '@moss/field'),
    )
    expect(withoutIcon).toEqual([])
    expect([...icons.values()].map(String)).toEqual([SVG])
    const [file] = icons.keys()
    expect(file).toMatch(/^icons\/[0-9a-f]{16}\.svg$/)
    expect(index.plugins.map(({ icon }) => icon)).toEqual([file, file, undefined])
  })

  test('lists a plugin without its icon when that cannot be used, and says why', async () => {
    const names = Object.keys(WITH_ICON).filter((name) => name !== 'with-svg')
    const { index, icons, withoutIcon } = await buildWith(
      { icons: true },
      ...names.map((name) => row(`a/${name}`, name)),
    )
    expect(icons.size).toBe(0)
    expect(index.plugins.map(({ name, icon }) => [name, icon])).toEqual(names.map((name) => [name, undefined]))
    expect(Object.fromEntries(withoutIcon.map(({ fullName, reason }) => [fullName, reason]))).toEqual({
      'a/with-page': 'the icon is not SVG, PNG, JPEG or WebP',
      'a/with-large': 'the icon has more than 256 KiB',
      'a/with-none': 'the package has no file icon.svg',
      'a/with-outside': 'the field icon does not name a file',
      'a/with-object': 'the field icon does not name a file',
    })
  })

  test.each([
    ['png', '\x89PNG\r\n\x1a\n1234'],
    ['jpg', '\xff\xd8\xff\xe0 12345678'],
    ['webp', 'RIFF1234WEBPVP8 '],
    ['svg', '<?xml version="1.0"?>\n<!-- Drawn by hand -->\n<svg>'],
  ])('takes the type %s from the bytes', (type, text) => {
    expect(iconFile(Buffer.from(text, 'latin1'))).toMatch(new RegExp(`^icons/[0-9a-f]{16}\\.${type}$`))
  })
})

describe('versionProblem', () => {
  test.each([
    [manifest('x', '1.0'), 1, 'not an exact version'],
    [manifest('x', 'v1.0.0'), 1, 'not an exact version'],
    [manifest('x', '1.0.0'), Number.NaN, 'no publish time'],
    [manifest('x', '1.0.0'), 1e11, 'no publish time'],
    [manifest('x', '1.0.0', { engines: { dsh: 'latest' } }), 1, 'no valid engines.dsh'],
    [manifest('x', '1.0.0', { engines: null }), 1, 'no valid engines.dsh'],
    [manifest('x', '1.0.0', { dsh: null }), 1, 'no dsh.bundle'],
  ])('refuses %j at %d: %s', (version, time, problem) => {
    expect(versionProblem(version, time)).toContain(problem)
  })

  test('returns null for an eligible version', () => {
    expect(versionProblem(manifest('x', '1.0.0-rc.1'), 1_770_000_000)).toBeNull()
  })
})
