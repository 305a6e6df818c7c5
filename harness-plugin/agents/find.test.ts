import { expect, test } from 'vitest'
import { StoreClient } from '../client/store-client.ts'
import { installed } from './find.ts'
import { callTool } from './tool.ts'

test('says of an installed plugin why its newer versions are unknown', async () => {
  const state = { kind: 'loaded', why: [], harnessVersion: null, steps: [], allowCommand: null }
  const plugin = {
    name: 'good',
    version: '1.0.0',
    latest: null,
    advisories: [],
    news: [],
    layer: true,
    removable: true,
    state,
  }
  const calls = {
    checkUpdates: async () => ({ ok: true, value: [{ ...plugin, updateProblem: 'no-answer' }] }),
  }
  const { signal } = new AbortController()
  const client = new StoreClient({ calls } as never, signal)
  const context = { client, profile: 'web', signal }
  // biome-ignore lint/suspicious/noExplicitAny: an answer is JSON
  const answer = (await callTool('installed', installed, { check_updates: true }, context, () => {})) as any
  expect(answer.plugins).toMatchObject([{ newer_unknown: expect.stringContaining('did not answer') }])
})
