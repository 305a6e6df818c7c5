import { describe, expect, test } from 'vitest'
import { hostForTests, value } from '../host-testing.ts'

const { its, review } = hostForTests()

describe('review', () => {
  test('shows the exact command for this profile and what is known of it', async () => {
    expect(value(await review('a/good'))).toMatchObject({
      id: 'a/good',
      command: 'dsh plugin --profile web add good',
      verdict: 'passed',
      license: 'MIT',
      cautions: [],
    })
  })

  test('names what takes a deliberate step', async () => {
    expect(value(await review('a/risky')).cautions).toEqual(['risk-flags'])
    expect(value(await review('a/failed')).cautions).toEqual(['verdict'])
  })

  test.each([
    ['a/missing', 'web', 'unknown-listing'],
    ['a/good', 'other', 'unknown-profile'],
    ['a/none', 'web', 'not-installable'],
    ['a/forged', 'web', 'not-installable'],
  ])('%s into %s is refused: %s', async (id, profile, code) => {
    expect(await review(id, profile)).toMatchObject({ ok: false, code })
  })

  test('a directory that cannot be asked is a value', async () => {
    its.create({ fetch: () => Promise.reject(new TypeError('fetch failed')) })
    const { promise, resolve } = Promise.withResolvers<void>()
    its.host.subscribe((event) => event.type === 'catalogue' && event.status.state === 'failed' && resolve())
    await its.host.calls.overview({})
    await promise
    expect(value(await its.host.calls.listings({ from: 0 })).status.failure?.kind).toBe('network')
  })
})
