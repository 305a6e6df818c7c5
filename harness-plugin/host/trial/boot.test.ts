import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processStart } from '@plugmark/shared/file-lock'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Output } from '../harness/output.ts'
import { type BootOptions, bootHarness, findStartupError } from './boot.ts'

/**
 * Stands in for the harness: writes the probe's reports one after the other; then waits, or ends if a row is pending.
 */
const HARNESS = `
const { renameSync, writeFileSync } = require('node:fs')
const write = (reports) => {
  const [{ at, state = 2, loaded = true, screen = { opened: false, refused: false, up: null, text: '' } }, ...more] = reports
  const rows = [{ id: 'a', name: 'a', disabled: false, state }]
  const told = { at, loaded, rows, layers: null, ...(process.env.ADDS && { adds: null }), port: Number(process.argv[3]) || null, entrance: null, screen }
  writeFileSync('report.part', JSON.stringify(told))
  renameSync('report.part', 'report.json')
  if (more.length > 0) setTimeout(write, 150, more)
  else if (state === 3) process.exit(1)
}
writeFileSync('pid', String(process.pid))
write(JSON.parse(process.argv[2]))
setInterval(() => {
  const { existsSync, readFileSync } = require('node:fs')
  if (!process.env.ADDS || !existsSync('withdraw.json')) return
  const adds = JSON.parse(process.env.ADDS)
  writeFileSync('report.part', JSON.stringify({ ...JSON.parse(readFileSync('report.json')), adds }))
  renameSync('report.part', 'report.json')
}, 50)`

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugmark-boot-'))
  await writeFile(join(home, 'harness.cjs'), HARNESS)
})
afterEach(() => rm(home, { recursive: true }))

const boot = (reports: readonly object[], { port, ...options }: Partial<BootOptions> & { port?: number } = {}) =>
  bootHarness({
    command: [process.execPath, 'harness.cjs', JSON.stringify(reports), String(port ?? '')],
    home,
    profile: 'web',
    plugins: [],
    args: [],
    env: {},
    startLimitMs: 60_000,
    settleMs: 2000,
    pageMs: 1000,
    output: new Output({ redactions: [], onLines: () => {} }),
    signal: new AbortController().signal,
    hasPage: () => false,
    browser: null,
    onScreen: () => {},
    ...options,
  })

/** Reports of a tree that stays as it is. On a busy machine some are overwritten before they are read. */
const staysUp = (from: number, state = 2) => Array.from({ length: 6 }, (_, n) => ({ at: from + n * 2000, state }))

test('tells what a started harness loses with the plugins on trial, if it is asked and can be seen', async () => {
  const adds = { commands: ['harbor-note'], tools: [] }
  const env = { ADDS: JSON.stringify(adds) }
  expect(await boot(staysUp(900), { env, ownRows: ['a'] })).toHaveProperty('adds', adds)
  for (const other of [{ env }, { ownRows: ['a'] }]) expect(await boot(staysUp(900), other)).not.toHaveProperty('adds')
})

test('counts a tree as up after two stable seconds of its own clock', async () => {
  const up = await boot([{ at: 500, loaded: false, state: 1 }, ...staysUp(900)])
  expect(up).toMatchObject({ up: true, rows: [{ id: 'a', state: 2 }], layers: null, page: { loads: 'unknown' } })
})

test('keeps the lines of a broken page apart on one line', async () => {
  const screen = {
    opened: true,
    refused: false,
    up: false,
    text: 'HARNESS\n\nFailed to load plugins\n kite:\tfailed\n',
  }
  const broken = await boot(staysUp(900).map((report) => ({ ...report, screen })))
  expect(broken).toHaveProperty('page.text', 'HARNESS · Failed to load plugins · kite: failed')
})

test('does not count a tree as up that hangs after it came up', async () => {
  expect(await boot([{ at: 900 }, { at: 2800 }], { startLimitMs: 3500 })).toMatchObject({ up: false })
})

test('starts the two seconds again when rows change', async () => {
  // Not back to the first state: a busy machine may read no report between.
  const reports = [{ at: 900 }, { at: 2800 }, { at: 2850, state: 0 }, { at: 4800, state: 0 }]
  expect(await boot(reports, { startLimitMs: 1500 })).toMatchObject({ up: false })
})

test('gives a tree that changes while its page is tried the whole time again', async () => {
  const stable = Array.from({ length: 22 }, (_, index) => ({ at: 2900 + index * 150 }))
  const reports = [{ at: 900 }, ...stable, { at: 6300, state: 1 }, ...staysUp(6350)]
  const isTried = { port: 1, hasPage: () => true }
  expect(await boot(reports, { ...isTried, startLimitMs: 3000 })).toMatchObject({ up: true })
}, 20_000)

test('counts a tree with an inactive row as up, and reports the row', async () => {
  const up = await boot(staysUp(900, 0))
  expect(up).toMatchObject({ up: true, rows: [{ id: 'a', state: 0 }] })
})

test('describes a harness that ends without output by its inactive rows, otherwise by its exit code', async () => {
  expect(await boot([{ at: 900, state: 3 }])).toMatchObject({ up: false, why: ['a: failed'], hung: false })
  await Promise.all([rm(join(home, 'report.json')), writeFile(join(home, 'ends.cjs'), 'process.exit(0)')])
  expect(await boot([], { command: [process.execPath, 'ends.cjs'] })).toMatchObject({
    up: false,
    why: ['exit code 0'],
    hung: false,
  })
})

test('reports a harness that does not come up in time as hung, with the rows that it waits for', async () => {
  await writeFile(join(home, 'loops.cjs'), 'for (;;);')
  expect(await boot([], { command: [process.execPath, 'loops.cjs'], startLimitMs: 300 })).toMatchObject({
    up: false,
    why: [],
    hung: true,
  })
  const waits = boot([{ at: 0, loaded: false, state: 1 }], { startLimitMs: 3000 })
  expect(await waits).toMatchObject({ up: false, why: ['a: loading'], hung: true })
})

test('does not wait for a page where the rows are enough to judge by', async () => {
  const screen = { opened: true, refused: false, up: null, text: '' }
  const reports = staysUp(900, 0).map((report) => ({ ...report, screen }))
  const isEnough: BootOptions['isEnough'] = ({ rows }) => rows[0]?.state === 0
  // A page that was opened is awaited for more than a minute.
  const signal = AbortSignal.timeout(30_000)
  const up = await boot(reports, { port: 1, hasPage: () => true, isEnough, signal })
  expect(up).toMatchObject({ up: true, rows: [{ id: 'a', state: 0 }], page: { loads: 'unknown' } })
})

test('passes a good trial whose browser cannot start, with an unknown page', async () => {
  await writeFile(join(home, 'browser'), 'in place of the folder for its data')
  const up = await boot(staysUp(900), { port: 1, browser: 'chromium' })
  expect(up).toMatchObject({ up: true, page: { loads: 'unknown' } })
})

test('starts a browser when the page of the store is closed before it has told', async () => {
  const browser = join(home, 'a-browser')
  await writeFile(browser, `#!/bin/sh\necho "$@" > ${join(home, 'opened')}`, { mode: 0o755 })
  let looks = 0
  await boot(staysUp(900), { port: 1, browser, hasPage: () => looks++ < 3 })
  expect(await readFile(join(home, 'opened'), 'utf8')).toContain('http://127.0.0.1:1/plugmark-trial-')
})

test('ends the harness when a listener throws', async () => {
  const onScreen = () => {
    throw new Error('its page is gone')
  }
  await expect(boot([{ at: 900 }], { port: 1, onScreen })).rejects.toThrow('its page is gone')
  expect(await processStart(Number(await readFile(join(home, 'pid'), 'utf8')))).toBeNull()
})

// Output of dsh 0.1.0-rc.8.
const QUOTE = ['file:///lib/index.js:1187', '    throw new Error(detail, { cause });', '          ^', '']

test.each([
  [
    'a plugin that throws',
    [
      'dsh web: http://127.0.0.1:1',
      ...QUOTE,
      'Error: dsh: plugin tree failed to load: boom',
      'Error: boom',
      '    at x',
    ],
    ['Error: dsh: plugin tree failed to load: boom'],
  ],
  [
    'a plugin that waits',
    [...QUOTE, 'Error: dsh: 1 entry did not activate', 'some-plugin: pending (waiting for service: x)', '    at boot'],
    ['Error: dsh: 1 entry did not activate', 'some-plugin: pending (waiting for service: x)'],
  ],
  [
    'one that fails later',
    ['dsh web: http://127.0.0.1:1', 'dsh: fatal load failure: Error: boom', '    at x', '    at y'],
    ['dsh: fatal load failure: Error: boom'],
  ],
  ['one that ends without a word', ['dsh web: http://127.0.0.1:1'], []],
])('%s', (_, lines, words) => {
  expect(findStartupError(lines, [])).toEqual(words)
})

test('names the innermost waiting row when there is no error', () => {
  expect(findStartupError(['dsh web: http://127.0.0.1:1'], ['include: loading', 'a', 'some-plugin: loading'])).toEqual([
    'a',
    'some-plugin: loading',
  ])
})

test('truncates a long line', () => {
  expect(findStartupError([`Error: ${'x'.repeat(5000)}`], [])[0]).toHaveLength(300)
})
