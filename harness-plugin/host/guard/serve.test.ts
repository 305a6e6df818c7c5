import { describe, expect, test } from 'vitest'
import { hostForTests } from '../host-testing.ts'
import { checkCaller } from './origin.ts'
import { serve } from './serve.ts'

const { its } = hostForTests()

describe('serve', () => {
  const caller = { host: '127.0.0.1:5140', origin: 'http://127.0.0.1:5140', peer: '127.0.0.1' }
  const trust = { allowedHosts: [], authenticated: false }

  test('checks who calls before what is asked', async () => {
    const faults: unknown[] = []
    const call = (from: object, frame: unknown) =>
      serve(its.host, 'overview', frame, {
        check: () => checkCaller({ ...caller, ...from }, trust),
        onFault: (error) => faults.push(error),
      })
    expect(await call({ origin: 'https://evil.example' }, {})).toMatchObject({ code: 'untrusted' })
    expect(await call({}, { x: 1 })).toMatchObject({ code: 'malformed' })
    expect(await call({}, {})).toMatchObject({ ok: true })
    expect(faults).toEqual([])
  })

  test('a fault of ours is told to the log and not to the page', async () => {
    const faults: unknown[] = []
    const fault = new Error('secret path')
    const broken = { ...its.host, calls: { ...its.host.calls, overview: () => Promise.reject(fault) } }
    const answer = await serve(broken, 'overview', {}, { check: () => null, onFault: (error) => faults.push(error) })
    expect(answer).toMatchObject({ ok: false, code: 'internal' })
    expect(JSON.stringify(answer)).not.toContain('secret path')
    expect(faults).toEqual([fault])
  })
})
