import { unlessAborted } from '@plugmark/shared/async'
import { expect, test } from 'vitest'
import { callTool, malformedArguments, type Run } from './tool.ts'

async function call(run: Run<'installed'>, signal = new AbortController().signal) {
  const faults: unknown[] = []
  const answer = callTool('installed', run, {}, { client: null as never, profile: 'web', signal }, (error) =>
    faults.push(error),
  )
  return { answer: await answer.catch((error: Error) => error), faults }
}

test('answers with a refusal without details when the store itself fails, and logs the error', async () => {
  const fault = new Error('at /home/somebody/secret')
  const { answer, faults } = await call(() => Promise.reject(fault))
  expect(answer).toMatchObject({ ok: false, code: 'internal' })
  expect(JSON.stringify(answer)).not.toContain('secret')
  expect(faults).toEqual([fault])
})

test('rejects with the abort reason when the call is aborted', async () => {
  const stopped = new Error('stopped')
  const forever = (_: object, { signal }: { signal: AbortSignal }) =>
    unlessAborted(signal, new Promise<never>(() => {}))
  expect(await call(forever, AbortSignal.abort(stopped))).toEqual({ answer: stopped, faults: [] })
})

test('stops waiting when the call is aborted, and returns the result otherwise', async () => {
  const ending = new AbortController()
  const waiting = unlessAborted(ending.signal, new Promise(() => {}))
  ending.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  expect(await unlessAborted(new AbortController().signal, Promise.resolve('done'))).toBe('done')
})

test('says which argument is missing', () => {
  expect(malformedArguments('search', {})).toMatchObject({
    code: 'malformed',
    message: 'The argument "query" is not valid: it is missing.',
  })
})
