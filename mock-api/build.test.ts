import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unpackedForTests } from '@plugmark/shared/packing/testing'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packDirectory } from './build.ts'
import { toIndexDocument } from './catalogue/catalogue.ts'
import { embeddedCatalogue } from './invented/invented.ts'

const run = promisify(execFile)
const repository = 'https://code.example/acme/plugmark'
const { path, read } = unpackedForTests((options) => packDirectory({ ...options, repository }))
const program = async (...args: string[]) =>
  run(process.execPath, [path('lib/plugmark-directory.js'), ...args], { cwd: folder })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-directory-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('the package has a manifest in which publint finds nothing wrong, and names its repository', async () => {
  const { messages } = await publint({ pkgDir: path(), level: 'suggestion', strict: true, pack: false })
  const manifest = JSON.parse(await read('package.json'))
  expect(messages.map((message) => formatMessage(message, manifest, { color: false }))).toEqual([])
  expect(manifest).toMatchObject({ name: 'plugmark-directory', homepage: `${repository}#readme` })
  expect(manifest).not.toHaveProperty('private')
})

test('the package contains only the program, the worker, the READMEs and the licences', async () => {
  expect((await readdir(path())).toSorted()).toEqual([
    'CHANGELOG.md',
    'Containerfile',
    'LICENSE',
    'README.md',
    'README.zh.md',
    'THIRD-PARTY-LICENSES',
    'dist',
    'lib',
    'package.json',
  ])
  expect((await stat(path('lib/plugmark-directory.js'))).mode & 0o111).toBe(0o111)
  expect(await read('THIRD-PARTY-LICENSES')).toContain('valibot ')
})

test('the program has nothing of the mock: no fault, no quirk, no invented plugin', async () => {
  const code = `${await read('lib/plugmark-directory.js')}${await read('dist/worker.js')}`
  for (const text of ['mock-fault', 'LiveServiceError', 'lanternworks', 'mockServiceWorker'])
    expect(code, text).not.toContain(text)
})

test('the program runs with nothing else installed, and its help names each command of the README', async () => {
  const { stdout } = await program('--help')
  const readme = await read('README.md')
  const commands = [...stdout.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name)
  expect(commands.length).toBeGreaterThan(3)
  for (const command of commands) expect(readme).toMatch(new RegExp(`^\\| \`${command}\\b`, 'm'))
})

test('worker writes the worker with its catalogue, and keeps the settings of an earlier run', async () => {
  const index = toIndexDocument(embeddedCatalogue(), 'https://directory.example')
  await writeFile(join(folder, 'index.json'), JSON.stringify(index))
  const write = (...more: string[]) => program('worker', '--catalogue', 'index.json', '--out', 'out', ...more)
  expect((await write()).stdout).toBe(`Wrote a worker with ${index.count} listings to out.\n`)
  const written = (name: string) => readFile(join(folder, 'out', name), 'utf8')
  expect(await written('worker.js')).toContain('from "./catalogue.txt"')
  expect(JSON.parse(await written('catalogue.txt'))).toMatchObject({
    digest: expect.stringMatching(/^[0-9a-f]{16}$/),
    catalogue: { site: index.site, generated: index.generated },
  })
  expect(JSON.parse(await written('wrangler.jsonc'))).toMatchObject({ main: 'worker.js' })

  await writeFile(join(folder, 'out/wrangler.jsonc'), '{ "name": "mine" }')
  await write('--site', 'https://pages.example/')
  expect(JSON.parse(await written('catalogue.txt')).catalogue.site).toBe('https://pages.example')
  expect(await written('wrangler.jsonc')).toBe('{ "name": "mine" }')
})

test('npm refuses to pack the sources, and never publishes them', async () => {
  const sources = join(import.meta.dirname, 'package')
  await expect(run('npm', ['pack', '--pack-destination', folder], { cwd: sources })).rejects.toMatchObject({
    stderr: expect.stringContaining('npm run build packs what runs'),
  })
  expect(JSON.parse(await readFile(join(sources, 'package.json'), 'utf8')).private).toBe(true)
})
