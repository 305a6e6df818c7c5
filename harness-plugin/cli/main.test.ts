import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { Writable } from 'node:stream'
import { BASE_URL } from '@plugmark/shared/contract'
import { expect, onTestFinished, test } from 'vitest'
import { type JobData, toJobData } from '../client/published.ts'
import { emptyOutcome } from '../host/harness/outcome.ts'
import { aHome, directoryOf } from '../host/testing.ts'
import type { Job, Outcome, RefusalCode } from '../protocol/index.ts'
import { settingsFile, stateFolder } from './cli-settings.ts'
import { Failure, jobFailure, REFUSALS } from './failure.ts'
import { nextSteps } from './next-step-testing.ts'
import { NO_DIRECTORY } from './session.ts'
import { readDocument, records, runsForTests } from './testing.ts'
import { widthOf } from './text/columns.ts'
import { render, renderFailure } from './text/render.ts'

const { json, start, text } = runsForTests()
const TERMINAL = { env: {}, stdout: {}, stderr: { isTTY: true, columns: 80 }, locale: 'en', color: 'never' } as const

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

test('names a next step for every refusal of the host that a command can meet', async () => {
  const without = Object.keys(REFUSALS).filter((code) => new Failure(code as RefusalCode, '').next === null)
  expect(without).toEqual(['untrusted', 'unauthorized', 'login-required', 'not-acknowledged', 'builds-need-approval'])
  for (const code of Object.keys(REFUSALS)) await nextSteps({ error: new Failure(code as RefusalCode, '').toError() })
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

test('ends at once when the user cancels while the directory is read', async () => {
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
  [['show', 'nothing'], 3, '错误：插件目录没有收录“nothing”。加上 --unlisted 可在插件目录之外查找。'],
  [['serach'], 2, '错误：没有 serach 这个命令。你要找的是不是 search？'],
  [['search', '--colour'], 2, '错误：没有 --colour 这个选项。你要找的是不是 --color？'],
  [['show'], 2, '错误：请写出插件：owner/repo、它的软件包，或其仓库的地址。'],
  [['update', '--all', '--yes'], 2, expect.stringMatching(/^错误：没有 --yes：--accept CODE/)],
  [['show', 'a', 'b'], 2, '错误：show 的参数过多。'],
  [['search', '--limit'], 2, '错误：选项 -n, --limit <count> 缺少值。'],
  [['completions', 'cmd'], 2, '错误：cmd 不能用于 shell。可选：bash、zsh、fish、powershell。'],
  [['open', 'a/good', '--what', 'all'], 2, '错误：all 不能用于 --what <page>。可选：page、source、releases。'],
  [['search', '--limit', 'many'], 2, '错误：--limit 的值必须是 1 到 99999 的整数，不能是“many”。'],
])('reports a wrong command line in the language of the user: %s', async (argv, code, said) => {
  const { run, written } = start(argv, { env: { LANG: 'zh_CN.UTF-8' } })
  expect(await run.finish()).toBe(code)
  expect(written.stdout).toBe('')
  expect(written.stderr.split('\n')[0]).toEqual(said)
})

test('reports an unknown command with any options', async () => {
  for (const argv of [['nonsense'], ['nonsense', '--help'], ['help', 'nonsense'], ['--quiet', 'nonsense', '-h']]) {
    expect(await json(argv), argv.join(' ')).toMatchObject({
      code: 2,
      document: { ok: false, command: null, error: { code: 'usage', message: 'There is no command "nonsense".' } },
    })
  }
  const { document } = await json(['--home', 'sarch', 'sarch', 'sarch', '-n', '3'])
  expect(document.error.message).toContain('Did you mean search?')
  expect(document.error.next).toBe('plugmark --home sarch search sarch -n 3 --json')
  expect((await json(['help', 'sarch'])).document.error.next).toBe('plugmark help search --json')
  expect((await json(['nonsense'])).document.error.next).toBe('plugmark --help')
  const option = (await json(['search', '--limt', '3', 'notes'])).document.error
  expect(option.next).toBe('plugmark search --limit 3 notes --json')
  for (const typed of ['inf', 'lst', 'out', 'shwo-me']) {
    const { message } = (await json([typed])).document.error
    expect(message).not.toMatch(/Did you mean (?:install|update|remove|undo|add|i|rm)\?/)
  }
})

test.each([
  ['info', ['a/good'], 'show'],
  ['view', ['a/good'], 'show'],
  ['ls', ['--profile', 'web'], 'list'],
  ['outdated', ['--profile', 'web'], 'outdated'],
  ['add', ['a/good', '--profile', 'web'], 'install'],
  ['i', ['a/good', '--profile', 'web'], 'install'],
  ['upgrade', ['a/good', '--profile', 'web'], 'update'],
  ['uninstall', ['a/good', '--profile', 'web'], 'remove'],
  ['rm', ['a/good', '--profile', 'web'], 'remove'],
])('takes %s as people type it', async (alias, args, command) => {
  expect((await json([alias, ...args])).document.command).toBe(command)
})

test.each([
  [['search', 'category:toys'], /^Error: "category:toys" has no value that .* It knows: tools, ui, /],
  [['--profile', 'web', 'list'], /\nNext: plugmark list --profile web\n/],
  [['--profile=web', 'list'], /\nNext: plugmark list --profile=web\n/],
  [['search', 'sort:size'], /It knows: stars, pushed, checked, name\.\n/],
  [['install'], /^Error: Name a plugin: owner\/repo, /],
  [['install', 'a/good', '--yes'], /^Error: There is no --yes: --accept CODE agrees to one review/],
  [['config', 'colour'], /^Error: "colour" is not a valid key\. Choose from: directory, harness, home, /],
])('names what there is to choose from: %s', async (argv, said) => {
  expect((await text(argv)).stderr).toMatch(said)
})

test('has no space behind the colon of a Chinese heading', async () => {
  const { stdout } = await text(['search', '--help'], { env: { LANG: 'zh_CN.UTF-8' } })
  expect(stdout).toMatch(/^用法：plugmark search /)
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
  ...['already-running', 'job-running', 'unknown-job'],
] as const)('names a next step where the host refuses as %s', (code) => {
  expect(new Failure(code, 'It was refused.').next).not.toBeNull()
})

test('names the same home and profile in the repair that follows a job', () => {
  const outcome = { kind: 'profile-broken', title: 'Broken', message: null, subjects: [], allowCommand: null }
  const job = { ids: [], outcome, log: null, action: 'install' } as unknown as JobData
  const command = (...words: readonly string[]) => ['plugmark', ...words, '--home', '/homes/one'].join(' ')
  expect(jobFailure(job, { command, canAsk: false }, 'other').next).toBe(
    'plugmark doctor --fix --profile other --home /homes/one',
  )
})

function failureOf(kind: string, { subjects = [], log = null }: { subjects?: string[]; log?: string | null } = {}) {
  const outcome = { kind, title: 'It failed', message: '', subjects, allowCommand: null }
  const job = { job: '3f2a91c0-0000', ids: ['a/good'], outcome, log, action: 'install' } as unknown as JobData
  return jobFailure(job, { command: (...words) => ['plugmark', ...words].join(' '), canAsk: false }, 'web')
}

test('ends as refused where pnpm does not trust a release', () => {
  const exit = (...subjects: string[]) => failureOf('failed', { subjects }).exit
  const distrust = 'High-risk trust downgrade for "kite@1.0.0" (possible package takeover)'
  expect([exit(distrust), exit('Other')]).toEqual(['refused', 'failed'])
})

test('calls a job whose source changed not retryable, as the same command has another review', () => {
  const subjects = ['kite@1.0.0', 'kite@2.0.0']
  expect(failureOf('source-changed', { subjects }).with({ data: {} }).toError().retryable).toBe(false)
})

test('names what shows why a job failed, and nothing where the user cancelled it', () => {
  const next = (kind: string, log: string | null) => failureOf(kind, { log }).next
  expect(next('disk-error', null)).toBe('plugmark doctor --profile web')
  expect(next('failed', '/there/log')).toBe('plugmark history 3f2a91c0 --profile web')
  expect(next('cancelled', '/there/log')).toBeNull()
  // The message has the reason: it is for the author.
  expect(next('does-not-start', '/there/log')).toBe('plugmark open a/good --what source')
})

test('names the harmless step first where the harness refuses a plugin, and below it what accepts the risk', () => {
  const allowCommand = `dsh plugin --profile web allow-version good@1.0.0 --dsh-version 0.2.1 --accept-risk`
  const outcome = { kind: 'incompatible', title: 'It failed', message: '', subjects: [], parts: [], allowCommand }
  const job = { ids: ['a/good'], outcome, log: null, action: 'install' } as unknown as JobData
  const failure = jobFailure(job, { command: String, canAsk: true }, 'web', { data: { jobs: [job] } })
  expect(renderFailure(failure, TERMINAL).split('\n').slice(1)).toEqual([
    'Next: Wait for a version that fits this harness, or update the harness.',
    'To install it anyway, at the risk of crashing the harness or damaging its data,',
    'run this command yourself, then try again:',
    `  ${allowCommand}`,
    '',
  ])
})

test('says first what broke and that nothing was changed, and at a terminal cuts neither quote nor path', () => {
  const said = 'HARNESS Failed to load plugins dsh-plugin-bad · web boot: 1 entry did not activate'
  const outcome = { ...emptyOutcome('breaks-screen', [said]), rollback: 'complete' as const }
  const about = { id: '3f2a91c0-0000', profile: 'web', action: 'install', listing: 'a/good', more: [], command: null }
  const ended = { ...about, output: [], outcome } as unknown as Job & { outcome: Outcome }
  for (const locale of ['en', 'zh'] as const) {
    const job = toJobData(ended, locale, '/very/long/path/of/a.log')
    const rendered = (canAsk: boolean) =>
      renderFailure(jobFailure(job, { command: String, canAsk }, 'web', { data: { jobs: [job] } }), {
        ...TERMINAL,
        locale,
      })
    const [first = '', ...rest] = rendered(true).split('\n')
    expect(first).toMatch(/^(?:Error: |错误：)a\/good[:：]/)
    expect(first).toMatch(locale === 'en' ? /Breaks the web page\. The profile is unchanged\./ : /网页.*配置档保持不变/)
    expect(rest.join('\n')).toContain(`  “HARNESS Failed to load plugins dsh-plugin-bad`)
    expect(rendered(true)).not.toContain('.log')
    expect(rendered(false)).toContain('/very/long/path/of/a.log')
  }
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

test('says which value of a setting is in effect, and what gave it', async () => {
  const settings = async (...argv: string[]) => (await json(['config', 'directory', ...argv])).document.data.settings
  await json(['config', 'directory', 'https://stored.example'])
  const [byVariable] = await settings()
  expect(byVariable).toMatchObject({
    value: 'https://stored.example',
    inEffect: { value: 'https://directory.example', from: 'PLUGMARK_API' },
  })
  expect(await settings('--directory', 'https://typed.example')).toMatchObject([{ inEffect: { from: '--directory' } }])
  const { data } = (await json(['config'])).document
  const shown = render('config', data, { ...TERMINAL, stdout: { isTTY: true, columns: 80 }, directory: NO_DIRECTORY })
  expect(shown.text).toContain('https://directory.example  (by PLUGMARK_API)')
  expect(shown.text).toMatch(/profile +not set: /)
})

test('says that settings cannot be stored as a failure of the disk, not of what was typed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-settings-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'plugmark'), '')
  const { code, document } = await json(['config', 'profile', 'web'], { env: { XDG_CONFIG_HOME: folder } })
  expect([code, document.error.code]).toEqual([1, 'settings-unsaved'])
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
    { key: 'directory', value: 'ftp://x', inEffect: { value: 'ftp://x', from: 'plugmark config directory' } },
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

test('reads a lock from a file or standard input, and refuses anything else', async () => {
  const home = await aHome()
  onTestFinished(() => home.dispose())
  const env = { DSH_HOME: home.home }
  for (const [content, reason] of [
    ['', 'It is not a lock'],
    ['[]', 'It is not a lock'],
    ['{', 'It is not JSON'],
    ['{"plugmark":3,"plugins":[]}', 'A newer Plugmark wrote it (format 3).'],
    ['{"plugmark":2,"plugins":[{"package":1}]}', 'It is not a lock'],
  ])
    for (const command of [
      ['sync', '-'],
      ['lock', '-', '--check'],
    ]) {
      const { run, written } = start([...command, '--profile', 'web', '--json'], { stdin: content!, env })
      expect([content, await run.finish()]).toEqual([content, 2])
      const { message } = readDocument(written.stdout).error
      expect(message).toContain(`-: ${reason}`)
    }
  expect(await json(['sync', '/nowhere/lock.json'], { env })).toMatchObject({ code: 2 })
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

test('ends at the first signal when nobody reads its output', async () => {
  const began = Promise.withResolvers<void>()
  const stdout = new Writable({
    write() {
      began.resolve()
    },
  })
  const { run, cancel } = start(['index', '--json'], { stdout })
  const finished = run.finish()
  await began.promise
  cancel.abort(new Error('Cancelled.'))
  expect(await finished).toBe(130)
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
      document: { error: { code: 'program-missing', next: expect.stringContaining('plugmark config harness PATH') } },
    })
    const next = /^Next: .*plugmark config harness PATH$/m
    for (const argv of [['doctor'], ['try', 'good', '--run'], ['upgrade-check', '--harness', '/nowhere/dsh']])
      expect([argv, (await text([...argv, ...(argv[0] === 'try' ? [] : profile)], { env })).stderr]).toEqual([
        argv,
        expect.stringMatching(next),
      ])
  } finally {
    await home.dispose()
  }
})
