import * as v from 'valibot'
import { expect, test } from 'vitest'
import { type Tool, toDefinition, unlessAborted } from './tool.ts'

const input = v.strictObject({})
const call = (signal = new AbortController().signal) => ({ callId: 'call', signal })
function aTool(run: Tool<typeof input>['run']) {
  const faults: unknown[] = []
  const tool: Tool<typeof input> = {
    name: 'x',
    description: '',
    input,
    parameters: {},
    output: {},
    readOnly: true,
    run,
  }
  return { faults, definition: toDefinition(tool, (error) => faults.push(error)) }
}

test('a fault of ours is a value that tells nothing of it, and goes to the log', async () => {
  const fault = new Error('at /home/somebody/secret')
  const { definition, faults } = aTool(() => Promise.reject(fault))
  const answer = await definition.execute({}, call())
  expect(answer).toMatchObject({ ok: false, code: 'internal' })
  expect(JSON.stringify(answer)).not.toContain('secret')
  expect(faults).toEqual([fault])
})

test('a call that is ended fails as that, and is no fault', async () => {
  const ended = AbortSignal.abort(new Error('stopped'))
  const { definition, faults } = aTool((_, { signal }) => unlessAborted(signal, new Promise(() => {})))
  await expect(definition.execute({}, call(ended))).rejects.toThrow('stopped')
  expect(faults).toEqual([])
})

test('what is waited for is given up when the call is ended, and its end is not missed', async () => {
  const ending = new AbortController()
  const waiting = unlessAborted(ending.signal, new Promise(() => {}))
  ending.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  expect(await unlessAborted(new AbortController().signal, Promise.resolve('done'))).toBe('done')
})

test('an agent reads the answer as JSON', () => {
  const { definition } = aTool(() => Promise.reject())
  expect(definition.output.render({}, { ok: true, id: 'a/b' })).toEqual([
    { type: 'text', text: '{"ok":true,"id":"a/b"}' },
  ])
})
