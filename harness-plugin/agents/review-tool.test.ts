import { VERDICTS } from '@plugmark/shared/contract'
import { expect, test } from 'vitest'
import { type ChangeAction, StoreClient } from '../client/store-client.ts'
import type { Advisory, CallInput, DeclaredFit, Inspection, InstalledPlugin, Review } from '../protocol/index.ts'
import { refuse } from '../protocol/protocol.ts'
import { aListing, READY } from '../view/testing.ts'
import { CHECK_MEANS } from './listing-facts.ts'
import { check, reviewChange } from './review-tool.ts'

test.each([
  '/home/me/plugin',
  './plugin.tgz',
  'github:owner/repo#a1b2c3',
  'some-plugin@1.0.0',
  'a/good@1.0.0',
  'good@next',
])('refuses to install %s for an agent, and says that the user can', async (source) => {
  const asking = { client: null as never, profile: 'web', signal: new AbortController().signal }
  expect(await reviewChange(source, 'install', asking)).toMatchObject({
    ok: false,
    code: 'unlisted',
    next: expect.stringContaining('plugmark install'),
  })
})

/** Checks a change of a/good as MCP does, over a host that answers with these. */
async function checked(
  action: ChangeAction,
  given: {
    /** @default a/good */
    id?: string
    review?: Partial<Review>
    fit?: Partial<DeclaredFit> | null
    installed?: Partial<InstalledPlugin> | null
    inspection?: Partial<Inspection>
  },
) {
  const { id = 'a/good', fit = null, installed = null, inspection } = given
  const ok = (value: unknown) => Promise.resolve({ ok: true, value })
  const facts = {
    id: 'a/good',
    action,
    token: 't',
    riskFlags: [],
    cautions: [],
    approval: null,
    blockedBuilds: [],
    allowedBuilds: [],
    repoUrl: '',
    verdict: 'passed',
    past: null,
  }
  const calls = {
    installed: () => ok(installed ? [{ name: 'good', listing: 'a/good', removable: true, ...installed }] : []),
    review: ({ id }: CallInput<'review'>) =>
      id === 'a/good' ? ok({ ...facts, ...given.review }) : Promise.resolve(refuse('unknown-listing', 'Not listed.')),
    reviewPackage: ({ package: id }: CallInput<'reviewPackage'>) => ok({ ...facts, verdict: null, id }),
    listings: () => ok({ status }),
    facts: () => {
      const { plugin, before, code = null, ...others } = inspection ?? {}
      return ok({
        fit: fit && { problem: null, shadows: [], requirements: [], allowCommand: null, ...fit },
        ...{ advisories: null, origin: null, ...others },
        code: code && { plugin, before, code },
      })
    },
  }
  const status = { ...READY, count: 1, loadedAt: Date.now(), generated: '2026-08-20' }
  const host = { calls, confirm: () => ok(true), listings: async () => ({ rows: [aListing('a/good')], status }) }
  const command = (...words: readonly string[]) => ['plugmark', ...words].join(' ')
  const { signal } = new AbortController()
  const client = new StoreClient(host as never, signal)
  return check({ id, action }, { client, profile: 'web', signal, command })
}

test.each([
  ['install', 'which reviews again and asks them'],
  ['enable', 'which enables the installed plugin without asking'],
] as const)('says of the command of a review to %s whether it asks', async (action, says) => {
  const installed = action === 'enable' ? { version: '1.0.0', enabled: false } : null
  const answer = await checked('install', { review: { action }, installed })
  expect(answer).toMatchObject({
    run: `plugmark ${action} a/good --profile web`,
    next: expect.stringContaining(says),
  })
})

// A host without the harness's manager enables nothing by a review.
test.each(['passed', 'failed'] as const)(
  'offers the command that enables an installed plugin which is off, whose check %s',
  async (verdict) => {
    const installed = { version: '1.0.0', enabled: false }
    expect(await checked('install', { review: { verdict }, installed })).toMatchObject({
      action: 'enable',
      run: 'plugmark enable a/good --profile web',
      next: expect.stringContaining('which enables the installed plugin without asking'),
    })
  },
)

test('offers no command for a plugin that is installed', async () => {
  const answer = await checked('install', { installed: { version: '1.0.0', enabled: true } })
  expect(answer).toMatchObject({ ok: true, installed: true, from: '1.0.0', command: null, run: null })
  expect(answer).toMatchObject({ next: expect.stringMatching(/^It is installed already\./) })
})

test.each(['failed', 'timeout', 'not-a-layer'] as const)(
  'answers that an install would be refused where the check of the directory says %s, without a command',
  async (verdict) => {
    const answer = await checked('install', { review: { verdict } })
    expect(answer).toMatchObject({ ok: false, code: 'refused-verdict', message: expect.stringContaining('a/good') })
    expect(JSON.stringify(answer)).not.toContain('plugmark install')
  },
)

test.each([
  ['refused', 'incompatible'],
  ['not-found', 'not-installable'],
] as const)('answers that an install would fail where the plugin is %s, without a command', async (state, code) => {
  const answer = await checked('install', { fit: { state, plugin: 'good@1.0.0', harnessVersion: '0.2.1' } })
  expect(answer).toMatchObject({ ok: false, code })
  expect(JSON.stringify(answer)).not.toContain('plugmark install')
})

test('answers that an install is refused where it is known as malware, without a command', async () => {
  const inspection = { advisories: { asked: 1, unknown: [], found: [{ isMalware: true } as Advisory] } }
  const answer = await checked('install', { inspection })
  expect(answer).toMatchObject({ ok: false, code: 'malware', message: expect.stringContaining('known as malware') })
  expect(JSON.stringify(answer)).not.toContain('plugmark install')
})

test('names both versions of an update', async () => {
  const fit = { state: 'declared-to-fit', plugin: 'good@2.0.0' } as const
  expect(await checked('update', { fit, installed: { version: '1.0.0', enabled: true } })).toMatchObject({
    ok: true,
    from: '1.0.0',
    to: '2.0.0',
    run: 'plugmark update a/good --profile web',
  })
})

test('says of a plugin that declares nothing that it does not say whether it supports the harness', async () => {
  const about = async (fit: Partial<DeclaredFit>) => {
    const answer = await checked('install', { fit: { plugin: 'good@1.0.0', harnessVersion: '0.2.1', ...fit } })
    return (answer as { about: string }).about
  }
  expect(await about({ state: 'declared-to-fit', requirements: ['dsh ^0.2.0'] })).toContain('; supports this harness;')
  const silent = await about({ state: 'not-declared' })
  expect(silent).toContain('; does not say if it supports this harness;')
  expect(silent).not.toContain('; supports')
})

test('offers no command for an update to the version that is installed', async () => {
  const fit = { state: 'declared-to-fit', plugin: 'good@1.0.0' } as const
  const review = { commit: null, installed: '1.0.0' }
  const answer = await checked('update', { review, fit, installed: { version: '1.0.0' } })
  expect(answer).toMatchObject({ ok: true, from: '1.0.0', to: '1.0.0', run: null, gains: null })
  expect(answer).toMatchObject({ next: expect.stringMatching(/^It is at its newest version already\./) })
  // A newer commit can have the same version.
  const commit = 'a'.repeat(40)
  expect(await checked('update', { review: { commit }, fit, installed: { version: '1.0.0' } })).toMatchObject({
    run: 'plugmark update a/good --profile web',
  })
})

test('answers what an update gains, and asks for a question of its own where that is something or unknown', async () => {
  const installed = { version: '1.0.0', enabled: true }
  const of = async (code: Inspection['code']) => {
    const inspection = { before: '1.0.0', code, origin: null, advisories: null, plugin: 'good@2.0.0' }
    return checked('update', { installed, inspection })
  }
  const ability = { kind: 'starts-programs' as const, names: ['curl'], harmless: 0, more: false, places: [] }
  const ask = expect.arrayContaining([expect.stringContaining('ask the person about this one by itself')])
  expect(
    await of({ state: 'read', others: [], scripts: [], files: null, abilities: [ability], unread: [] }),
  ).toMatchObject({
    gains: 'gains',
    notes: ask,
    quoted: {
      facts: expect.arrayContaining(['New compared with 1.0.0: Starts other programs: curl.']),
    },
  })
  expect(
    await of({
      state: 'read',
      others: [],
      scripts: [],
      files: null,
      abilities: [],
      unread: [{ file: 'a.node', reason: 'native' }],
    }),
  ).toMatchObject({
    gains: 'nothing-seen',
    notes: ask,
  })
  expect(await of({ state: 'unknown', reason: 'unreachable' })).toMatchObject({ gains: 'unknown', notes: ask })
  const nothing = await of({ state: 'read', others: [], scripts: [], files: null, abilities: [], unread: [] })
  expect(nothing).toMatchObject({ gains: 'nothing' })
  expect(nothing).not.toMatchObject({ notes: ask })
  const { facts } = (nothing as unknown as { quoted: { facts: string[] } }).quoted
  expect(facts.filter((fact) => fact.startsWith('Nothing new seen'))).toHaveLength(1)
  expect(await checked('remove', { installed })).toMatchObject({ gains: null })
})

test('reviews the removal of a plugin that the directory does not list', async () => {
  const installed = { version: '1.0.0', enabled: true, listing: null, removable: false }
  expect(await checked('remove', { id: 'good', installed })).toMatchObject({
    ok: true,
    id: 'good',
    from: '1.0.0',
    run: 'plugmark remove good --profile web',
  })
})

test('says of a removal nothing about an install or its check', async () => {
  const answer = await checked('remove', { installed: { version: '1.0.0', enabled: true } })
  expect(answer).toMatchObject({ ok: true, from: '1.0.0', to: null, run: 'plugmark remove a/good --profile web' })
  for (const field of ['checkMeans', 'fits', 'install']) expect(answer).not.toHaveProperty(field)
  expect(JSON.stringify(answer)).not.toContain('The directory')
})

test('says what the check of the directory means without pointing to a command that can be another one', async () => {
  for (const verdict of VERDICTS) {
    expect(CHECK_MEANS[verdict]).toMatch(/^The directory ran the plugin’s install command/)
    expect(CHECK_MEANS[verdict]).not.toContain('this command')
  }
  expect(await checked('install', {})).toMatchObject({
    run: 'plugmark install a/good --profile web',
    checkMeans: CHECK_MEANS.passed,
  })
})
