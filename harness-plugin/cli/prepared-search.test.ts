import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import * as host from '../host/index.ts'
import { aHome, aRecord, directoryOf } from '../host/testing.ts'
import { readPrepared } from './prepared-search.ts'
import { runsForTests } from './testing.ts'

const runs = runsForTests()
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const records = [
  aRecord('moss/field-notes', { installCheck: 'passed', stars: 30, category: 'memory', summaryZh: '笔记 ①' }),
  aRecord('moss/dark', { installCheck: 'passed', stars: 20, category: 'theme', license: 'MIT' }),
  aRecord('moss/many#one', { installCheck: 'passed', stars: 90, npmPackage: 'one', riskFlags: ['network access'] }),
  aRecord('moss/waiting', { installCheck: 'needs-approval', stars: 9, summary: 'Notes that wait.' }),
  aRecord('moss/failed', { installCheck: 'failed', stars: 8, summary: 'Notes that fail.' }),
]
const directory = directoryOf(records)

async function search(words: readonly string[] = [], fetch = directory.fetch, env: Record<string, string> = {}) {
  const { code, document, stderr } = await runs.json(['search', ...words], { fetch, env })
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const { ageMs: _, ...read } = document.directory
  return { ...document.data, directory: read }
}

/** Returns the folder of the copy in the state folder of these runs. */
async function copyOf(): Promise<string> {
  const state = join(runs.home(), '.local/state/plugmark')
  const [name] = await readdir(state)
  return join(state, name!)
}
const preparedFile = async () => join(await copyOf(), 'search.txt')
const isPrepared = async () => (await readPrepared(await copyOf())) !== null

test('the search that reads the directory prepares the next one, which reads neither directory nor listings', async () => {
  const opened = vi.spyOn(host, 'createStoreHost')
  const first = await search(['notes'])
  expect(opened).toHaveBeenCalledOnce()
  expect(await isPrepared()).toBe(true)
  const unread = vi.fn<typeof fetch>().mockRejectedValue(new TypeError('not asked'))
  expect(await search(['notes'], unread)).toEqual(first)
  expect(opened).toHaveBeenCalledOnce()
  expect(unread).not.toHaveBeenCalled()
})

test.each([[['show', 'moss/dark']], [['list', '--profile', 'web']], [['install', 'moss/nothing']]])(
  'a command that reads the directory prepares the next search, whatever its end: %j',
  async (argv) => {
    const home = await aHome()
    onTestFinished(() => home.dispose())
    await runs.start([...argv, '--json'], { fetch: directory.fetch, env: { DSH_HOME: home.home } }).run.finish()
    expect(await isPrepared()).toBe(true)
  },
)

test('a refresh of the index prepares the next search', async () => {
  expect((await runs.json(['index', '--refresh'], { fetch: directory.fetch })).code).toBe(0)
  expect(await isPrepared()).toBe(true)
})

test.each([
  [['notes']],
  [['笔记']],
  [['feild-notes']],
  [['notes', 'dark', 'nothing']],
  [['sort:name']],
  [['sort:checked', 'is:all']],
  [['category:theme', 'license:mit']],
  [['risk:"network access"', '--all']],
  [['is:installed']],
  [[]],
])('a prepared search for %j answers as the search of the listings does', async (words) => {
  const home = await aHome()
  onTestFinished(() => home.dispose())
  const find = (words: readonly string[]) => search(words, directory.fetch, { DSH_HOME: home.home })
  await find([])
  const prepared = await find(words)
  await rm(await preparedFile())
  expect(await find(words)).toEqual(prepared)
})

test.each([
  ['is missing', () => null],
  ['is empty', () => ''],
  ['is cut off', (text: string) => text.slice(0, -1)],
  ['has another letter', (text: string) => text.replace('field-notes', 'field-vetos')],
  ['is of another version of the program', (text: string) => text.replace(/"format":"[^"]*"/, '"format":"0.0.0 1"')],
  ['is something else', () => '{"version":9}'],
])('a prepared file that %s is not shown, and is written again', async (_, damage) => {
  const before = await search(['notes'])
  const text = damage(await readFile(await preparedFile(), 'utf8'))
  if (text === null) await rm(await preparedFile())
  else await writeFile(await preparedFile(), text)
  expect(await isPrepared()).toBe(false)
  expect(await search(['notes'])).toEqual(before)
  expect(await isPrepared()).toBe(true)
})

test.each(['index.json', 'state.json', 'listings.json'])(
  'another process that writes %s ends what was prepared',
  async (name) => {
    await search(['notes'])
    const path = join(await copyOf(), name)
    await writeFile(`${path}.new`, (await readFile(path, 'utf8')).replaceAll('"stars":30', '"stars":31'))
    await rename(`${path}.new`, path)
    expect(await isPrepared()).toBe(false)
    const [first] = (await search(['field-notes'])).listings
    expect(first.stars).toBe(name === 'listings.json' ? 31 : 30)
    expect(await isPrepared()).toBe(true)
  },
)

test('a search finds without a copy where none can be stored', async () => {
  const given = { fetch: directory.fetch, env: { XDG_STATE_HOME: '/dev/null/nowhere' } }
  const { code, document } = await runs.json(['search', 'notes'], given)
  expect([code, document.data.total]).toEqual([0, 2])
})

test('a copy that is no longer fresh is read again, whatever was prepared', async () => {
  await search()
  vi.useFakeTimers({ now: Date.now() + 7 * 60 * 60_000, toFake: ['Date'] })
  const more = directoryOf([...records, aRecord('moss/new-notes', { installCheck: 'passed' })])
  expect((await search(['new-notes'], more.fetch)).total).toBe(1)
})
