import { expect, test } from 'vitest'
import { placeHarness } from '../harness/testing.ts'
import { hostForTests } from '../host-testing.ts'

const { its } = hostForTests()

test('ends a try at once, and says why, where the registry cannot be reached', async () => {
  its.create(await placeHarness(its.home.home))
  const tried = await its.host.tryPlugin({ spec: 'some-plugin@1.0.0', signal: new AbortController().signal })
  expect(tried).toMatchObject({
    ok: true,
    tried: {
      verdict: 'failed',
      kind: 'unreachable',
      runs: null,
      command: expect.stringContaining('some-plugin@1.0.0'),
    },
  })
})

test('reports the verdict of a command that does not end as a timeout', async () => {
  its.create({ ...(await placeHarness(its.home.home)), timeLimitMs: 1 })
  const tried = await its.host.tryPlugin({ spec: its.home.home, signal: new AbortController().signal })
  expect(tried).toMatchObject({ ok: true, tried: { verdict: 'timeout', runs: null } })
})

test('refuses what could be an option, and a path without a file', async () => {
  its.create(await placeHarness(its.home.home))
  const { signal } = new AbortController()
  for (const spec of ['--global', './nothing-here', 'a b'])
    expect(await its.host.tryPlugin({ spec, signal })).toEqual({ ok: false, reason: 'bad-spec' })
})
