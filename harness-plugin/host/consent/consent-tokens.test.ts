import { beforeEach, expect, test } from 'vitest'
import { ConsentTokens } from './consent-tokens.ts'

const plan = { cli: 'dsh', profile: 'web', spec: { kind: 'npm', name: 'some-plugin' } } as const
const change = { action: 'install', listing: 'owner/repo', plan, package: null, approval: null } as const
const consent = { change, cautious: false, compatibility: Promise.resolve(null) }
let now = 0
let tokens: ConsentTokens
beforeEach(() => {
  now = 1_000_000
  tokens = new ConsentTokens(() => now)
})

test('reads a token for its own listing only, until it is spent', () => {
  const { token } = tokens.issue(consent)
  expect(tokens.read(token, 'owner/other')).toBeNull()
  expect(tokens.read(token, 'owner/repo')).toMatchObject(consent)
  tokens.spend(token)
  expect(tokens.read(token, 'owner/repo')).toBeNull()
})

test('refuses a token after ten minutes', () => {
  const { token, expiresAt } = tokens.issue(consent)
  now = expiresAt - 1
  expect(tokens.read(token, 'owner/repo')).not.toBeNull()
  now = expiresAt
  expect(tokens.read(token, 'owner/repo')).toBeNull()
})

test('issues a different token each time, and drops the oldest of too many', () => {
  const issued = Array.from({ length: 101 }, () => tokens.issue(consent).token)
  expect(new Set(issued).size).toBe(101)
  expect(tokens.read(issued[0]!, 'owner/repo')).toBeNull()
  expect(tokens.read(issued[1]!, 'owner/repo')).not.toBeNull()
})
