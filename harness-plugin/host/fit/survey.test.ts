import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RegistryForTests, startRegistryForTests } from '../registry/testing.ts'
import { type Declarations, openDeclarations } from './declarations.ts'
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
  declarations = openDeclarations({
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
