import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { Writable } from 'node:stream'
import { BASE_URL } from '@plugmark/shared/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { JobData } from '../client/published.ts'
import { aHome, aRecord, directoryOf } from '../host/testing.ts'

import { settingsFile, stateFolder } from './cli-settings.ts'
import { Failure, jobFailure } from './failure.ts'
import { NO_DIRECTORY } from './session.ts'
import { readDocument, records, runsForTests } from './testing.ts'
import { widthOf } from './text/columns.ts'
import { hasCursor } from './text/page.ts'
import { render, renderFailure } from './text/render.ts'
import { safeJson, safeText, withoutSecrets } from './writer.ts'

const { json, start } = runsForTests()
/** Runs the program in a pipe without --json. */
async function text(argv: readonly string[], given: Parameters<typeof start>[1] = {}) {
  const { run, written } = start(argv, given)
  return { code: await run.finish(), ...written }
}

test('names the exact command with what was probably meant', async () => {
  for (const [command, ...options] of [['show'], ['open', '--what', 'source']]) {
    const { document } = await json([command!, 'b/goood', ...options])
    expect([document.error.code, document.error.next]).toEqual([
      'unknown-listing',
      ['plugmark', command, 'a/good', ...options, '--json'].join(' '),
    ])
  }
  expect((await text(['show', 'b/goood'])).stderr).toContain('Next: plugmark show a/good\n')
  const { document } = await json(['show', 'goood', '--profile', 'goood', '--home', 'goood'])
  expect(document.error.next).toBe('plugmark show a/good --profile goood --home goood --json')
})

test('names the shells where none is named, and what holds for a setting that is not set', async () => {
  expect((await text(['completions'])).stderr).toContain('Name your shell: bash, zsh, fish, powershell.')
  let shown = ''
  const stdout = new Writable({
    write(chunk, _, done) {
      shown += chunk
      done()
    },
  })
  await text(['config'], { env: { NO_COLOR: '1' }, stdout: Object.assign(stdout, { isTTY: true, columns: 80 }) })
  expect(shown).toMatch(/^harness +not set: dsh, on PATH$/m)
})

test('finds plugins that passed, and with --all the others', async () => {
  const passed = await json(['search'])
  expect(passed.document.data.listings.map(({ id }: { id: string }) => id)).not.toContain('a/failed')
  expect(passed.document.data).toMatchObject({ total: 3, hidden: 1 })
  expect((await json(['search', '--all', '--limit', '1'])).document.data).toMatchObject({
    total: 4,
    listings: [{ id: 'a/good' }],
  })
})

test('takes a whole full name or package name', async () => {
  expect((await json(['show', 'A/GOOD'])).document.data.id).toBe('a/good')
  expect((await json(['show', 'two'])).document.data.id).toBe('b/many#two')
  expect(await json(['show', 'b/many'])).toMatchObject({
    code: 3,
    document: { error: { code: 'ambiguous' }, data: { suggestions: ['b/many#one', 'b/many#two'] } },
  })
  expect(await json(['show', 'a/goo'])).toMatchObject({
    code: 3,
    document: { error: { code: 'unknown-listing' }, data: { suggestions: ['a/good'] } },
  })
})

test('ends with 6 when the directory cannot be reached, and names it in the document', async () => {
  const fetch = () => Promise.reject(new TypeError('fetch failed'))
  const { code, document } = await json(['index'], { fetch })
  expect(code).toBe(6)
  expect(document).toMatchObject({
    directory: { url: 'https://directory.example', state: 'unreachable', readAt: null },
    error: { code: 'directory', retryable: true, next: expect.any(String) },
  })
})

test('keeps the stored index of another site until told to replace it', async () => {
  const directory = directoryOf(records)
  await json(['index'], directory)
  const moved = {
    ...directory,
    fetch: (async (...given) => {
      const answer = await directory.fetch(...given)
      const body = await answer.json()
      return Response.json(body.site ? { ...body, site: 'https://www.directory.example' } : body)
    }) as typeof fetch,
  }
  directory.change([...records])
  expect(await json(['index', '--refresh', '--home', '/homes/one'], moved)).toMatchObject({
    code: 4,
    document: {
      error: {
        code: 'index-differs',
        message: expect.stringContaining('from https://www.directory.example'),
        next: expect.not.stringContaining('plugmark'),
      },
      data: { accept: 'plugmark index --replace --home /homes/one --json' },
    },
  })
  expect(await json(['index', '--replace'], moved)).toMatchObject({ code: 0 })
  expect(await json(['index', '--refresh'], moved)).toMatchObject({ code: 0 })
})

test('shows a plugin that only the index has without a network, with its command', async () => {
  const directory = directoryOf(records)
  await json(['search'], directory)
  directory.fail(true)
  expect((await json(['show', 'a/failed'], directory)).document.data).toMatchObject({
    described: false,
    command: 'dsh plugin --profile web add failed',
    reason: null,
  })
  const { run, written } = start(['show', 'a/failed'], directory)
  await run.finish()
  expect(written.stdout).not.toMatch(/Licence|Risk/)
  // The listing may be newer than the index.
  expect(await json(['show', 'a/newer'], directory)).toMatchObject({
    code: 3,
    document: { error: { message: expect.stringContaining('cannot be reached') } },
  })
})

test('reports an unknown filter and does not apply it', async () => {
  expect((await json(['search', 'is:updatable'])).document.data).toMatchObject({ total: 3, problems: ['is:updatable'] })
})

test('offers the filter that an unknown one may have meant', async () => {
  expect((await json(['search', 'notes', 'categry:memory'])).document.data).toMatchObject({
    problems: ['categry:memory'],
    offered: 'category:memory',
  })
  expect((await text(['search', 'categry:memory'])).stderr).toContain('Did you mean: category:memory?')
})

test('requests nothing for a command that needs no directory', async () => {
  let requests = 0
  const fetch = () => {
    requests++
    return Promise.reject(new TypeError('fetch failed'))
  }
  for (const command of ['doctor', 'undo'])
    expect((await json([command, '--profile', 'web'], { fetch })).document).toMatchObject({
      command,
      directory: { state: 'not-used' },
    })
  expect(requests).toBe(0)
})

test('ignores an empty variable', async () => {
  const { document } = await json(['capabilities'], { env: { PLUGMARK_API: '' } })
  expect(document.directory.url).toBe(BASE_URL)
})

test('writes one document for an error that nobody caught', async () => {
  const { run, written } = start(['search', '--json'])
  const finished = run.finish()
  expect(await run.crash(new Error('out of the blue'))).toBe(1)
  await finished
  expect(readDocument(written.stdout)).toMatchObject({
    ok: false,
    error: { code: 'internal', message: 'Something went wrong: out of the blue' },
  })
})

test('ends at once when a person cancels while the directory is read', async () => {
  const asked = Promise.withResolvers<void>()
  const never: typeof fetch = (_, init) => {
    asked.resolve()
    return new Promise((_, reject) => {
      const end = () => reject(init?.signal?.reason)
      init?.signal?.addEventListener('abort', end)
      if (init?.signal?.aborted) end()
    })
  }
  const { run, cancel, written } = start(['search', '--json'], { fetch: never })
  void asked.promise.then(() => cancel.abort(new Error('Cancelled.')))
  expect(await run.finish()).toBe(130)
  expect(readDocument(written.stdout)).toMatchObject({ error: { code: 'cancelled', retryable: true } })
})

test.each([
  [['show', 'nothing'], 3, '错误：插件目录没有收录“nothing”。'],
  [['serach'], 2, '错误：没有 serach 这个命令。你要找的是不是 search？'],
  [['search', '--colour'], 2, '错误：没有 --colour 这个选项。你要找的是不是 --color？'],
  [['show'], 2, '错误：缺少参数 id。'],
  [['show', 'a', 'b'], 2, '错误：show 的参数过多。'],
  [['search', '--license'], 2, '错误：选项 -l, --license <id> 缺少值。'],
  [['completions', 'cmd'], 2, '错误：cmd 不能用于 shell。可选：bash、zsh、fish、powershell。'],
  [['index', '--format', 'xml'], 2, '错误：xml 不能用于 --format <format>。可选：json、ndjson。'],
  [['search', '--limit', 'many'], 2, '错误：--limit 的值必须是 1 到 99999 的整数，不能是“many”。'],
])('reports a wrong command line in the language of the person: %s', async (argv, code, said) => {
  const { run, written } = start(argv, { env: { LANG: 'zh_CN.UTF-8' } })
  expect(await run.finish()).toBe(code)
  expect(written.stdout).toBe('')
  expect(written.stderr.split('\n')[0]).toBe(said)
})

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
  for (const argv of [['search'], ['show', 'a/evil'], ['index'], ['index', '--format', 'ndjson']]) {
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
  const { run, written } = start(['index', '--format', 'ndjson'], { stdout })
  expect({ code: await run.finish(), stderr: written.stderr }).toEqual(expected)
})

test('reports an unknown command with any options', async () => {
  for (const argv of [['nonsense'], ['nonsense', '--help'], ['help', 'nonsense'], ['--quiet', 'nonsense', '-h']]) {
    expect(await json(argv), argv.join(' ')).toMatchObject({
      code: 2,
      document: { ok: false, command: null, error: { code: 'usage', message: 'There is no command "nonsense".' } },
    })
  }
  expect((await json(['sarch', '--help'])).document.error.message).toContain('Did you mean search?')
  for (const typed of ['inf', 'lst', 'out', 'shwo-me']) {
    const { message } = (await json([typed])).document.error
    expect(message).not.toMatch(/Did you mean (?:install|update|remove|undo|add|i|rm)\?/)
  }
})

test.each([
  ['info', ['a/good'], 'show'],
  ['view', ['a/good'], 'show'],
  ['ls', ['--profile', 'web'], 'list'],
  ['outdated', ['--profile', 'web'], 'list'],
  ['add', ['a/good', '--profile', 'web'], 'install'],
  ['i', ['a/good', '--profile', 'web'], 'install'],
  ['upgrade', ['a/good', '--profile', 'web'], 'update'],
  ['uninstall', ['a/good', '--profile', 'web'], 'remove'],
  ['rm', ['a/good', '--profile', 'web'], 'remove'],
])('takes %s as people type it', async (alias, args, command) => {
  expect((await json([alias, ...args])).document.command).toBe(command)
})

test('shows its help when no command is typed, with variables, examples and topics', async () => {
  const { code, stdout, stderr } = await text([])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const part of ['PLUGMARK_API', 'plugmark search notes', 'exit-codes']) expect(stdout).toContain(part)
  // The commands that people use most come first, in a group of their own.
  const [, first = ''] = /^Commands:\n(.*?)\n\n/ms.exec(stdout) ?? []
  expect(Array.from(first.matchAll(/^ {2}(\S+)/gm), ([, name]) => name)).toEqual([
    'search',
    'show',
    'install',
    'list',
    'update',
    'remove',
    'undo',
    'doctor',
  ])
  expect((await text(['help'])).stdout).toBe(stdout)
  expect((await text(['help', 'search'])).stdout).toContain('plugmark search memory')
  expect((await text(['search', '--help'])).stdout).toContain('plugmark search memory')
  expect((await text(['help', 'environment'])).stdout).toContain('XDG_CONFIG_HOME')
  expect((await text(['help', 'exit-codes'])).stdout).toContain('130')
  expect((await text(['help', 'options'])).stdout).toContain('--harness <path>')
  expect((await text(['search', '--help'])).stdout).toContain('plugmark help options')
  expect((await json([])).document).toMatchObject({ ok: true, command: 'help' })
})

test('writes rows with tabs to a pipe, and counts and hints to standard error', async () => {
  const { stdout, stderr } = await text(['search'])
  const rows = stdout.trimEnd().split('\n')
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatch(/^a\/good\tpassed\t3\ttools\t/)
  expect(stderr).toContain('3 of 3')
  expect((await text(['search', '--quiet'])).stderr).toBe('')
})

test('cuts a document to the fields that are named', async () => {
  const { stdout } = await text(['search', '--json=id,total'])
  expect(JSON.parse(stdout).data).toEqual({
    total: 3,
    listings: [{ id: 'a/good' }, { id: 'b/many#one' }, { id: 'b/many#two' }],
  })
  const wrong = JSON.parse((await text(['search', '--json=nme'])).stdout)
  expect(wrong.error).toMatchObject({ code: 'usage', message: expect.stringContaining('stars') })
})

test('changes nothing when a named field does not exist', async () => {
  const stored = { PLUGMARK_API: '' }
  const { code, stdout } = await text(['config', 'directory', 'https://stored.example', '--json=nme'], { env: stored })
  expect({ code, error: JSON.parse(stdout).error.code }).toEqual({ code: 2, error: 'usage' })
  expect((await json(['capabilities'], { env: stored })).document.directory.url).toBe(BASE_URL)
})

test.each([
  ...[
    'unknown-profile',
    'unknown-package-manager',
    'not-installable',
    'not-installed',
    'unknown-source',
    'profile-state',
  ],
  ...['other-package', 'malware', 'source-unauthorized', 'source-unreachable', 'package-manager', 'directory'],
  ...['already-running', 'job-running', 'unknown-job', 'pnpm-missing', 'harness-missing'],
] as const)('names a next step where the host refuses as %s', (code) => {
  expect(new Failure(code, 'It was refused.').next).not.toBeNull()
})

test('names the same home and profile in the repair that follows a job', () => {
  const outcome = { kind: 'profile-broken', title: 'Broken', message: null, allowCommand: null }
  const job = { outcome, log: null, action: 'install' } as unknown as JobData
  const command = (...words: readonly string[]) => ['plugmark', ...words, '--home', '/homes/one'].join(' ')
  expect(jobFailure(job, { command, profile: 'other' }).next).toBe(
    'plugmark doctor --fix --profile other --home /homes/one',
  )
})

test('names what shows why a job failed, and nothing where a person cancelled it', () => {
  const next = (kind: string, log: string | null) => {
    const outcome = { kind, title: 'It failed', message: '', allowCommand: null }
    const job = { job: '3f2a91c0-0000', outcome, log, action: 'install' } as unknown as JobData
    return jobFailure(job, { command: (...words) => ['plugmark', ...words].join(' '), profile: 'web' }).next
  }
  expect(next('disk-full', null)).toBe('plugmark doctor --profile web')
  expect(next('failed', '/there/log')).toBe('plugmark history 3f2a91c0 --profile web')
  expect(next('cancelled', '/there/log')).toBeNull()
})

test('finds a plugin by address, install command and unique name, as search lists it', async () => {
  for (const id of ['https://github.com/a/good', 'dsh plugin --profile web add github:a/good', 'good', 'GOOD'])
    expect((await json(['show', id])).document.data?.id, id).toBe('a/good')
})

test('stores settings, which options and variables override', async () => {
  const stored = { PLUGMARK_API: '' }
  expect((await json(['config', 'directory', 'https://stored.example'], { env: stored })).code).toBe(0)
  for (const command of ['capabilities', 'config'])
    expect((await json([command], { env: stored })).document.directory.url).toBe('https://stored.example')
  expect((await json(['capabilities'])).document.directory.url).toBe('https://directory.example')
  expect((await text(['config', 'directory'], { env: stored })).stdout).toBe('directory\thttps://stored.example\n')
  expect((await json(['config', 'directory', 'ftp://x'], { env: stored })).code).toBe(2)
  expect((await json(['config', 'profile', '../up'])).code).toBe(2)
  expect((await json(['config', 'directory', '--unset'], { env: stored })).code).toBe(0)
  expect((await json(['capabilities'], { env: stored })).document.directory.url).toBe(BASE_URL)
})

test('repairs a stored setting that no other command can use, and keeps what other programs store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-settings-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const env = { XDG_CONFIG_HOME: folder, PLUGMARK_API: '' }
  const file = join(folder, 'plugmark/config.json')
  await mkdir(join(folder, 'plugmark'))
  await writeFile(file, '{"directory":"ftp://x","profile":"a/b","later":"kept"}')
  expect((await json(['search'], { env })).code).toBe(2)
  expect((await json(['config', 'directory'], { env })).document.data.settings).toEqual([
    { key: 'directory', value: 'ftp://x' },
  ])
  expect((await json(['config', 'directory', '--unset'], { env })).code).toBe(0)
  expect((await json(['search'], { env, fetch: directoryOf(records).fetch })).code).toBe(0)
  const changes = [
    ['profile', 'web'],
    ['harness', '/there/dsh'],
    ['home', '/there'],
    ['registry', 'https://registry.example'],
    ['proxy', 'http://proxy.example'],
  ] as const
  const codes = await Promise.all(changes.map(async (change) => (await json(['config', ...change], { env })).code))
  expect(codes).toEqual([0, 0, 0, 0, 0])
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ later: 'kept', ...Object.fromEntries(changes) })
})

test('never calls a plugin loaded in a pipe that did not start', async () => {
  const home = await aHome()
  onTestFinished(() => home.dispose())
  const env = { DSH_HOME: home.home }
  const listed = (await json(['list', '--profile', 'web'], { env })).document.data
  const plugin = { package: 'good', version: '1.0.0', latest: null, loaded: true, verdict: null, id: 'a/good' }
  const nothing = { newsText: [], advisories: [], waiting: null, updateProblem: null, held: null }
  const data = { ...listed, plugins: [{ ...plugin, ...nothing, state: 'does-not-start' }] }
  const options = { env, stdout: {}, stderr: {}, locale: 'en', color: 'auto', directory: NO_DIRECTORY } as const
  expect(render('list', data, options).text).toBe('good\t1.0.0\t\tdoes-not-start\t\ta/good\n')
})

test('does not answer that nothing is installed where that is unknown', async () => {
  const none = await json(['search', 'is:installed'], { env: { DSH_HOME: '/nowhere' } })
  expect(none).toMatchObject({ code: 7, document: { error: { code: 'no-profile', next: expect.any(String) } } })
  const home = await aHome()
  onTestFinished(() => home.dispose())
  const there = await json(['search', 'is:installed'], { env: { DSH_HOME: home.home } })
  expect(there).toMatchObject({ code: 0, document: { data: { total: 0 } } })
})

test('opens a page whatever profile is stored', async () => {
  const home = await aHome()
  onTestFinished(() => home.dispose())
  const env = { DSH_HOME: home.home }
  expect((await json(['config', 'profile', 'gone'], { env })).code).toBe(0)
  expect((await json(['list'], { env })).document.error.code).toBe('unknown-profile')
  expect((await json(['open', 'a/good', '--what', 'source'], { env })).code).toBe(0)
})

test('reads a set from a file or standard input, and refuses anything else', async () => {
  for (const content of [
    '',
    '[]',
    '{"plugmark":2,"plugins":[]}',
    '{"plugmark":1,"profile":"web","plugins":[{"package":1}]}',
  ]) {
    const { run, written } = start(['import', '-', '--profile', 'web', '--json'], { stdin: content })
    expect([content, await run.finish()]).toEqual([content, 2])
    expect(readDocument(written.stdout).error.message).toContain('"-" cannot be read')
  }
  expect((await json(['import', '/nowhere/set.json'])).code).toBe(2)
})

test('names the source of an unreachable address once and without its query', async () => {
  const fetch = () => Promise.reject(new TypeError('fetch failed'))
  const { stderr } = await text(['search', 'x'], { fetch })
  expect(stderr.match(/directory\.example/g)).toHaveLength(1)
  expect(stderr).toContain('PLUGMARK_API')
  expect(stderr).not.toContain('?')
})

test.each([
  ['https://me:hunter2@x.example/a', 'https://***@x.example/a'],
  ['https://hunter2@x.example', 'https://***@x.example'],
  ['http://me:hun@ter2@x.example:80/', 'http://***@x.example:80/'],
  ['https://me:hun/ter2@x.example', 'https://***@x.example'],
  ['ssh://git:hunter2@x.example/a.git', 'ssh://git:***@x.example/a.git'],
  ['https://x.example/a?token=hunter2&b=1', 'https://x.example/a?token=***&b=1'],
  ['https://registry.example:4873/@scope/name', 'https://registry.example:4873/@scope/name'],
  ['ssh://git@x.example/a.git', 'ssh://git@x.example/a.git'],
  ['https://x.example/a and a@b.example', 'https://x.example/a and a@b.example'],
])('writes %s as %s', (given, written) => {
  expect(withoutSecrets(given)).toBe(written)
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

test('keeps its folders in the home of the account when HOME is empty or relative', () => {
  for (const HOME of ['', 'here']) {
    expect(isAbsolute(settingsFile({ HOME }))).toBe(true)
    expect(isAbsolute(stateFolder({ HOME }))).toBe(true)
  }
  expect(settingsFile({ HOME: '/home/me' })).toBe('/home/me/.config/plugmark/config.json')
})

test('reports a wrong value of a global option as a usage error', async () => {
  for (const argv of [
    ['search', '--color', 'maybe'],
    ['--color', 'maybe', 'nonsense'],
    ['--color', 'maybe'],
  ])
    expect(await json(argv), argv.join(' ')).toMatchObject({ code: 2, document: { error: { code: 'usage' } } })
})

test.each(['C', 'zh_CN.UTF-8'])('keeps every help within 80 columns: %s', async (LANG) => {
  const { document } = await json(['capabilities'])
  const commands = document.data.commands.map(({ name }: { name: string }) => [name, '--help'])
  for (const argv of [[], ...commands, ...['options', 'environment', 'exit-codes'].map((topic) => ['help', topic])])
    for (const line of (await text(argv, { env: { LANG } })).stdout.split('\n'))
      expect(widthOf(line), line).toBeLessThanOrEqual(80)
})

test('fits the help into a narrow terminal', async () => {
  let shown = ''
  const write = (chunk: Buffer, _: unknown, done: () => void) => {
    shown += chunk
    done()
  }
  for (const argv of [[], ['install', '--help'], ['help', 'exit-codes']]) {
    const stdout = Object.assign(new Writable({ write }), { columns: 50 })
    await start(argv, { stdout }).run.finish()
  }
  expect(shown).toContain('--allow-verdict <result>')
  // Examples are commands, which stay whole.
  for (const line of shown.split('\n'))
    if (!line.startsWith('  $ ')) expect(widthOf(line), line).toBeLessThanOrEqual(50)
})

test('names the lowest version of Node.js instead of failing without a word', async () => {
  for (const command of ['list', 'install', 'doctor', 'search']) {
    const { run, written } = start([command, 'x'], { node: '18.20.4' })
    expect([await run.finish(), written.stdout]).toEqual([7, ''])
    expect(written.stderr).toContain('needs Node.js 20.12 or newer; this is 18.20.4')
  }
  const { run, written } = start(['list', '--json'], { node: '20.11.9' })
  expect(await run.finish()).toBe(7)
  expect(readDocument(written.stdout)).toMatchObject({ error: { code: 'node-too-old' } })
})

test('writes over a line only where a terminal says that it can', () => {
  expect(hasCursor({ isTTY: true }, { TERM: 'xterm' })).toBe(true)
  expect(hasCursor({ isTTY: true }, { TERM: 'dumb' })).toBe(false)
  expect(hasCursor({ isTTY: true }, {})).toBe(process.platform === 'win32')
  expect(hasCursor({}, { TERM: 'xterm' })).toBe(false)
})

test('ends at the first signal when nobody reads its output', async () => {
  const began = Promise.withResolvers<void>()
  const stdout = new Writable({
    write() {
      began.resolve()
    },
  })
  const { run, cancel } = start(['index', '--format', 'ndjson'], { stdout })
  const finished = run.finish()
  await began.promise
  cancel.abort(new Error('Cancelled.'))
  expect(await finished).toBe(130)
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

test('looks a name up before it misses a program, and says how to get that', async () => {
  const home = await aHome()
  try {
    const env = { DSH_HOME: home.home, PATH: '/nowhere' }
    const profile = ['--profile', 'web']
    for (const name of ['nope', 'b/many#nope'])
      expect(await json(['install', name, ...profile], { env })).toMatchObject({
        code: 3,
        document: { error: { code: 'unknown-listing' } },
      })
    for (const command of ['update', 'remove'])
      expect(await json([command, 'nope', ...profile], { env })).toMatchObject({
        code: 3,
        document: { error: { code: 'not-installed' } },
      })
    expect(await json(['install', 'a/good', ...profile], { env })).toMatchObject({
      code: 7,
      document: { error: { code: 'harness-missing', next: expect.stringContaining('plugmark config harness PATH') } },
    })
    const next = /^Next: .*plugmark config harness PATH$/m
    for (const argv of [['doctor'], ['try', 'good'], ['upgrade-check', '--harness', '/nowhere/dsh']])
      expect([argv, (await text([...argv, ...(argv[0] === 'try' ? [] : profile)], { env })).stderr]).toEqual([
        argv,
        expect.stringMatching(next),
      ])
  } finally {
    await home.dispose()
  }
})

test('opens the folder of a plugin in its repository', async () => {
  const url = async (...argv: string[]) => (await json(['open', ...argv])).document.data.url
  expect(await url('b/many#one', '--what', 'source')).toBe('https://github.com/b/many/tree/HEAD/one')
  expect(await url('a/good', '--what', 'source')).toBe('https://github.com/a/good')
  expect(await url('b/many#one', '--what', 'releases')).toBe('https://github.com/b/many/releases')
})

describe('release notes and dates', () => {
  const options = { env: {}, stdout: {}, stderr: {}, locale: 'en', color: 'auto', directory: NO_DIRECTORY } as const
  const terminal = { ...options, stdout: { isTTY: true, columns: 80 }, env: { TERM: 'dumb' } } as const

  test('search says when each plugin last changed, at a terminal and last in a pipe', async () => {
    const { data } = (await json(['search', '--all'])).document
    const [first] = data.listings
    const dated = { ...data, listings: [{ ...first, pushedAt: '2026-08-20T23:59:00Z' }] }
    expect(render('search', dated, options).text.trimEnd().split('\t').at(5)).toBe('2026-08-20')
    expect(render('search', dated, terminal).text).toContain('2026-08-20')
    const undated = { ...data, listings: [{ ...first, pushedAt: null }] }
    expect(render('search', undated, options).text.replace(/\n$/, '').split('\t').at(5)).toBe('')
  })

  test('show --notes prints the release notes as they are written, or says why there are none', async () => {
    const { data } = (await json(['show', 'a/good'])).document
    expect(data.notes).toBeNull()
    const read = { ...data, notes: { state: 'read', text: '# 1.1.0\n\n- Faster\n  - twice\n' } }
    expect(render('show', read, options).text).toBe('# 1.1.0\n\n- Faster\n  - twice\n')
    expect(render('show', read, terminal).text).toContain('Release notes\n\n# 1.1.0\n\n- Faster\n  - twice\n')
    const none = { ...data, notes: { state: 'not-found', text: null } }
    expect(render('show', none, options)).toEqual({ text: '', notes: ['It has no release notes.'] })
    expect(render('show', { ...data, notes: { state: 'busy', text: null } }, options).notes[0]).toMatch(/asks to wait/)
  })
})
