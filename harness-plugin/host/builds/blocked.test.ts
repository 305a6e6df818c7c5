import { expect, test } from 'vitest'
import { emptyOutcome } from '../job/outcome.ts'
import { blockedBuilds } from './blocked.ts'

test('where pnpm does not say its version, it is not known how to allow them', async () => {
  const outcome = emptyOutcome('build-blocked', ['a@1.0.0'])
  const options = { profile: '/', env: { PATH: '/nowhere' }, signal: new AbortController().signal, allowed: null }
  expect(await blockedBuilds(outcome, options)).toEqual({
    setting: null,
    builds: [{ package: 'a', version: '1.0.0', key: 'a@1.0.0', scripts: {} }],
  })
})
