import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import type { Refusal, StoreCalls } from '../protocol/index.ts'
import { CALL_NAMES, CALLS, refuse, serve } from '../protocol/protocol.ts'
import { hostForTests } from './host-testing.ts'

const { its } = hostForTests()

describe('serve', () => {
  test('checks the caller before the call', async () => {
    const faults: unknown[] = []
    const call = (name: string, frame: unknown, refusal: Refusal | null = null) =>
      serve(its.host.calls, name, frame, { check: () => refusal, onFault: (error) => faults.push(error) })
    expect(await call('overview', { x: 1 }, refuse('untrusted', 'another site'))).toMatchObject({ code: 'untrusted' })
    expect(await call('overview', { x: 1 })).toMatchObject({ code: 'malformed' })
    expect(await call('toString', {})).toMatchObject({ code: 'malformed' })
    expect(await call('overview', {})).toMatchObject({ ok: true })
    expect(faults).toEqual([])
  })

  test('reports an internal error to the log and not to the page', async () => {
    const faults: unknown[] = []
    const fault = new Error('secret path')
    const broken = { ...its.host.calls, overview: () => Promise.reject(fault) }
    const answer = await serve(broken, 'overview', {}, { onFault: (error) => faults.push(error) })
    expect(answer).toMatchObject({ ok: false, code: 'internal' })
    expect(JSON.stringify(answer)).not.toContain('secret path')
    expect(faults).toEqual([fault])
  })
})

test('implements every call of the protocol and no other', () => {
  expect(Object.keys(its.host.calls).toSorted()).toEqual(CALL_NAMES.toSorted())
})

describe.each(CALL_NAMES)('%s', (name) => {
  /** A field gets the first of these that its schema accepts. */
  const review = { id: 'a/good', token: 'A'.repeat(43), acknowledged: true }
  const samples = [
    true,
    0,
    'install',
    'remove',
    'web',
    'a/good',
    ['a/good'],
    ['fit'],
    'readme',
    'en',
    'https://host.test/picture.png',
    '0.2.1',
    '0123456789abcdef',
    review.token,
    'd'.repeat(64),
    'directory',
    { trial: true },
    crypto.randomUUID(),
    [review],
  ]
  const fields = Object.entries<v.GenericSchema>(CALLS[name].input.entries)
  const required = fields.filter(([, schema]) => !v.is(schema, undefined))
  const input = Object.fromEntries(fields.map(([key, schema]) => [key, samples.find((value) => v.is(schema, value))]))
  const serveWith = async (argument: unknown) => {
    const implementation = vi.fn(async () => ({ ok: true, value: name }))
    const calls = { ...its.host.calls, [name]: implementation } as unknown as StoreCalls
    const answer = await serve(calls, name, argument, {
      check: () => null,
      onFault: (error) => expect.unreachable(String(error)),
    })
    return { answer, implementation }
  }

  test('is dispatched with its input', async () => {
    const { answer, implementation } = await serveWith(input)
    expect(answer).toEqual({ ok: true, value: name })
    expect(implementation).toHaveBeenCalledExactlyOnceWith(input)
  })

  test.each<[string, unknown]>([
    ['no input', undefined],
    ['an unknown field', { ...input, command: 'sh' }],
    ...fields.map(([key]): [string, unknown] => [`a wrong ${key}`, { ...input, [key]: { unknown: 1 } }]),
    ...required.map(([key]): [string, unknown] => [`no ${key}`, { ...input, [key]: undefined }]),
  ])('refuses %s', async (_, argument) => {
    const { answer, implementation } = await serveWith(argument)
    expect(answer).toMatchObject({ ok: false, code: 'malformed' })
    expect(implementation).not.toHaveBeenCalled()
  })
})
