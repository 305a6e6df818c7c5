import { expect, test } from 'vitest'
import { readDocument, runsForTests } from './testing.ts'

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

test('a person reads it in their language, on standard error', async () => {
  const { run, written } = start(['show', 'nothing'], { env: { LANG: 'zh_CN.UTF-8' } })
  expect(await run.finish()).toBe(3)
  expect(written.stdout).toBe('')
  expect(written.stderr).toContain('插件目录没有收录此名称')
})
