import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RegistryForTests, startRegistryForTests } from '../registry/testing.ts'
import { Declarations } from './declarations.ts'
import { createSurvey, type Survey } from './survey.ts'

let folder: string
let registry: RegistryForTests
let declarations: Declarations
let survey: Survey
let onProgress: () => void
let now = () => Date.now()

const packages = Array.from({ length: 6 }, (_, n) => `kite-${n}`)
const keys = [...packages, 'github:acme/kit', 'github:acme/gone']
const served = {
  ...Object.fromEntries(packages.map((name) => [name, { '1.0.0': { engines: { dsh: '^0.2.0' } } }])),
  'acme/kit/HEAD/package.json': { file: { name: 'kit', version: '2.0.0', engines: { dsh: '^0.1.0' } } },
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-survey-'))
  registry = await startRegistryForTests(served)
  await writeFile(join(folder, '.npmrc'), `registry=${registry.url}\n`)
  onProgress = () => {}
  now = () => Date.now()
  open()
})
afterEach(async () => {
  await survey.stop()
  await registry.close()
  await rm(folder, { recursive: true })
})

function open() {
  declarations = new Declarations({
    path: join(folder, 'declarations.json'),
    env: { HOME: folder, PATH: '' },
    now: () => now(),
    onProblem: () => {},
    rawUrl: registry.url,
  })
  survey = createSurvey({ declarations, now: () => now(), onProgress: () => onProgress() })
}

test('asks for every source once, at most ten times a second, and knows which are gone', async () => {
  expect(survey.status(keys)).toMatchObject({ state: 'idle', done: 0, total: 8, packages: 6 })
  const began = performance.now()
  await survey.start(keys, folder)
  expect(performance.now() - began).toBeGreaterThan(690)
  expect(registry.requests.map(({ path }) => path).toSorted()).toEqual(
    [...packages, 'acme/kit/HEAD/package.json', 'acme/gone/HEAD/package.json'].toSorted(),
  )
  expect(survey.status(keys)).toMatchObject({ state: 'done', done: 8 })
  expect(declarations.known('github:acme/kit')).toMatchObject({ declaration: { plugin: 'kit@2.0.0' } })
  expect(declarations.known('github:acme/gone')).toEqual({ state: 'not-found' })
})

test('stays within 20 MB for 4,000 plugins, with at most four requests at a time', async () => {
  // A third is on the registry, as in the live directory, each with ten versions of 1.1 kB.
  const versions = Object.fromEntries(
    Array.from({ length: 10 }, (_, n) => [
      `1.${n}.0`,
      {
        ...aManifest(n),
        dist: { integrity: `sha512-${noise(88, n)}`, signatures: [{ keyid: noise(40, n), sig: noise(96, n) }] },
      },
    ]),
  )
  const named = Array.from({ length: 15 }, (_, n) => `plugin-${n}`)
  const repositories = Array.from({ length: 30 }, (_, n) => `acme/plugin-${n}`)
  registry.serve({
    ...Object.fromEntries(named.map((name) => [name, versions])),
    ...Object.fromEntries(
      repositories.map((name, n) => [
        `${name}/HEAD/package.json`,
        { file: { name: `p${n}`, version: '1.0.0', ...aManifest(n) } },
      ]),
    ),
  })
  await survey.start([...named, ...repositories.map((name) => `github:${name}`)], folder)
  expect(registry.requests).toHaveLength(45)
  expect(registry.atOnce()).toBeLessThanOrEqual(4)
  const bytes = registry.requests.reduce((sum, request) => sum + request.bytes, 0)
  expect((bytes / 45) * 4000).toBeLessThan(20_000_000)
})

/** Returns text that does not compress. */
const noise = (length: number, seed: number) =>
  createHash('sha512').update(`${seed}`).digest('base64').repeat(2).slice(0, length)

/** Returns a package.json of the size that plugins have. */
const aManifest = (n: number) => ({
  description: `Keeps short notes ${n} beside a session.`,
  license: 'MIT',
  type: 'module',
  main: './index.js',
  engines: { dsh: '>=0.1.0-rc.8 <0.3.0-0', node: '>=20' },
  keywords: ['dsh', 'plugin', 'notes', `tag-${n}`],
  dependencies: Object.fromEntries(Array.from({ length: 6 }, (_, m) => [`dependency-${m}`, `^${m}.${n}.0`])),
  scripts: { build: 'tsc -p .', test: 'vitest run', prepublishOnly: 'npm run build' },
  repository: { type: 'git', url: `git+https://github.com/acme/plugin-${n}.git` },
})

test('waits as long as a server asks to, and then asks again', async () => {
  registry.failNext({ status: 429, retryAfter: '1' })
  let waited = 0
  onProgress = () => {
    const { waitsUntil } = survey.status(keys)
    if (waitsUntil !== null) waited = waitsUntil - Date.now()
  }
  await survey.start(packages.slice(0, 1), folder)
  expect(waited).toBeGreaterThan(500)
  expect(registry.requests.map(({ status }) => status)).toEqual([429, 200])
})

test('goes on after a restart where it stopped', async () => {
  const half = Promise.withResolvers<void>()
  onProgress = () => {
    if (registry.requests.length >= 2) half.resolve()
  }
  const running = survey.start(keys, folder)
  await half.promise
  await survey.stop()
  await running
  const { done } = survey.status(keys)
  expect(done).toBeGreaterThan(0)
  expect(survey.status(keys)).toMatchObject({ state: 'stopped' })
  const asked = registry.requests.length
  open()
  await declarations.opened
  expect(declarations.isUnfinished).toBe(true)
  expect(survey.status(keys).done).toBe(done)
  await survey.start(keys, folder)
  expect(registry.requests.length - asked).toBeLessThanOrEqual(keys.length - done)
  expect(declarations.isUnfinished).toBe(false)
})

test('asks after a week only whether a document has changed', async () => {
  await survey.start(packages, folder)
  const week = 7 * 24 * 60 * 60_000
  now = () => Date.now() + week
  expect(survey.status(packages).done).toBe(0)
  await survey.start(packages, folder)
  expect(registry.requests.slice(6).map(({ status }) => status)).toEqual(packages.map(() => 304))
  expect(survey.status(packages)).toMatchObject({ state: 'done' })
})

test('stops, and says so, when nobody answers any more', async () => {
  const many = Array.from({ length: 40 }, (_, n) => `lost-${n}`)
  registry.failNext(...many.map(() => ({ status: 500 })))
  await survey.start(many, folder)
  expect(survey.status(many)).toMatchObject({ state: 'stopped', problem: 'unreachable', done: 0 })
  expect(registry.requests.length).toBeLessThan(30)
  expect(JSON.parse(await readFile(join(folder, 'declarations.json'), 'utf8'))).toMatchObject({ unfinished: true })
})
