import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SetupError } from '../errors.mjs'
import { announcement } from '../prepare.mjs'
import { chromium, findChromium } from './chromium.mjs'
import { font } from './font.mjs'
import { git } from './git.mjs'
import type { Machine } from './need.mjs'
import { harness } from './packages.mjs'

let root: string
let warnings: string[]
beforeEach(async () => {
  warnings = []
  root = await mkdtemp(join(tmpdir(), 'plugmark-machine-'))
})
afterEach(() => rm(root, { recursive: true }))

/** A computer with nothing but a package manager; Debian and its superuser unless told otherwise. */
const bare = (changes: Partial<Machine> = {}): Machine => ({
  root,
  platform: 'linux',
  arch: 'x64',
  distribution: 'debian',
  superuser: true,
  env: {},
  which: (name) => (name === 'apt-get' ? '/usr/bin/apt-get' : null),
  warn: (message) => warnings.push(message),
  ...changes,
})

/** One on which this program is found, wherever it is. */
const having = (name: string, path = process.execPath) => bare({ which: (asked) => (asked === name ? path : null) })

test("on Debian the superuser gets Debian's packages", async () => {
  const lacks = await Promise.all([git, chromium, font].map((need) => need.check(bare())))
  expect(lacks.map((lack) => lack?.apt)).toEqual([['git'], ['chromium'], ['fonts-noto-cjk', 'fontconfig']])
})

test.each([{ superuser: false }, { distribution: 'ubuntu' }, { distribution: 'fedora' }])(
  'with %j nothing is asked of the system',
  async (changes) => {
    const machine = bare(changes)
    await expect(git.check(machine)).rejects.toThrow(/Install it with your system's package manager/)
    expect(await chromium.check(machine)).toMatchObject({ from: "Playwright's own download" })
    expect(await font.check(machine)).toBeNull()
    expect(warnings).toEqual([expect.stringContaining('fonts-noto-cjk')])
  },
)

test('what is there is not brought', async () => {
  expect(await git.check(having('git'))).toBeNull()
  expect(await chromium.check(having('google-chrome'))).toBeNull()
})

test('a browser that only says how to get it is not one', async () => {
  const stub = join(root, 'chromium')
  await writeFile(stub, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  expect(findChromium(having('chromium', stub))).toBeNull()
})

test('CHROMIUM comes first, and must be there', async () => {
  const machine = bare({ env: { CHROMIUM: process.execPath } })
  expect(findChromium(machine)).toBe(process.execPath)
  expect(await chromium.check(machine)).toBeNull()
  const wrong = chromium.check(bare({ env: { CHROMIUM: join(root, 'gone') } }))
  await expect(wrong).rejects.toThrow(SetupError)
})

test('the harness is refused where it cannot be had, before anything is fetched', async () => {
  await expect(harness.check(bare({ platform: 'darwin', arch: 'arm64' }))).rejects.toThrow('--no-harness')
})

test('everything is said beforehand: sizes, their sum, and what goes into the system', () => {
  const text = announcement(
    [
      { what: 'git', from: 'apt-get', fetch: 20, disk: 100, apt: ['git'] },
      { what: 'packages', from: 'npm', fetch: 190, disk: 460 },
    ],
    79_400,
  )
  expect(text.split('\n')).toEqual([
    'Missing here, and fetched now:',
    '  git        20 MB to fetch  100 MB on disk   apt-get',
    '  packages  190 MB to fetch  460 MB on disk   npm',
    '            210 MB to fetch  560 MB on disk   in all, at most',
    '79 GB are free.',
    "The system's package manager will install: git",
    '',
  ])
})
