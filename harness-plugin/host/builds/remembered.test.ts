import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rememberBuilds } from './remembered.ts'

let directory: string
let problems: string[]
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-builds-'))
  problems = []
})
afterEach(() => rm(directory, { recursive: true }))

const path = () => join(directory, 'state', 'blocked.json')
const open = () => rememberBuilds({ path: path(), onProblem: (message) => problems.push(message) })
const install = { home: '/home', profile: 'web', listing: 'a/bell' }
const approval = {
  setting: 'allowBuilds',
  builds: [{ package: 'bell', version: '1.0.0', key: 'bell@1.0.0', scripts: { install: 'node build.js' } }],
} as const

test('what was blocked is known after a restart, in that profile of that home alone', async () => {
  const before = open()
  before.set(install, approval)
  await before.saved()
  const after = open()
  expect(after.get(install)).toEqual(approval)
  for (const other of [{ home: '/other' }, { profile: 'work' }, { listing: 'a/other' }])
    expect(after.get({ ...install, ...other })).toBeNull()
  after.delete(install)
  await after.saved()
  expect(open().get(install)).toBeNull()
  expect(await readdir(join(directory, 'state'))).toEqual(['blocked.json'])
})

test('two programs at once lose nothing of each other’s', async () => {
  const [one, other] = [open(), open()]
  const second = { ...install, listing: 'a/other' }
  one.set(install, approval)
  other.set(second, approval)
  await Promise.all([one.saved(), other.saved()])
  expect([open().get(install), open().get(second)]).toEqual([approval, approval])
})

test.each(['', '[]', '{"x":{"setting":"all","builds":[]}}'])('a file that says %j says nothing', async (text) => {
  const before = open()
  before.set(install, approval)
  await before.saved()
  await writeFile(path(), text)
  expect(open().get(install)).toBeNull()
})

test('where nothing can be written it is known until the end, and the log told', async () => {
  await writeFile(join(directory, 'state'), 'in the way')
  const builds = open()
  builds.set(install, approval)
  await builds.saved()
  expect(builds.get(install)).toEqual(approval)
  expect(problems).toHaveLength(1)
})
