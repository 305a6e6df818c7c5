import { expect, test } from 'vitest'
import { StoreClient } from '../client/store-client.ts'
import { aListing, anInstalledPlugin, READY } from '../view/testing.ts'
import { details, installed } from './find-tool.ts'
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

test('tells how to use an installed plugin, by what was seen when it ran', async () => {
  const adds = { commands: ['tide'], tools: ['tide_now'], settings: ['Tides'] }
  const listing = { ...aListing('a/good'), command: null, reason: null, options: [], siblings: [], page: null }
  let plugins = [anInstalledPlugin('good', { state: { ...anInstalledPlugin('good').state, adds } })]
  const status = { ...READY, count: 1, loadedAt: Date.now(), generated: new Date().toISOString() }
  const calls = {
    listings: async () => ({ ok: true, value: { status } }),
    details: async () => ({ ok: true, value: listing }),
    installed: async () => ({ ok: true, value: plugins }),
  }
  const { signal } = new AbortController()
  const host = { calls, listings: async () => ({ status, rows: [listing] }) }
  const client = new StoreClient(host as never, signal)
  const ask = () => callTool('details', details, { id: 'a/good' }, { client, profile: 'web', signal }, console.error)
  expect(await ask()).toMatchObject({
    ok: true,
    howToUse: 'In a conversation, type /tide. Your agent has the tool tide_now. See Settings → Tides.',
  })
  plugins = []
  expect(await ask()).not.toHaveProperty('howToUse')
})
