import { beforeEach, expect, test } from 'vitest'
import { ConsentTokens } from './tokens.ts'

const plan = { cli: 'dsh', profile: 'web', spec: { kind: 'npm', name: 'some-plugin' } } as const
const change = { action: 'install', listing: 'owner/repo', plan, package: null, approval: null } as const
const consent = { change, cautious: false, compatibility: Promise.resolve(null) }
let now = 0
let tokens: ConsentTokens
beforeEach(() => {
  now = 1_000_000
  tokens = new ConsentTokens(() => now)
})

test('a token stands for its own listing, until it is spent', () => {
  const { token } = tokens.issue(consent)
  expect(tokens.read(token, 'owner/other')).toBeNull()
  expect(tokens.read(token, 'owner/repo')).toMatchObject(consent)
  tokens.spend(token)
  expect(tokens.read(token, 'owner/repo')).toBeNull()
})

test('a token runs out', () => {
  const { token, expiresAt } = tokens.issue(consent)
  now = expiresAt - 1
  expect(tokens.read(token, 'owner/repo')).not.toBeNull()
  now = expiresAt
  expect(tokens.read(token, 'owner/repo')).toBeNull()
})

test('tokens differ, and the oldest of too many gives way', () => {
  const issued = Array.from({ length: 101 }, () => tokens.issue(consent).token)
  expect(new Set(issued).size).toBe(101)
  expect(tokens.read(issued[0]!, 'owner/repo')).toBeNull()
  expect(tokens.read(issued[1]!, 'owner/repo')).not.toBeNull()
})
