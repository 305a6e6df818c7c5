import { expect, test } from 'vitest'
import { check, reviewChange } from './review.ts'

test.each(['/home/me/plugin', './plugin.tgz', 'github:owner/repo#a1b2c3', 'some-plugin@1.0.0'])(
  'refuses to install %s for an agent, and says that a person can',
  async (source) => {
    const asking = { client: null as never, profile: 'web', signal: new AbortController().signal }
    expect(await reviewChange(source, 'install', asking)).toMatchObject({
      ok: false,
      code: 'unlisted',
      next: expect.stringContaining('plugmark install'),
    })
  },
)

test.each([
  ['install', 'which reviews again and asks them'],
  ['enable', 'which enables the installed plugin without asking'],
])('says of the command of a review to %s whether it asks', async (action, says) => {
  const ok = (value: unknown) => Promise.resolve({ ok: true, value })
  const review = { id: 'a/good', action, token: 't', riskFlags: [], blockedBuilds: [], repoUrl: '', verdict: 'passed' }
  const installed = action === 'enable' ? [{ name: 'good', listing: 'a/good', version: '1.0.0', enabled: false }] : []
  const unknown = () => ok(null)
  const calls = {
    installed: () => ok(installed),
    review: () => ok(review),
    compatibility: unknown,
    inspection: unknown,
  }
  const client = {
    listings: async () => ({ rows: [] }),
    resolve: async () => ({ id: 'a/good' }),
    host: { confirm: () => ok(true), calls },
  }
  const command = (...words: readonly string[]) => ['plugmark', ...words].join(' ')
  const signal = new AbortController().signal
  const answer = await check(
    { id: 'a/good', action: 'install' },
    { client: client as never, profile: 'web', signal, command },
  )
  expect(answer).toMatchObject({
    run: `plugmark ${action} a/good --profile web`,
    next: expect.stringContaining(says),
  })
})
