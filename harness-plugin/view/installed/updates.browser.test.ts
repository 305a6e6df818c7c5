import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Answer, Inspection, InstalledPlugin } from '../../protocol/index.ts'
import { mountStore, type StoreElement } from '../mounted-testing.ts'
import { aBridge, aFit, aJob, aListing, anInstalledPlugin, anOutcome } from '../testing.ts'

let element: StoreElement
beforeEach(() => {
  element = mountStore()
})
afterEach(() => element.remove())

const profiles = [{ name: 'web', layers: [], dependencies: {} }]
const held = { reason: '1.1 breaks the sidebar', since: 0 }
const plugins = [
  anInstalledPlugin('first'),
  anInstalledPlugin('second'),
  anInstalledPlugin('third', { hold: held }),
  anInstalledPlugin('fourth', { latest: null }),
]
const view = page.getByRole('region', { name: /^Installed in profile/ })
const rowOf = (name: string) => view.getByRole('listitem').filter({ hasText: name }).first()
const tab = page.getByRole('navigation').getByRole('button', { name: /^Installed/ })

const GAINS_NOTHING = {
  plugin: 'first@1.1.0',
  before: '1.0.0',
  code: { state: 'read' as const, others: [], scripts: [], files: null, abilities: [], unread: [] },
  origin: null,
  advisories: null,
}

function show(given: Parameters<typeof aBridge>[1] = {}) {
  const rows = plugins.map(({ name }) => aListing(`a/${name}`, { verdict: name === 'second' ? null : 'passed' }))
  const installed = { ok: true, value: plugins } as const
  const bridge = aBridge(rows, {
    overview: { profiles },
    installed,
    checks: { checkedAt: Date.now() },
    inspection: GAINS_NOTHING,
    ...given,
  })
  element.bridge = bridge
  return bridge
}

test('shows the number of updates beside the name of the view, without being asked', async () => {
  const bridge = show()
  await expect.element(tab).toHaveAccessibleName('Installed 2 updates')
  expect(bridge.calls).toContain('checkUpdates web true')
  await tab.click()
  await expect.element(rowOf('first')).toMatchTextContent(/1\.0\.0 → 1\.1\.0/)
  await expect.element(view.getByRole('status')).toMatchTextContent(/^2 updates available\. Checked just now\.$/)
})

test('says of updates that are all held that they are', async () => {
  show({ installed: { ok: true, value: plugins.slice(2) } })
  await tab.click()
  await expect.element(view.getByRole('status')).toMatchTextContent(/^1 update is held\. Checked just now\.$/)
})

test('turns automatic checks off and on, and says what they ask whom', async () => {
  const bridge = show()
  await tab.click()
  await view.getByRole('button', { name: 'Maintenance' }).click()
  const automatic = view.getByRole('checkbox', { name: 'Check for updates automatically' })
  await expect.element(automatic).toBeChecked()
  await expect.element(view.getByText(/^At most every six hours .* the package registry .* code host/)).toBeVisible()
  await automatic.click()
  expect(bridge.calls.at(-1)).toBe('setUpdateChecks web false')
  await expect.element(automatic).not.toBeChecked()
  await automatic.click()
  await expect.poll(() => bridge.calls.slice(-2)).toEqual(['setUpdateChecks web true', 'checkUpdates web true'])
})

test('updates the chosen plugins in one job, without those that are held', async () => {
  const bridge = show()
  await tab.click()
  await view.getByRole('button', { name: 'Update all' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update plugins in profile web' })
  await expect
    .element(dialog.getByRole('listitem').first())
    .toMatchTextContent(/first ?1\.0\.0 → 1\.1\.0 ?Release notes/)
  await expect
    .element(dialog.getByRole('link', { name: 'Release notes' }).first())
    .toHaveAttribute('href', 'https://github.com/a/first/releases')
  await expect.element(dialog.getByText('Held at this version: 1.1 breaks the sidebar')).toBeVisible()
  await expect.element(dialog.getByRole('checkbox', { name: 'third' })).not.toBeInTheDocument()
  const update = dialog.getByRole('button', { name: 'Update 2 plugins' })
  await update.click()
  expect(bridge.calls.at(-1)).toMatch(/^startAll /)
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(rowOf('second')).toMatchTextContent(/Updating 4 of 5/)
})

test('sets aside updates that gain something or could not be read, and says why', async () => {
  const third = anInstalledPlugin('third')
  const installed = { ok: true, value: [...plugins.slice(0, 2), third] } as const
  const bridge = show({ installed })
  const inspections: Readonly<Record<string, Partial<Inspection>>> = {
    'a/second': {
      code: {
        state: 'read',
        others: [],
        scripts: [],
        files: null,
        abilities: [{ kind: 'starts-programs', names: ['curl'], harmless: 0, more: false, places: [] }],
        unread: [],
      },
    },
    'a/third': { code: { state: 'unknown', reason: 'unreachable' } },
  }
  bridge.answers.facts = async ({ id }) => {
    const { plugin, before, code, origin, advisories } = { ...GAINS_NOTHING, ...inspections[id] }
    return { ok: true, value: { fit: aFit(), code: code && { plugin, before, code }, origin, advisories } }
  }
  await tab.click()
  await view.getByRole('button', { name: 'Update all' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('listitem').nth(0)).toMatchTextContent(/Nothing new seen\./)
  await expect.element(dialog.getByText('New compared with 1.0.0: Starts other programs: curl.')).toBeVisible()
  await expect.element(dialog.getByText('Not read: the registry did not answer.')).toBeVisible()
  await expect.element(dialog.getByRole('status')).toMatchTextContent(/^2 updates are set aside/)
  await expect.element(dialog.getByRole('checkbox', { name: 'first' })).toBeChecked()
  await expect.element(dialog.getByRole('checkbox', { name: 'second' })).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Read the change…' }).nth(1).click()
  await expect.element(page.getByRole('dialog', { name: 'Changes in second' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await dialog.getByRole('checkbox', { name: 'third' }).click()
  await dialog.getByRole('button', { name: 'Update 2 plugins' }).click()
  expect(bridge.calls.at(-1)).toMatch(/^startAll /)
  expect(bridge.calls.at(-1)).not.toContain('second')
})

test('sets aside an update of a repository that was replaced, with both commits', async () => {
  const [before, after] = ['0a'.repeat(20), 'b1'.repeat(20)]
  const past = { before, after, breaks: [{ kind: 'history' as const }], unknown: [] }
  const bridge = show({ installed: { ok: true, value: plugins.slice(0, 1) }, review: { past, cautions: ['past'] } })
  await tab.click()
  await view.getByRole('button', { name: 'Update all' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText(/The installed commit 0a0a0a0 is not in the history of b1b1b1b/)).toBeVisible()
  await expect.element(dialog.getByText(/It does not continue what is installed\./)).toBeVisible()
  await expect.element(dialog.getByRole('checkbox', { name: 'first' })).not.toBeChecked()
  await expect.element(dialog.getByRole('status')).toMatchTextContent(/^1 update is set aside/)
  expect(bridge.calls.some((call) => call.startsWith('start'))).toBe(false)
})

test('says of each update what a review of it alone says', async () => {
  const review = {
    commit: 'unknown',
    loadedAs: 'first-old',
    blockedBuilds: ['libpq'],
    allowedBuilds: ['sharp'],
  } as const
  show({ installed: { ok: true, value: plugins.slice(0, 1) }, review })
  await tab.click()
  await view.getByRole('button', { name: 'Update all' }).click()
  const update = page.getByRole('dialog').getByRole('listitem')
  await expect.element(update).toMatchTextContent(/Commit: The commit of its repository could not be read/)
  await expect.element(update).toMatchTextContent(/Loaded twice: The profile already loads first-old/)
  await expect.element(update).toMatchTextContent(/Build scripts: You are asked before build scripts of libpq run/)
  await expect.element(update).toMatchTextContent(/Build scripts: sharp may run without asking/)
})

test('waits with updates until they are read, also where one was chosen before', async () => {
  const inspection = Promise.withResolvers<Inspection>()
  const bridge = show({ inspection: inspection.promise })
  await tab.click()
  await view.getByRole('button', { name: 'Update all' }).click()
  const dialog = page.getByRole('dialog')
  const update = dialog.getByRole('button', { name: 'Update', exact: true })
  await dialog.getByRole('checkbox', { name: 'first' }).click()
  await expect.element(update).toBeDisabled()
  inspection.resolve({ ...GAINS_NOTHING, before: null })
  await expect.element(dialog.getByRole('checkbox', { name: 'second' })).not.toBeChecked()
  await update.click()
  expect(bridge.calls.at(-1)).toBe('start a/first token false')
})

test('installs what a file has only once it is known what is known against its plugins', async () => {
  const bridge = show({ installed: { ok: true, value: [anInstalledPlugin('fourth', { latest: null })] } })
  const answer = bridge.answers.facts!
  const known = Promise.withResolvers<void>()
  bridge.answers.facts = async (input) => {
    if (!input.wanted.includes('fit')) await known.promise
    return input.wanted.includes('fit') ? { ok: true, value: { fit: aFit() } } : answer(input)
  }
  const fileInput = () => element.shadowRoot?.querySelector<HTMLInputElement>('input[type=file]') ?? null
  await tab.click()
  const change = { action: 'install', isSpec: false, commit: null, package: 'first', hold: null } as const
  const changes = [{ ...change, id: 'a/first', version: '1.0.0' }]
  const plan = { changes, present: [], token: null, made: [], warnings: [], left: [], unread: [] }
  bridge.answers.planSync = async () => ({ ok: true, value: plan })
  const list = new File(['{}'], 'plugins.json')
  await expect.poll(() => fileInput()).not.toBeNull()
  await userEvent.upload(fileInput()!, list)
  const install = page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true })
  await expect.poll(() => bridge.calls.filter((call) => call.startsWith('facts'))).toHaveLength(2)
  await expect.element(install).toBeDisabled()
  known.resolve()
  await expect.element(install).toBeEnabled()
})

test('says why a job of several updates is refused, and reviews them again', async () => {
  const bridge = show()
  bridge.answers.startAll = async () => ({ ok: false, code: 'incompatible', message: '', names: ['first', 'deep'] })
  await tab.click()
  await view.getByRole('button', { name: 'Update all' }).click()
  await page.getByRole('button', { name: 'Update 2 plugins' }).click()
  const refusal = page.getByRole('dialog').getByRole('alert')
  await expect.element(refusal).toMatchTextContent(/would refuse .* first → deep/)
  await page.getByRole('button', { name: 'Review again' }).click()
  await expect.element(refusal).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Update 2 plugins' })).toBeEnabled()
})

test('asks to read the warnings of an update first, and leaves out what cannot be updated', async () => {
  const bridge = show()
  const { review, facts } = bridge.answers
  bridge.answers.review = async (input) => {
    const answer = await review!(input)
    return answer.ok && input.id === 'a/second'
      ? { ...answer, value: { ...answer.value, cautions: ['verdict'] } }
      : answer
  }
  bridge.answers.facts = async (input) => {
    const answer = await facts!(input)
    const refused = aFit({ state: 'refused', requirements: ['dsh ^0.3.0'] })
    return answer.ok && answer.value.fit && input.id === 'a/first'
      ? { ok: true, value: { ...answer.value, fit: refused } }
      : answer
  }
  await tab.click()
  await view.getByRole('button', { name: 'Update all' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('checkbox', { name: 'first' })).toBeDisabled()
  await expect
    .element(dialog.getByText(/Needs another version of the harness \(dsh \^0\.3\.0\) than yours/))
    .toBeVisible()
  const update = dialog.getByRole('button', { name: 'Update', exact: true })
  await expect.element(update).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'I have read these warnings.' }).click()
  await update.click()
  expect(bridge.calls.at(-1)).toBe('start a/second token true')
})

test('holds a version with a reason, and stops that', async () => {
  const bridge = show()
  await tab.click()
  await view.getByRole('button', { name: 'More for first' }).click()
  await page.getByRole('menuitem', { name: 'Hold this version…' }).click()
  await expect.poll(() => element.shadowRoot?.activeElement?.tagName).toBe('INPUT')
  await userEvent.keyboard('needs a newer Node{Enter}')
  await expect.poll(() => bridge.calls).toContain('hold first web needs a newer Node')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(rowOf('third')).toMatchTextContent(/Held at this version: 1\.1 breaks the sidebar/)
  await expect.element(rowOf('third').getByRole('button', { name: 'Update third' })).not.toBeInTheDocument()
  await view.getByRole('button', { name: 'More for third' }).click()
  await page.getByRole('menuitem', { name: 'Stop holding' }).click()
  await expect.poll(() => bridge.calls).toContain('unhold third web')
})

test('skips one update, and offers it again', async () => {
  const bridge = show()
  await tab.click()
  await view.getByRole('button', { name: 'More for first' }).click()
  const skipped = plugins.map((plugin) =>
    plugin.name === 'first' ? { ...plugin, hold: { reason: null, since: 0, skips: '1.1.0' } } : plugin,
  )
  bridge.answers.installed = async () => ({ ok: true, value: skipped })
  await page.getByRole('menuitem', { name: 'Skip 1.1.0' }).click()
  await expect.element(rowOf('first')).toMatchTextContent(/You skipped 1\.1\.0\./)
  expect(bridge.calls).toContain('hold first web  1.1.0')
  await expect.element(rowOf('first').getByRole('button', { name: 'Update first' })).not.toBeInTheDocument()
  await view.getByRole('button', { name: 'More for first' }).click()
  await page.getByRole('menuitem', { name: 'Offer it again' }).click()
  await expect.poll(() => bridge.calls).toContain('unhold first web')
})

test('shows the outcome of each plugin of a job of several', async () => {
  const parts = [
    { listing: 'a/first', kind: 'updated', subjects: ['1.0.0', '1.1.0'] },
    { listing: 'a/second', kind: 'not-found', subjects: ['x'] },
  ] as const
  const outcome = { ...anOutcome('not-found'), parts }
  const job = aJob({ action: 'update', more: ['a/second'], state: 'done', stage: null, endedAt: Date.now(), outcome })
  show({ overview: { profiles, jobs: [job] } })
  await page.getByRole('button', { name: 'Details' }).last().click()
  const bar = page.getByRole('region', { name: /first, second in profile web/ })
  await expect.element(bar.getByText('Updated: 1.0.0 → 1.1.0')).toBeVisible()
})

test('undoes the last change after it has shown what that brings back', async () => {
  const on = { version: '1.1.0', commit: null, enabled: true }
  const bridge = show({
    lastChange: {
      job: { id: 'change', action: 'update', listing: 'a/first', more: ['a/second'], command: null, startedAt: 0 },
      endedAt: Date.now() - 120_000,
      changed: [],
      packages: [
        { name: 'first', before: on, after: { ...on, version: '1.0.0' } },
        { name: 'second', before: null, after: on },
        { name: '@some/third', before: on, after: { ...on, enabled: false } },
        { name: 'fourth', before: on, after: null },
      ],
      advisories: [],
    },
  })
  await tab.click()
  await expect.element(view.getByText('Last change: Updated first and second.')).toBeVisible()
  await view.getByRole('button', { name: 'Undo…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo the last change' })
  await expect
    .poll(() =>
      dialog
        .getByRole('listitem')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual([
      'first 1.1.0 → 1.0.0',
      'second 1.1.0 is installed again',
      'third is disabled again',
      'fourth is no longer installed',
    ])
  await dialog.getByRole('button', { name: 'Undo' }).click()
  expect(bridge.calls).toContain('undo web change')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(view.getByRole('button', { name: 'Undo…' })).toBeDisabled()
})

test('marks the row of an update that newly reaches something, and says nothing of one that does not', async () => {
  const network = { kind: 'network' as const, names: ['tides.example'], harmless: 0, more: false, places: [] }
  const bridge = show({ inspection: { ...GAINS_NOTHING, code: { ...GAINS_NOTHING.code, abilities: [network] } } })
  const { facts } = bridge.answers
  const { code } = GAINS_NOTHING
  bridge.answers.facts = async (input) =>
    input.id === 'a/second'
      ? { ok: true, value: { code: { plugin: 'second@1.1.0', before: '1.0.0', code } } }
      : facts!(input)
  await tab.click()
  await expect.element(rowOf('first')).toMatchTextContent(/New compared with 1\.0\.0: Talks to tides\.example\./)
  expect(rowOf('first').element().querySelector('.warn')).not.toBeNull()
  await expect.poll(() => bridge.calls.filter((call) => call.startsWith('facts'))).toHaveLength(2)
  await expect.element(rowOf('second')).not.toMatchTextContent(/New compared|recognised|not known/)
  expect(bridge.calls.filter((call) => /^review a\/(third|fourth)/.test(call))).toEqual([])
})

test('reads no update for its row where checks are not automatic', async () => {
  const bridge = show({ checks: { automatic: false, checkedAt: Date.now() } })
  await tab.click()
  await expect.element(rowOf('first').getByRole('button', { name: /^Update/ })).toBeVisible()
  await expect.element(view.getByText(/Checked just now/)).toBeVisible()
  expect(bridge.calls.filter((call) => call.startsWith('review'))).toEqual([])
})

test('shows what a job has removed before it says so', async () => {
  const bridge = show()
  await tab.click()
  await expect.element(rowOf('fourth')).toBeVisible()
  const { promise, resolve } = Promise.withResolvers<Answer<readonly InstalledPlugin[]>>()
  bridge.answers.installed = () => promise
  const job = aJob({ action: 'remove', listing: 'a/fourth', state: 'done', endedAt: Date.now() })
  bridge.push({ type: 'job', job: { ...job, state: 'running' } })
  bridge.push({ type: 'job', job: { ...job, outcome: anOutcome('removed') } })
  const outcome = page.getByText('Removed', { exact: true })
  await expect.element(page.getByRole('region', { name: 'fourth from profile web' })).toBeVisible()
  expect(outcome.elements()).toEqual([])
  resolve({ ok: true, value: plugins.slice(0, 3) })
  await expect.element(outcome).toBeVisible()
  expect(rowOf('fourth').elements()).toEqual([])
})

test.each([
  ['undo', { version: '1.1.0' }, 'Undid a change: first 1.1.0 → 1.0.0.'],
  ['redo', { version: '1.1.0' }, 'Redid a change: first 1.1.0 → 1.0.0.'],
  ['undo', { enabled: false }, 'Undid a change: first is enabled again.'],
] as const)('says what an undo or a redo made of a plugin: %s %o', async (action, was, words) => {
  const now = { version: '1.0.0', commit: null, enabled: true }
  const job = { id: 'change', action, listing: 'a/first', more: [], command: null, startedAt: 0 }
  const packages = [{ name: 'first', before: now, after: { ...now, ...was } }]
  show({ lastChange: { job, endedAt: 0, changed: [], packages, advisories: [] } })
  await tab.click()
  await expect.element(view.getByText(`Last change: ${words}`)).toBeVisible()
})

test('offers an undo once: in the line of the job, while that is shown', async () => {
  const job = aJob({ id: 'change', action: 'update', listing: 'a/first' })
  const bridge = show({ lastChange: { job, endedAt: 0, changed: [], packages: [], advisories: [] } })
  await tab.click()
  await expect.element(view.getByRole('button', { name: 'Undo…' })).toBeVisible()
  bridge.push({ type: 'job', job })
  bridge.push({ type: 'job', job: { ...job, state: 'done', endedAt: Date.now(), outcome: anOutcome('updated') } })
  await expect.element(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
  expect(view.getByRole('button', { name: 'Undo…' }).elements()).toEqual([])
  await page.getByRole('button', { name: 'Hide' }).click()
  await expect.element(view.getByRole('button', { name: 'Undo…' })).toBeVisible()
})

test('offers an undo that brings back a known problem only in the dialog that names it, and none of malware', async () => {
  const job = aJob({ id: 'known', action: 'update', listing: 'a/first' })
  const known = { package: 'deep', path: ['first@1.0.0', 'deep@1.0.0'], title: 'Path traversal', severity: 'high' }
  const advisories = [{ ...known, url: '', isMalware: false, without: null }]
  const bridge = show({ lastChange: { job, endedAt: 0, changed: [], packages: [], advisories } })
  await tab.click()
  bridge.push({ type: 'job', job })
  bridge.push({ type: 'job', job: { ...job, state: 'done', endedAt: Date.now(), outcome: anOutcome('updated') } })
  await expect.element(page.getByRole('button', { name: 'Hide' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Undo', exact: true }).elements()).toEqual([])
  await view.getByRole('button', { name: 'Undo…' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/first@1\.0\.0 › deep@1\.0\.0: .*Path traversal/)
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true })
  await expect.element(confirm).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  bridge.answers.lastChange = async () => {
    const malware = advisories.map((one) => ({ ...one, isMalware: true }))
    return { ok: true, value: { job, endedAt: 0, changed: [], packages: [], advisories: malware } }
  }
  await view.getByRole('button', { name: 'Undo…' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/: Malware: “Path traversal”\. Do not install it/)
  await expect.element(page.getByRole('dialog')).toMatchTextContent(/The store does not install it/)
  expect(confirm.elements()).toEqual([])
})

test('does not undo a change after which another program changed the profile', async () => {
  const job = { id: 'change', action: 'remove', listing: 'first', more: [], command: null, startedAt: 0 } as const
  show({ lastChange: { job, endedAt: 0, changed: ['package.json'], packages: [], advisories: [] } })
  await tab.click()
  await view.getByRole('button', { name: 'Undo…' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/Another program has changed package\.json since/)
  await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Undo' })).toBeDisabled()
})
