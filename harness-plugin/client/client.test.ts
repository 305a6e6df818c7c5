import { expect, test, vi } from 'vitest'
import { aListing, READY } from '../view/testing.ts'
import { Client, intentOf } from './client.ts'
import { findTarget } from './name-lookup.ts'
import { StoreClient } from './store-client.ts'

const ids = ['./plugin', '@moss/plugin', 'moss/plugin.tgz']

test.each(ids)('takes the id of a listing for no folder, package or tarball: %s', async (id) => {
  const asked: string[] = []
  const answers = (call: string, value: unknown) => async () => {
    asked.push(call)
    return { ok: true, value }
  }
  const plugin = { name: 'notes', listing: id, removable: true }
  const calls = {
    listings: answers('listings', { status: READY }),
    installed: answers('installed', [plugin]),
    review: answers('review', { id, token: 't', verdict: 'passed' }),
    reviewSpec: answers('reviewSpec', { id, token: 't', verdict: null }),
    facts: answers('facts', { fit: null, advisories: null, code: null, origin: null }),
  }
  const host = { calls, confirm: answers('confirm', true) }
  const client = new StoreClient(host as never, new AbortController().signal)
  const all = { rows: [{ ...aListing(id), npmPackage: 'notes' }], status: READY, copy: null }
  for (const action of ['install', 'update', 'remove'] as const) {
    const request = { action, profile: 'web' }
    await client.review(await findTarget(client, 'notes', request, all), request)
  }
  expect(asked.filter((call) => /review|confirm/.test(call))).toEqual([
    'confirm',
    'review',
    'confirm',
    'review',
    'review',
  ])
})

test('makes the change of a job again as it was: of a listing, of a spec, or of a package that is not listed', () => {
  const of = (listing: string | null, change = {}) =>
    intentOf({ listing, more: [], action: 'install', profile: 'web', ...change }, (id) => id === './listed')
  expect(of('moss/notes')).toEqual({ id: 'moss/notes', action: 'install', profile: 'web' })
  expect(of('./listed')).toEqual({ id: './listed', action: 'install', profile: 'web' })
  expect(of('./plugin')).toEqual({ id: './plugin', action: 'install', profile: 'web', isSpec: true })
  expect(of('notes', { action: 'remove' })).toEqual({ id: 'notes', action: 'remove', profile: 'web', package: 'notes' })
  // Its name may be that of a package of the registry, which is another one.
  expect(of('notes', { action: 'update' })).toEqual({ id: 'notes', action: 'update', profile: 'web', package: 'notes' })
  expect([of('notes', { action: 'enable' }), of('notes', { action: 'disable' })]).toEqual([null, null])
  expect(of('a/b', { action: 'enable' })).toEqual({ id: 'a/b', action: 'enable', profile: 'web' })
  expect([of(null), of('a/b', { more: ['a/c'] }), of('a/b', { action: 'undo' })]).toEqual([null, null, null])
})

test('says of each job that it starts for an agent that it does, of one review or several', async () => {
  const call = vi.fn()
  const client = new Client({ call })
  const [one, other] = ['a/one', 'a/other'].map((id) => ({ id, token: 't', acknowledged: true }))
  for (const reviews of [[one!], [one!, other!]]) await client.startJob(reviews, { byAgent: true })
  await client.startJob([one!], { sync: 's' })
  expect(call.mock.calls).toEqual([
    ['start', { ...one, byAgent: true }],
    ['startAll', { reviews: [one, other], byAgent: true }],
    ['startAll', { reviews: [one], sync: 's' }],
  ])
})

test('reviews a chosen version of a package that is not listed', async () => {
  const call = vi.fn()
  const intent = { id: '@moss/notes@^2', action: 'install', isSpec: true } as const
  await new Client({ call }).requestReview({ ...intent, version: '1.9.0' }, 'web')
  await new Client({ call }).requestReview(intent, 'web')
  expect(call.mock.calls).toEqual([
    ['reviewSpec', { spec: '@moss/notes@1.9.0', profile: 'web' }],
    ['reviewSpec', { spec: '@moss/notes@^2', profile: 'web' }],
  ])
})

test('asks to review again where a branch has left the commit of a lock meanwhile', async () => {
  const review = { id: 'moss/kite', token: 't', commit: 'b2' }
  const client = new Client({ call: async () => ({ ok: true, value: review }) as never })
  const intent = { id: 'moss/kite', action: 'install' } as const
  expect(await client.requestReview({ ...intent, commit: 'b2' }, 'web')).toMatchObject({ ok: true })
  expect(await client.requestReview(intent, 'web')).toMatchObject({ ok: true })
  expect(await client.requestReview({ ...intent, commit: 'a1' }, 'web')).toMatchObject({
    ok: false,
    code: 'branch-moved',
  })
})

test('says that the code host did not answer where it cannot tell the commit of a branch', async () => {
  const review = { id: 'moss/kite', token: 't', commit: 'unknown' }
  const client = new Client({ call: async () => ({ ok: true, value: review }) as never })
  const intent = { id: 'moss/kite', action: 'install', commit: 'a1' } as const
  expect(await client.requestReview(intent, 'web')).toMatchObject({ ok: false, code: 'source-unreachable' })
})
