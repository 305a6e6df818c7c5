import { describe, expect, test } from 'vitest'
import { type Caller, checkCaller, isForwarded, readHostName, type Trust } from './caller.ts'

const alone: Trust = { allowedHosts: ['harness.example'], authenticated: false }
const loggedIn: Trust = { ...alone, authenticated: true }
const own: Caller = { host: '127.0.0.1:5140', origin: 'http://127.0.0.1:5140', peer: '127.0.0.1', forwarded: false }
const isTrusted = (caller: Partial<Caller>, trust = alone) => checkCaller({ ...own, ...caller }, trust) === null

describe('without a log-in', () => {
  test.each([
    own,
    { ...own, host: 'localhost:5140', origin: 'http://localhost:5140', peer: '::1' },
    { ...own, host: '[::1]:5140', origin: 'http://[::1]:5140', peer: '::ffff:127.0.0.1' },
    { ...own, host: 'LOCALHOST', origin: 'https://localhost' },
  ])('trusts a page of this machine: $origin', (caller) => {
    expect(isTrusted(caller)).toBe(true)
  })

  test.each([
    ['no Host', { host: undefined }],
    ['no Origin', { origin: undefined }],
    ['no peer', { peer: undefined }],
    ['another site', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:8080' }],
    ['an opaque origin', { origin: 'null' }],
    ['an origin with more than a host', { origin: 'http://127.0.0.1:5140/x' }],
    ['an origin that is a prefix', { origin: 'http://127.0.0.1:51400' }],
    ['an origin with the host as a user name', { origin: 'http://127.0.0.1:5140@evil.example' }],
    ['a rebound name', { host: 'evil.example:5140', origin: 'http://evil.example:5140' }],
    ['a name that starts like loopback', { host: '127.0.0.1.evil.example', origin: 'http://127.0.0.1.evil.example' }],
    ['a host that hides a path', { host: 'localhost/@evil', origin: 'http://localhost' }],
    ['a name that the log-in would allow', { host: 'harness.example', origin: 'https://harness.example' }],
    ['another machine that says it is this one', { peer: '192.0.2.7' }],
    ['a proxy on this machine', { forwarded: true }],
  ])('does not trust %s', (_, caller) => {
    expect(isTrusted(caller)).toBe(false)
  })
})

test('trusts only an allowed host name from other machines when there is a log-in', () => {
  const remote = { host: 'harness.example', origin: 'https://harness.example', peer: '192.0.2.7', forwarded: true }
  expect(isTrusted(remote, loggedIn)).toBe(true)
  expect(isTrusted({ ...remote, host: 'other.example', origin: 'https://other.example' }, loggedIn)).toBe(false)
  expect(isTrusted({ ...remote, origin: 'https://evil.example' }, loggedIn)).toBe(false)
})

test.each(['X-Forwarded-For', 'x-forwarded-proto', 'x-real-ip', 'Forwarded', 'Via', 'CF-Connecting-IP'])(
  'detects a proxy by the header %s',
  (name) => {
    expect(isForwarded({ host: 'localhost', [name]: 'x' })).toBe(true)
  },
)

test('detects no proxy in the headers of a browser', () => {
  expect(isForwarded({ host: 'localhost', origin: 'http://localhost', 'user-agent': 'x', cookie: 'x' })).toBe(false)
})

test('returns a refusal with a code', () => {
  expect(checkCaller({ ...own, origin: undefined }, alone)).toMatchObject({ ok: false, code: 'untrusted' })
})

test('accepts only a host name without scheme or port as an allowed host', () => {
  expect(readHostName(' Harness.Example ')).toBe('harness.example')
  expect(readHostName('192.168.1.7')).toBe('192.168.1.7')
  for (const text of ['http://harness.example', 'harness.example:5140', 'harness.example/x', 'a b', '*', ''])
    expect(() => readHostName(text)).toThrow(/cannot be a host name/)
})
