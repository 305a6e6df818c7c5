import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { HistoryEntry } from '../../protocol/index.ts'
import { mountStore, type StoreElement } from '../mounted-testing.ts'
import { aBridge, aJob, aListing, anInstalledPlugin, anOutcome } from '../testing.ts'

let element: StoreElement
beforeEach(() => {
  element = mountStore()
})
afterEach(() => element.remove())

const version = (version: string) => ({ version, commit: null, enabled: true })
const anEntry = (change: Partial<HistoryEntry> = {}): HistoryEntry => ({
  id: 'one',
  action: 'update',
  listing: 'a/first',
  more: [],
  command: 'dsh plugin update first',
  queuedAt: 0,
  startedAt: 0,
  endedAt: 0,
  client: 'cli',
  outcome: anOutcome('updated'),
  changes: [{ name: 'first', before: version('1.0.0'), after: version('1.1.0') }],
  ...change,
})
const history = page.getByRole('region', { name: 'History' })
const profiles = [{ name: 'web', layers: [], dependencies: {} }]

async function show(entries: readonly HistoryEntry[], more: Parameters<typeof aBridge>[1] = {}) {
  const bridge = aBridge([aListing('a/first')], { overview: { profiles }, history: entries, ...more })
  element.bridge = bridge
  await page.getByRole('navigation').getByRole('button', { name: 'Installed' }).click()
  await page.getByRole('button', { name: 'History', exact: true }).click()
  return bridge
}

test('lists the jobs of all shells with versions, time and shell, and loads a log when a job is opened', async () => {
  const bridge = await show([
    anEntry(),
    anEntry({ id: 'two', action: 'install', client: 'koishi', outcome: anOutcome('unreachable'), changes: [] }),
  ])
  bridge.answers.jobLog = async () => ({ ok: true, value: ['$ dsh plugin update first', 'Progress: done'] })
  await expect.element(history.getByText('Updated first 1.0.0 → 1.1.0')).toBeVisible()
  // Words beside each other are apart, also for those who hear or copy them.
  expect(history.element().querySelector('summary')!.textContent.trim()).toMatch(
    /^Updated first 1\.0\.0 → 1\.1\.0\s+1 Jan 1970/,
  )
  await expect.element(history.getByText(/1970.* · command line/)).toBeVisible()
  await expect.element(history.getByText(/ · Koishi console/)).toBeVisible()
  expect(bridge.calls.filter((call) => call.startsWith('jobLog'))).toEqual([])
  await history.getByText('Updated first 1.0.0 → 1.1.0').click()
  await expect
    .element(history.getByRole('log').first())
    .toMatchTextContent(/^\$ dsh plugin update first\s+Progress: done$/)
  await history.getByText('Updated first 1.0.0 → 1.1.0').click()
  await history.getByText('Updated first 1.0.0 → 1.1.0').click()
  expect(bridge.calls.filter((call) => call.startsWith('jobLog'))).toEqual(['jobLog web one'])
})

test('says that a log could not be read, and reads it again when the job is opened again', async () => {
  const bridge = await show([anEntry()])
  bridge.answers.jobLog = async () => ({ ok: false, code: 'internal', message: 'The harness did not answer.' })
  const job = history.getByText('Updated first 1.0.0 → 1.1.0')
  await job.click()
  await expect.element(history.getByRole('alert')).toMatchTextContent(/Something went wrong/)
  expect(history.getByText('No output was kept.').elements()).toEqual([])
  bridge.answers.jobLog = async () => ({ ok: true, value: ['Progress: done'] })
  await job.click()
  await job.click()
  await expect.element(history.getByRole('log')).toMatchTextContent(/Progress: done$/)
})

test('offers the next steps of a failed job, and no restart for an old one', async () => {
  const bridge = await show([anEntry({ outcome: anOutcome('unreachable'), changes: [] }), anEntry({ id: 'two' })], {
    overview: { profiles, restart: { by: 'command', text: 'systemctl restart dsh' } },
  })
  await history.getByText(/: first$/).click()
  await history.getByRole('button', { name: 'Try again…' }).click()
  expect(bridge.calls).toContain('review a/first web update')
  await expect.element(page.getByText('systemctl restart dsh')).not.toBeInTheDocument()
})

test('tells of an old job how to use the plugin, and nothing that may be otherwise by now', async () => {
  const old = (kind: 'registered' | 'updated' | 'removed' | 'enabled' | 'disabled', adds = {}) =>
    anEntry({ id: kind, outcome: { ...anOutcome(kind), activation: 'restart', ...adds } })
  const adds = { commands: ['harbor-note'], tools: [] }
  await show([old('registered', { adds }), old('updated'), old('removed'), old('enabled'), old('disabled')])
  await expect.element(history.getByText('Updated first 1.0.0 → 1.1.0').first()).toBeVisible()
  await expect.element(history).toMatchTextContent(/In a conversation, type \/harbor-note\./)
  await expect.element(history).not.toMatchTextContent(/already|restart|was not loading|does not load/i)
})

test('reads the history again after a job, and lists each job once', async () => {
  const bridge = await show([])
  await expect.element(history.getByText('Nothing was changed in this profile yet.')).toBeVisible()
  const job = aJob({ id: 'one', state: 'done', endedAt: 0, outcome: anOutcome('registered'), output: ['here'] })
  bridge.answers.history = async () => ({ ok: true, value: [anEntry({ action: 'install' })] })
  bridge.push({ type: 'job', job })
  bridge.push({ type: 'profiles', profiles })
  await expect.element(history.getByText('Updated first 1.0.0 → 1.1.0')).toBeVisible()
  expect(history.element().querySelectorAll('summary')).toHaveLength(1)
})

test('folds old jobs, and offers another attempt when the history cannot be read', async () => {
  const bridge = await show(Array.from({ length: 11 }, (_, n) => anEntry({ id: `${n}`, endedAt: n })))
  const rows = () => history.element().querySelectorAll('summary').length
  await expect.poll(rows).toBe(8)
  await history.getByRole('button', { name: 'Show 3 older' }).click()
  await expect.poll(rows).toBe(11)
  bridge.answers.history = async () => ({ ok: false, code: 'unknown-profile', message: '' })
  bridge.push({ type: 'profiles', profiles })
  await expect.element(history.getByRole('alert')).toMatchTextContent(/does not exist/)
  await history.getByRole('button', { name: 'Retry' }).click()
  expect(bridge.calls.filter((call) => call.startsWith('history'))).toHaveLength(3)
})

test('describes added, removed and disabled packages', async () => {
  const off = { ...version('1.0.0'), enabled: false }
  const changes = [
    { name: 'added', before: null, after: { ...version('2.0.0'), commit: 'a1b2c3d' } },
    { name: 'removed', before: version('1.0.0'), after: null },
    { name: 'off', before: version('1.0.0'), after: off },
  ]
  await show([anEntry({ changes })])
  await expect
    .element(history.getByText('Installed added 2.0.0 (a1b2c3d), Removed removed 1.0.0 and Disabled off 1.0.0'))
    .toBeVisible()
})

test('leads to the details of a plugin, marks the change that Undo means, and says why a hold is missing', async () => {
  const sync = anEntry({ id: 'sync', action: 'sync', listing: null, outcome: anOutcome('synced'), endedAt: 2 })
  const { id, action, listing, more, command, startedAt } = sync
  await show([anEntry({ action: 'remove' }), sync], {
    lastChange: {
      job: { id, action, listing, more, command, startedAt },
      endedAt: 2,
      changed: [],
      packages: [],
      advisories: [],
    },
    installed: {
      ok: true,
      value: [anInstalledPlugin('held', { hold: { reason: null, since: null } })],
    },
  })
  const change = history.getByText('Applied a file of plugins: Updated first 1.0.0 → 1.1.0')
  await expect.element(change).toBeVisible()
  await expect.element(history.getByText(/Undo takes this back/)).toBeVisible()
  await expect.element(history.getByText(/^Holding a plugin changes nothing/)).toBeVisible()
  await change.click()
  await history.getByRole('button', { name: 'Details of first' }).first().click()
  await expect.element(page.getByRole('article', { name: 'first' })).toBeVisible()
})
