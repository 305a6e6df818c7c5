import { expect, test } from 'vitest'
import { reviewChange } from './review.ts'

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
