import { BASE_URL } from '@plugmark/shared/contract'
import { expect, test } from 'vitest'
import { directoryOf } from '../host/testing.ts'
import { readDocument, records, runsForTests } from './testing.ts'

const { json, start } = runsForTests()

test('what passed is found; with --all the rest too', async () => {
  const passed = await json(['search'])
  expect(passed.document.data.listings.map(({ id }: { id: string }) => id)).not.toContain('a/failed')
  expect(passed.document.data).toMatchObject({ total: 3, hidden: 1 })
  expect((await json(['search', '--all', '--limit', '1'])).document.data).toMatchObject({
    total: 4,
    listings: [{ id: 'a/good' }],
  })
})

test('a name is a full name or a package, whole', async () => {
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

test('a directory that cannot be reached is exit 6, and the document says which it was', async () => {
  const fetch = () => Promise.reject(new TypeError('fetch failed'))
  const { code, document } = await json(['index'], { fetch })
  expect(code).toBe(6)
  expect(document).toMatchObject({
    directory: { url: 'https://directory.example', state: 'unreachable', readAt: null },
    error: { code: 'directory', retryable: true, next: expect.any(String) },
  })
})

test('what only the index knows is shown without a network, with its command', async () => {
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
  // Whether it was listed since cannot be told.
  expect(await json(['show', 'a/newer'], directory)).toMatchObject({
    code: 3,
    document: { error: { message: expect.stringContaining('cannot be reached') } },
  })
})

test('a filter that means nothing here hides nothing, and is told', async () => {
  expect((await json(['search', 'is:updatable'])).document.data).toMatchObject({ total: 3, problems: ['is:updatable'] })
})

test('a command that needs no directory asks none', async () => {
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

test('an empty variable is none', async () => {
  const { document } = await json(['capabilities'], { env: { PLUGMARK_API: '' } })
  expect(document.directory.url).toBe(BASE_URL)
})

test('an error that nobody caught is a document, and the only one', async () => {
  const { run, written } = start(['search', '--json'])
  const finished = run.finish()
  expect(await run.crash(new Error('out of the blue'))).toBe(1)
  await finished
  expect(readDocument(written.stdout)).toMatchObject({
    ok: false,
    error: { code: 'internal', message: 'Something went wrong: out of the blue' },
  })
})

test('who cancels while the directory is read need not wait for it', async () => {
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
  [[], 2, '错误：没有输入命令。'],
  [['serach'], 2, '错误：没有 serach 这个命令。你要找的是不是 search？'],
  [['search', '--colour'], 2, '错误：没有 --colour 这个选项。'],
  [['show'], 2, '错误：缺少参数 id。'],
  [['show', 'a', 'b'], 2, '错误：show 的参数过多。'],
  [['search', '--license'], 2, '错误：选项 -l, --license <id> 缺少值。'],
  [['completions', 'cmd'], 2, '错误：cmd 不能用于 shell。可选：bash、zsh、fish、powershell。'],
  [['index', '--format', 'xml'], 2, '错误：xml 不能用于 --format <format>。可选：json、ndjson。'],
  [['search', '--limit', 'many'], 2, '错误：--limit 的值必须是 1 到 99999 的整数，不能是“many”。'],
])('a person reads it in their language, on standard error: %s', async (argv, code, said) => {
  const { run, written } = start(argv, { env: { LANG: 'zh_CN.UTF-8' } })
  expect(await run.finish()).toBe(code)
  expect(written.stdout).toBe('')
  expect(written.stderr.split('\n')[0]).toBe(said)
})
