import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { aHome, aRecord, directoryOf } from '../host/testing.ts'
import type { DataOf } from './documents.ts'
import { Failure } from './failure.ts'
import { NO_DIRECTORY } from './session.ts'
import { runsForTests } from './testing.ts'
import { repairLines } from './text/profile-lines.ts'
import { render, renderFailure } from './text/render.ts'
import { hasCursor, pageFor } from './text/terminal.ts'
import { safeJson, safeText } from './writer.ts'

const { json, start, text } = runsForTests()

const HOSTILE = '\u001b[2J\u001b]0;owned\u0007\u202etxet\u2066\u200b\u009b31m\u2028\r'
const UNSAFE = /[^\P{C}\n\t]|[\u2028\u2029\p{Default_Ignorable_Code_Point}]/u

test.each([
  ['an unknown command', [HOSTILE]],
  ['an unknown option', ['search', `--${HOSTILE}`]],
  ['an id', ['show', `a/${HOSTILE}`]],
  ['a profile', ['list', '--profile', HOSTILE]],
  ['a directory', ['search', '--directory', `https://x.example/${HOSTILE}`]],
  ['a program of the harness', ['doctor', '--harness', `/nowhere/${HOSTILE}`]],
  ['words to search', ['search', HOSTILE, `is:${HOSTILE}`]],
  ['a limit', ['search', '--limit', HOSTILE]],
  ['a shell', ['completions', HOSTILE]],
  ['a stored setting', ['config', 'profile', HOSTILE]],
])('never writes control or bidi characters that %s has', async (_, argv) => {
  for (const color of ['auto', 'always']) {
    const { stdout, stderr } = await text([...argv, '--color', color])
    const shown = (stdout + stderr).replaceAll(/\u001b\[(?:1|2|22|31|32|33|39)m/g, '')
    expect(shown).not.toMatch(UNSAFE)
  }
  expect((await json(argv)).stderr).not.toMatch(UNSAFE)
})

test('never writes control or bidi characters that the directory sends', async () => {
  const hostile = directoryOf([
    aRecord('a/evil', {
      installCheck: 'passed',
      summary: HOSTILE,
      summaryZh: HOSTILE,
      license: HOSTILE,
      riskFlags: [HOSTILE],
      blockedBuilds: [HOSTILE],
      installOptions: [{ label: HOSTILE, cmd: HOSTILE, note: HOSTILE }],
    }),
  ])
  for (const argv of [['search'], ['show', 'a/evil'], ['index'], ['index', '--json']]) {
    const { stdout, stderr } = await text(argv, hostile)
    expect(stdout + stderr).not.toMatch(UNSAFE)
    expect(stdout).not.toBe('')
  }
})

test('keeps text and our own styles, and escapes control characters in JSON', () => {
  expect(safeText('\u001b[1mok\u001b[22m\u001b[8mhidden\u001b[31mred')).toBe(
    '\u001b[1mok\u001b[22m[8mhidden\u001b[31mred',
  )
  expect(safeText('跨会话\ttabs\nlines')).toBe('跨会话\ttabs\nlines')
  const value = { text: `${HOSTILE}插件` }
  expect(safeJson(value)).not.toMatch(UNSAFE)
  expect(JSON.parse(safeJson(value))).toEqual(value)
})

test.each([
  ['ENOSPC', { code: 1, stderr: expect.stringMatching(/^.*could not be written: no space\n$/) }],
  ['EPIPE', { code: 0, stderr: '' }],
])('ends with an error when output is lost, but not when nobody reads it: %s', async (code, expected) => {
  const stdout = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space'), { code })),
  })
  const { run, written } = start(['index'], { stdout })
  expect({ code: await run.finish(), stderr: written.stderr }).toEqual(expected)
})

test('writes rows with tabs to a pipe, and counts and hints to standard error', async () => {
  const { stdout, stderr } = await text(['search'])
  const rows = stdout.trimEnd().split('\n')
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatch(/^a\/good\tpassed\t3\ttools\t/)
  expect(stderr).toContain('3 of 3')
  expect((await text(['search', '--quiet'])).stderr).toBe('')
})

test('never calls a plugin loaded in a pipe that did not start', async () => {
  const home = await aHome()
  onTestFinished(() => home.dispose())
  const env = { DSH_HOME: home.home }
  const listed = (await json(['list', '--profile', 'web'], { env })).document.data
  expect(listed.checkedAt).toBeNull()
  const plugin = { package: 'good', version: '1.0.0', latest: null, loaded: true, verdict: null, id: 'a/good' }
  const nothing = { newsText: [], advisories: [], waiting: null, updateProblem: null, held: null }
  const data = { ...listed, plugins: [{ ...plugin, ...nothing, state: 'does-not-start' }] }
  const options = { env, stdout: {}, stderr: {}, locale: 'en', color: 'auto', directory: NO_DIRECTORY } as const
  expect(render('list', data, options).text).toBe('good\t1.0.0\t\tdoes-not-start\t\ta/good\n')
  const notes = (checkedAt: string | null) => render('list', { ...data, checkedAt }, options).notes.join(' ')
  expect([notes(null), notes('2026-11-28T00:00:00.000Z')]).toEqual([
    'Profile web Newer versions were not looked for yet: run “plugmark outdated”.',
    'Profile web',
  ])
})

test('asks for a repair by what it will switch off, and ends it with what it did and how to undo that', () => {
  const program = { path: '/x', version: '1' }
  const finding = {
    kind: 'plugin-broken',
    subjects: ['kite'],
    severity: 'error',
    repairable: true,
    sentence: 'kite: x',
  }
  const programs = { node: program, harness: program, packageManager: program }
  const lists = { findings: [finding], plugins: [], steps: [], left: [], leftUpdates: [], audit: null }
  const start = { state: 'starts', why: [] }
  const data = {
    home: '/home',
    profile: 'web',
    ...programs,
    start,
    ...lists,
    repair: null,
  } as never as DataOf<'doctor'>
  const stdout = { isTTY: true, columns: 80 }
  const shown = { env: {}, stdout, stderr: {}, locale: 'en', color: 'never', directory: NO_DIRECTORY } as const
  expect(repairLines(data, pageFor(stdout, shown)).at(-1)).toBe('→ Switch off kite. It stays installed.')
  const outcome = { kind: 'repaired', subjects: ['kite'], title: 'Repaired', message: 'It no longer loads kite.' }
  const { text } = render('doctor', { ...data, findings: [], repair: { outcome } as never }, shown)
  expect(text).toBe(
    '✓ The harness starts from this profile.\nRepaired. It no longer loads kite.\nTo undo it: plugmark undo --profile web\n',
  )
})

test.each([
  ['https://me:hunter2@x.example/a', 'https://***@x.example/a'],
  ['https://hunter2@x.example', 'https://***@x.example'],
  ['http://me:hun@ter2@x.example:80/', 'http://***@x.example:80/'],
  ['https://me:hun/ter2@x.example', 'https://***@x.example'],
  ['ssh://git:hunter2@x.example/a.git', 'ssh://***@x.example/a.git'],
  ['https://x.example/a?token=hunter2&b=1', 'https://x.example/a?token=***&b=1'],
  ['https://registry.example:4873/@scope/name', 'https://registry.example:4873/@scope/name'],
  ['ssh://git@x.example/a.git', 'ssh://git@x.example/a.git'],
  ['https://x.example/a and a@b.example', 'https://x.example/a and a@b.example'],
])('writes %s as %s', (given, written) => {
  expect(safeText(given)).toBe(written)
  expect(JSON.parse(safeJson({ given }))).toEqual({ given: written })
})

test('never prints a password that was typed or stored, and keeps the settings to their owner', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-secret-'))
  const env = { XDG_CONFIG_HOME: folder, PLUGMARK_API: '' }
  try {
    const secret = 'https://me:hunter2@x.example'
    const runs = [
      ['config', 'proxy', secret],
      ['config'],
      ['config', 'registry', `ftp://me:hunter2@x.example`],
      ['config', 'proxy', 'me:hunter2@x.example:80'],
      ['search', '--directory', 'me:hunter2@x.example'],
      ['show', 'https://x.example/a.tgz?token=hunter2'],
      ['search', '--directory', secret],
      ['search', secret],
      ['show', `git+${secret}/a/b.git`],
      ['install', `git+${secret}/a/b.git`],
    ]
    for (const argv of runs) {
      const { stdout, stderr } = await text(argv, { env })
      const { document, stderr: events } = await json([...argv, '--events'], { env })
      expect(stdout + stderr + events + JSON.stringify(document), argv.join(' ')).not.toContain('hunter2')
    }
    expect((await stat(join(folder, 'plugmark/config.json'))).mode & 0o777).toBe(0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each([
  ['a command', ['x\nNext: rm -rf /']],
  ['an id', ['show', 'x\r\nNext: rm -rf /']],
  ['a filter', ['search', 'is:x\nNext: rm -rf /']],
  ['an option', ['search', '--x\nNext: rm -rf /']],
  ['an address', ['search', '--directory', 'x\u2028\nNext: rm -rf /']],
])('keeps line breaks of %s from looking like its own lines', async (_, argv) => {
  const { stdout, stderr } = await text(argv)
  expect((stdout + stderr).split(/[\n\r]/).filter((line) => line.startsWith('Next: rm'))).toEqual([])
  const env = { PLUGMARK_API: 'x\nNext: rm -rf /' }
  expect((await text(['search'], { env })).stderr).not.toMatch(/^Next: rm/m)
})

test('writes over a line only where a terminal says that it can', () => {
  expect(hasCursor({ isTTY: true }, { TERM: 'xterm' })).toBe(true)
  expect(hasCursor({ isTTY: true }, { TERM: 'dumb' })).toBe(false)
  expect(hasCursor({ isTTY: true }, {})).toBe(process.platform === 'win32')
  expect(hasCursor({}, { TERM: 'xterm' })).toBe(false)
})

test('says once why a plugin is refused', async () => {
  const failure = new Failure('refused-verdict', 'a/good: Not a plugin.', {
    data: { reviews: [{ id: 'a/good' }] },
    next: 'plugmark install a/good --allow-verdict not-a-layer',
  })
  const page = { env: {}, stdout: {}, stderr: {}, locale: 'en', color: 'auto' } as const
  expect(renderFailure(failure, page)).toBe(
    'Error: a/good: Not a plugin.\nNext: plugmark install a/good --allow-verdict not-a-layer\n',
  )
})
