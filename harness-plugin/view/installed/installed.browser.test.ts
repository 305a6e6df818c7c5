import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { InstalledPlugin, PluginState, ProfileLock, SyncPlan } from '../../protocol/index.ts'
import { mountStore, type StoreElement } from '../mounted-testing.ts'
import { aBridge, aJob, aListing, anOutcome } from '../testing.ts'

let element: StoreElement
beforeEach(() => {
  element = mountStore()
})
afterEach(() => element.remove())

const first: InstalledPlugin = {
  name: 'first',
  spec: '^1.0.0',
  version: '1.0.0',
  latest: null,
  waiting: null,
  updateProblem: null,
  advisories: [],
  news: [],
  directorySource: null,
  state: { kind: 'running', why: [], harnessVersion: '0.2.1-rc.2', steps: [], allowCommand: null },
  listing: 'a/first',
  layer: true,
  enabled: null,
  switchesLive: true,
  hold: null,
  removable: true,
  unmanagedReason: null,
}
const stranger: InstalledPlugin = {
  ...first,
  name: 'second',
  spec: 'git+ssh://git@private.example/second.git',
  listing: null,
  removable: false,
  unmanagedReason: 'other-source',
}
const profiles = ['web', 'work'].map((name) => ({ name, layers: ['first'], dependencies: { first: '^1.0.0' } }))
const ok = (...value: InstalledPlugin[]) => ({ ok: true, value }) as const
const view = page.getByRole('region', { name: /^Installed in profile/ })
const items = view.getByRole('listitem')
const check = view.getByRole('button', { name: 'Check for updates' })

/** Opens the menu of a plugin's row. */
async function openMenu(name: string) {
  await view.getByRole('button', { name: `More for ${name}` }).click()
  return page.getByRole('menu', { name: `More for ${name}` })
}

async function show(given: Parameters<typeof aBridge>[1] = {}) {
  const bridge = aBridge([aListing('a/first'), aListing('a/second')], { overview: { profiles }, ...given })
  element.bridge = bridge
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^Installed/ })
    .click()
  return bridge
}

const doing = (kind: PluginState['kind'], steps: PluginState['steps'] = [], more: Partial<PluginState> = {}) => ({
  kind,
  steps,
  why: [],
  harnessVersion: '0.2.1-rc.2',
  allowCommand: null,
  ...more,
})

describe('the view of installed plugins', () => {
  test('says that a restart is due, and how to make it, until the harness has restarted', async () => {
    const waiting = { ...first, version: '1.1.0', state: doing('running', [], { atRestart: '1.1.0' }) }
    const restart = { by: 'page', text: 'http://127.0.0.1:9/restart' } as const
    const bridge = await show({ overview: { profiles, restart }, installed: ok(waiting) })
    await expect.element(items).toMatchTextContent(/Restart the harness to use 1\.1\.0\./)
    const line = view.getByRole('status').filter({ hasText: 'The harness needs a restart.' })
    await expect.element(line.getByRole('link', { name: 'Restart the harness' })).toHaveAttribute('href', restart.text)
    bridge.answers.installed = async () => ok(first)
    bridge.push({ type: 'profiles', profiles })
    await expect.element(line).not.toBeInTheDocument()
    await expect.element(items).not.toMatchTextContent(/Restart the harness/)
  })

  test('says of malware to remove it, and counts other advisories', async () => {
    const advisory = { package: 'first@1.0.0', path: ['first@1.0.0'], severity: 'high', url: '', without: null }
    const advisories = [
      { ...advisory, title: 'Steals tokens', isMalware: true },
      { ...advisory, title: 'Leaks', isMalware: false },
      { ...advisory, title: 'Leaks more', isMalware: false },
    ]
    await show({ installed: ok({ ...first, advisories }) })
    await expect
      .element(items.first())
      .toMatchTextContent(
        /Malware: “Steals tokens”\. Do not install it, and remove it where you have it\. first@1\.0\.0/,
      )
    await expect
      .element(items.first())
      .toMatchTextContent(/2 known problems, of it or of what it installs: see Maintenance\./)
  })

  test('says why the harness refuses a plugin, and offers a remedy', async () => {
    const allowCommand = 'dsh plugin --profile web allow-version first@1.0.0 --dsh-version 0.2.1-rc.2 --accept-risk'
    const refused = doing('refused', ['update', 'remove', 'allow-version'], { why: ['dsh ^0.1.0'], allowCommand })
    await show({ installed: ok({ ...first, state: refused }) })
    const item = items.first()
    await expect
      .element(item)
      .toMatchTextContent(/Refused by harness 0\.2\.1-rc\.2: it declares to need dsh \^0\.1\.0\./)
    await expect.element(item.getByText(allowCommand)).toBeVisible()
    await expect.element(item.getByRole('button', { name: 'Update first' })).toBeEnabled()
  })

  test('installs a plugin again when its files are missing', async () => {
    const bridge = await show({ installed: ok({ ...first, state: doing('package-missing', ['install', 'remove']) }) })
    await items.first().getByRole('button', { name: 'Install first again' }).click()
    expect(bridge.calls).toContain('review a/first web install')
  })

  test('shows a notice, with a link and a close button, when a harness upgrade has turned plugins off', async () => {
    element.bridge = aBridge([aListing('a/first')], {
      overview: { profiles, upgrade: { from: '0.1.5-rc.1', to: '0.2.1-rc.2', off: ['a', 'b', 'c'], total: 12 } },
      installed: ok(first),
    })
    await expect.element(page.getByText('Harness 0.1.5-rc.1 → 0.2.1-rc.2: 3 of 12 plugins are off.')).toBeVisible()
    await page.getByRole('button', { name: 'Show them' }).click()
    await expect.element(items.first()).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect.element(page.getByText(/plugins are off/)).not.toBeInTheDocument()
  })

  test('shows what each plugin is and its version, and says why one from another source is not updated', async () => {
    await show({ installed: ok(first, stranger) })
    await expect.element(items.first()).toMatchTextContent(/^first ?1\.0\.0 ?Summary of a\/first\./)
    await expect.element(items.first().getByRole('button', { name: 'Update first' })).not.toBeInTheDocument()
    await expect.element(items.last()).toMatchTextContent(/It comes from another source/)
    await openMenu('second')
    await expect.element(page.getByText('Installed as git+ssh://git@private.example/second.git')).toBeVisible()
  })

  test('removes a plugin that the directory does not list by its package', async () => {
    const bridge = await show({ installed: ok(stranger) })
    await (await openMenu('second')).getByRole('menuitem', { name: 'Remove…' }).click()
    const sheet = page.getByRole('dialog', { name: 'Remove second' })
    await sheet.getByText('More').first().click()
    await expect.element(sheet.getByText('dsh plugin --profile web remove second')).toBeVisible()
    await expect.element(sheet).not.toMatchTextContent(/Installs|Source/)
    await sheet.getByRole('button', { name: 'Remove' }).click()
    expect(bridge.calls).toContain('reviewPackage second web remove')
    expect(bridge.calls.at(-1)).toBe('start second token false')
  })

  test('updates the store itself by its package, and names the way back', async () => {
    const store = { ...stranger, name: 'the-store', spec: '^1.0.0', latest: '1.1.0', unmanagedReason: 'store' } as const
    const bridge = await show({ installed: ok(store), review: { wayBack: 'dsh plugin add the-store@1.0.0' } })
    await items.first().getByRole('button', { name: 'Update the-store' }).click()
    const sheet = page.getByRole('dialog', { name: /^Update the-store/ })
    await sheet.getByText('More').first().click()
    await expect.element(sheet.getByText('dsh plugin --profile web update --latest the-store')).toBeVisible()
    await expect.element(sheet.getByText('dsh plugin add the-store@1.0.0')).toBeVisible()
    await expect.element(sheet).not.toMatchTextContent(/Install check|Licence/)
    await sheet.getByRole('button', { name: 'Update' }).click()
    expect(bridge.calls).toContain('reviewPackage the-store web update')
    expect(bridge.calls.at(-1)).toBe('start the-store token false')
  })

  test('moves through the menu of a plugin by keys, and gives the focus back to its button', async () => {
    await show({ installed: ok(first) })
    const button = view.getByRole('button', { name: 'More for first' })
    ;(button.element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowDown}')
    const focused = () => element.shadowRoot?.activeElement?.textContent?.trim()
    await expect.poll(focused).toBe('Details')
    await userEvent.keyboard('{ArrowUp}')
    expect(focused()).toBe('Remove…')
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(focused()).toBe('Source')
    await userEvent.keyboard('{End}{Home}')
    expect(focused()).toBe('Details')
    const keys: string[] = []
    const listen = (event: KeyboardEvent) => keys.push(event.key)
    document.addEventListener('keydown', listen)
    await userEvent.keyboard('{Escape}')
    document.removeEventListener('keydown', listen)
    await expect.poll(() => element.shadowRoot?.activeElement).toBe(button.element())
    expect(element.shadowRoot?.querySelector(':popover-open')).toBeNull()
    expect(keys).toEqual([])
  })

  test('marks a plugin with a fault, and not one that the store merely leaves alone', async () => {
    const store: InstalledPlugin = { ...stranger, name: 'the-store', unmanagedReason: 'store' }
    await show({
      installed: ok({ ...first, version: null, state: doing('package-missing', ['install', 'remove']) }, store),
    })
    await expect.element(items.first()).toMatchTextContent(/Its files are missing/)
    expect(items.first().element().querySelector('.warn')).not.toBeNull()
    await expect.element(items.last()).toMatchTextContent(/This is the store itself/)
    expect(items.last().element().querySelector('.warn')).toBeNull()
  })

  test('checks for updates, updates after a review, and reads the plugins again', async () => {
    const bridge = await show({ installed: ok(first), updates: ok({ ...first, latest: '2.0.0' }) })
    await check.click()
    await expect.element(view.getByRole('status')).toMatchTextContent('1 update available.')
    await expect.element(items.first()).toMatchTextContent(/1\.0\.0 → 2\.0\.0/)
    await items.first().getByRole('button', { name: 'Update first' }).click()
    const sheet = page.getByRole('dialog', { name: /^Update first/ })
    await sheet.getByRole('button', { name: 'Update' }).click()
    expect(bridge.calls.at(-1)).toBe('start a/first token false')
    bridge.push({ type: 'job', job: aJob({ action: 'update' }) })
    await expect.element(items.first()).toMatchTextContent(/Updating 4 of 5/)
    const reads = () => bridge.calls.filter((call) => call === 'installed web').length
    // When the page opened, and after the check.
    expect(reads()).toBe(2)
    bridge.push({ type: 'profiles', profiles })
    await expect.poll(reads).toBe(3)
  })

  test('says from when on a release can be installed, and does not offer it before', async () => {
    const waiting = { version: '9.0.0', until: '2026-11-27T14:00:00.000Z', pnpm: 11, minutes: 1440 }
    const bridge = await show({ installed: ok(first), updates: ok({ ...first, waiting }) })
    await check.click()
    await expect.element(view.getByRole('status')).toMatchTextContent('No update is available yet.')
    await expect
      .element(items.first())
      .toMatchTextContent(/9\.0\.0 is available from 27 Nov 2026, \d\d:00: pnpm 11 waits 1 day after a release\./)
    await expect.element(items.first().getByRole('button', { name: 'Update first' })).not.toBeInTheDocument()
    bridge.answers.installed = async () => ok({ ...first, latest: '2.0.0', waiting })
    await check.click()
    await expect.element(items.first()).toMatchTextContent(/1\.0\.0 → 2\.0\.0.*9\.0\.0 is available from/)
    await expect.element(items.first().getByRole('button', { name: 'Update first' })).toBeEnabled()
  })

  test('enables and disables a plugin by a switch, without a dialog', async () => {
    const bridge = await show({ installed: ok({ ...first, enabled: true }, stranger) })
    const toggle = items.first().getByRole('switch', { name: 'Enable first' })
    await expect.element(toggle).toBeChecked()
    await expect.element(toggle).not.toHaveAttribute('title')
    await expect.element(items.last().getByRole('switch')).not.toBeInTheDocument()
    await toggle.click()
    expect(bridge.calls.at(-1)).toBe('switchPlugin first web false a/first')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await expect.element(toggle).not.toBeChecked()
    await expect.element(items.first()).toMatchTextContent(/Disabling 4 of 5/)
    // It can be pressed again once its job has ended.
    ;(toggle.element() as HTMLElement).click()
    expect(bridge.calls.filter((call) => call.startsWith('switchPlugin'))).toHaveLength(1)
    const read = Promise.withResolvers<void>()
    bridge.answers.installed = () => read.promise.then(() => ok({ ...first, enabled: false }))
    bridge.push({ type: 'job', job: aJob({ action: 'disable', state: 'done', outcome: anOutcome('disabled') }) })
    await expect.element(toggle).toBeChecked()
    // A press on the state before the job waits for the new one, and finds nothing left to do.
    await toggle.click()
    read.resolve()
    bridge.push({ type: 'profiles', profiles })
    await expect.element(toggle).toHaveAttribute('aria-disabled', 'false')
    expect(bridge.calls.filter((call) => call.startsWith('switchPlugin'))).toHaveLength(1)
    await expect.element(toggle).not.toBeChecked()
    await toggle.click()
    expect(bridge.calls.at(-1)).toBe('switchPlugin first web true a/first')
  })

  test('says that a switch takes effect after a restart, and keeps its state when the host refuses', async () => {
    const bridge = await show({ installed: ok({ ...first, enabled: true, switchesLive: false }) })
    bridge.answers.switchPlugin = async () => ({ ok: false, code: 'already-running', message: '' })
    const toggle = items.first().getByRole('switch', { name: 'Enable first' })
    await expect.element(toggle).toHaveAttribute('title', 'Takes effect when the harness restarts')
    await toggle.click()
    await expect.element(page.getByText(/^This plugin already has a job in progress\./)).toBeVisible()
    await expect.element(toggle).toBeChecked()
  })

  test('marks a disabled plugin without a warning, and offers no update until it is enabled', async () => {
    const state = doing('off', ['enable', 'remove'])
    await show({ installed: ok({ ...first, layer: false, enabled: false, latest: '2.0.0', state }) })
    await expect.element(items.first()).toMatchTextContent(/Off, because you turned it off\./)
    await expect.element(items.first().getByRole('switch', { name: 'Enable first' })).not.toBeChecked()
    await expect.element(items.first().getByRole('button', { name: 'Update first' })).not.toBeInTheDocument()
    expect(items.first().element().querySelector('.warn')).toBeNull()
  })

  test('offers an update of a plugin from a repository only once a newer commit was found', async () => {
    const plugin = { ...first, spec: 'github:a/first' }
    await show({ installed: ok(plugin), updates: ok({ ...plugin, latest: 'abcdef0' }) })
    const update = items.first().getByRole('button', { name: 'Update first' })
    await expect.element(items.first()).toBeVisible()
    await expect.element(update).not.toBeInTheDocument()
    await check.click()
    await update.click()
    await expect.element(page.getByRole('dialog', { name: /^Update first/ })).toBeVisible()
  })

  test('calls a plugin by the same name as the search does', async () => {
    const listed = aListing('brasswork/workshop#packages/dice', { npmPackage: '@brasswork/dice' })
    const dice = { ...first, name: '@brasswork/dice', listing: listed.id }
    element.bridge = aBridge([listed], { overview: { profiles }, installed: ok(dice) })
    const row = page.getByRole('list', { name: 'Plugins' }).getByRole('listitem').first()
    await expect.element(row).toMatchTextContent(/^dice brasswork\/workshop\/packages\/dice/)
    await page.getByRole('navigation').getByRole('button', { name: 'Installed' }).click()
    await (await openMenu('dice')).getByRole('menuitem', { name: 'Remove…' }).click()
    await expect.element(page.getByRole('dialog', { name: 'Remove dice' })).toBeVisible()
  })

  test('finds a plugin with an update by the filter for updates', async () => {
    await show({ installed: ok(first), updates: ok({ ...first, latest: '2.0.0' }) })
    await check.click()
    await expect.element(view.getByRole('status')).toMatchTextContent('1 update available.')
    await page.getByRole('navigation').getByRole('button', { name: 'Find plugins' }).click()
    await page.getByRole('combobox', { name: 'Search plugins' }).fill('is:updatable')
    const rows = page.getByRole('list', { name: 'Plugins' }).getByRole('listitem')
    await expect.poll(() => rows.all().length).toBe(1)
    await rows.first().getByRole('button', { name: 'Update first' }).click()
    await expect.element(page.getByRole('dialog', { name: /^Update first/ })).toBeVisible()
  })

  test('checks for updates when that filter is chosen, and says so', async () => {
    const answered = Promise.withResolvers<ReturnType<typeof ok>>()
    const bridge = aBridge([aListing('a/first')], { overview: { profiles }, installed: ok(first) })
    bridge.answers.checkUpdates = () => answered.promise
    element.bridge = bridge
    await page.getByRole('combobox', { name: 'Search plugins' }).fill('is:updatable')
    await expect.element(page.getByText('Checking for updates…')).toBeVisible()
    bridge.answers.installed = () => answered.promise
    answered.resolve(ok({ ...first, latest: '2.0.0' }))
    await expect.element(page.getByRole('button', { name: 'Update first' })).toBeVisible()
    await expect.element(page.getByText('Checking for updates…')).not.toBeInTheDocument()
  })

  test('shows the plugins of the chosen profile', async () => {
    const bridge = await show({ installed: ok(first) })
    await expect.element(items.first()).toBeVisible()
    await view.getByRole('combobox', { name: 'Profile' }).selectOptions('work')
    await expect.element(page.getByRole('region', { name: 'Installed in profile work' })).toBeVisible()
    expect(bridge.calls).toContain('installed work')
    expect(bridge.calls).toContain('checkUpdates work true')
  })

  test('opens the details of a listing and moves the focus there, even when they are open already', async () => {
    await show({ installed: ok(first) })
    for (let times = 0; times < 2; times++) {
      await view.getByRole('button', { name: 'Details of first' }).click()
      await expect.element(page.getByRole('article', { name: 'first' })).toBeVisible()
      await expect.element(view).not.toBeInTheDocument()
      await expect.poll(() => element.shadowRoot?.activeElement?.id).toBe('details-title')
      await page.getByRole('navigation').getByRole('button', { name: 'Installed' }).click()
    }
  })

  test('leads to the search when the listing of a plugin is gone', async () => {
    await show({ installed: ok({ ...first, listing: 'a/gone' }) })
    await view.getByRole('button', { name: 'Details of gone' }).click()
    await expect.poll(() => element.shadowRoot?.activeElement?.role).toBe('combobox')
  })

  test('says that a profile has no plugins, and leads to the search', async () => {
    await show()
    await expect.element(view).toMatchTextContent(/This profile has no plugins besides the harness’s own\./)
    await expect.element(check).toBeDisabled()
    await view.getByRole('button', { name: 'Find plugins' }).click()
    await expect.poll(() => element.shadowRoot?.activeElement?.role).toBe('combobox')
  })

  test('keeps the plugins and shows an error when the registry cannot be reached', async () => {
    const bridge = await show({ installed: ok(first), updates: { ok: false, code: 'package-manager', message: '' } })
    await check.click()
    await expect.element(view.getByRole('alert')).toMatchTextContent(/Could not check for newer versions/)
    await expect.element(items.first()).toBeVisible()
    await view.getByRole('button', { name: 'Retry' }).click()
    expect(bridge.calls).toContain('checkUpdates web')
  })

  test('has an address of its own', async () => {
    element.bridge = aBridge([], { installed: ok(first) })
    element.address = 'view=installed'
    await expect.element(items.first()).toBeVisible()
    const told: unknown[] = []
    element.addEventListener('address', (event) => told.push((event as CustomEvent).detail))
    await page.getByRole('navigation').getByRole('button', { name: 'Find plugins' }).click()
    expect(told).toEqual([['', false]])
  })
})

test('shows which harness it is, by its version once that is known, and no path', async () => {
  const bridge = await show({ installed: ok(first) })
  await view.getByRole('button', { name: 'Maintenance' }).click()
  await expect.element(view.getByText(/This harness is dsh\./)).toBeVisible()
  bridge.push({ type: 'program', program: { command: '/usr/bin/dsh', version: '0.2.1-rc.2' } })
  await expect.element(view.getByText(/This harness is 0\.2\.1-rc\.2\./)).toBeVisible()
  await expect.element(view.getByText('was not tested with')).not.toBeInTheDocument()
  bridge.push({ type: 'program', program: { command: '/usr/bin/dsh', version: '0.2.2' } })
  await expect.element(view.getByText('This version of Plugmark was not tested with harness 0.2.2.')).toBeVisible()
})

test('finds an installed plugin by its name, its listing or its summary, where there are many', async () => {
  const many = ['first', 'second', 'third', 'fourth', 'fifth'].map((name) => ({ ...first, name, listing: null }))
  await show({ installed: ok(...many) })
  const box = view.getByRole('searchbox', { name: 'Search installed plugins' })
  await expect.poll(() => items.all().length).toBe(5)
  await expect.element(box).not.toBeInTheDocument()
  await show({ installed: ok(...many, { ...first, name: 'sixth', listing: 'a/second' }) })
  await box.fill('SUMMARY OF')
  await expect.element(items).toMatchTextContent(/^second/)
  await box.fill('fif')
  await expect.element(items).toMatchTextContent(/^fifth/)
  await box.fill('seventh')
  await expect.element(view).toMatchTextContent(/No plugin matches/)
})

describe('the profile as a file', () => {
  const choose = async (text: string | File) => {
    const input = element.shadowRoot!.querySelector<HTMLInputElement>('input[type=file]')!
    const files = new DataTransfer()
    files.items.add(typeof text === 'string' ? new File([text], 'plugmark.lock.json') : text)
    input.files = files.files
    input.dispatchEvent(new Event('change'))
  }

  test('is saved as the host says, byte for byte', async () => {
    const bridge = await show({ installed: ok(first) })
    const lock = { plugmark: 2, plugins: [], layers: ['first'] }
    bridge.answers.profileLock = async () => ({ ok: true, value: lock as unknown as ProfileLock })
    const saved = Promise.withResolvers<Blob>()
    const { createObjectURL } = URL
    URL.createObjectURL = (blob) => {
      saved.resolve(blob as Blob)
      return createObjectURL.call(URL, blob)
    }
    await expect.element(items.first()).toBeVisible()
    const placeOfRow = () => items.first().element().getBoundingClientRect().top
    const before = placeOfRow()
    await view.getByRole('button', { name: 'Plugins as a file' }).click()
    await page.getByRole('menuitem', { name: 'Save as a file' }).click()
    expect(await (await saved.promise).text()).toBe(`${JSON.stringify(lock, null, 2)}\n`)
    URL.createObjectURL = createObjectURL
    const note = view.getByText(/^Your browser saves it as .*json\.$/)
    await expect.element(note).toBeVisible()
    expect(placeOfRow()).toBe(before)
    await view.getByRole('combobox', { name: 'Profile' }).selectOptions('work')
    await expect.element(note).not.toBeInTheDocument()
  })

  test('says of a file that the browser cannot read that it is unread, and plans nothing', async () => {
    const bridge = await show({ installed: ok() })
    await expect.element(view).toMatchTextContent(/This profile has no plugins/)
    const gone = Object.assign(new File(['{}'], 'plugmark.lock.json'), {
      text: () => Promise.reject(new Error('gone')),
    })
    await choose(gone)
    await expect.element(view.getByRole('alert')).toMatchTextContent(/could not read the file/)
    expect(bridge.calls.some((call) => call.startsWith('planSync'))).toBe(false)
  })

  test('installs what the file has, in its versions and with its holds, and names what stays different', async () => {
    const code = { state: 'read' as const, others: [], scripts: [], files: null, abilities: [], unread: [] }
    const inspection = { plugin: 'first@1.0.0', before: null, code, origin: null, advisories: null }
    const bridge = await show({ installed: ok(), review: { trial: true }, inspection })
    const change = { action: 'install', isSpec: false, commit: null, package: 'first' } as const
    const plan: SyncPlan = {
      changes: [{ ...change, id: 'a/first', version: '1.0.0', hold: { reason: 'It works.' } }],
      present: ['a/second'],
      token: null,
      made: [],
      warnings: [{ kind: 'problems', names: ['deep@2.0.0: Leaks tokens (high)', 'deep@2.0.0: Crashes (low)'] }],
      left: [{ kind: 'version', name: 'third', wanted: '2.0.0', found: '1.0.0' }],
      unread: [{ at: '3', text: 'stranger', why: 'not-listed' }],
    }
    bridge.answers.planSync = async () => ({ ok: true, value: plan })
    await expect.element(view).toMatchTextContent(/This profile has no plugins/)
    await choose('{}')
    const sheet = page.getByRole('dialog', { name: 'Apply a file to profile web' })
    await expect.element(sheet.getByRole('checkbox', { name: 'first' })).toBeChecked()
    await expect.element(sheet).toMatchTextContent(/first ?1\.0\.0.*Stays held at its version: It works\./)
    await expect.element(sheet).toMatchTextContent(/What it can do.*Nothing seen that writes files/)
    await expect.element(sheet).toMatchTextContent(/You can undo it/)
    await expect.element(sheet).toMatchTextContent(/stranger.*The directory does not list it/)
    await expect
      .element(sheet)
      .toMatchTextContent(/2 known problems in packages that come with it: deep@2\.0\.0: Leaks/)
    await expect.element(sheet).toMatchTextContent(/third is 2\.0\.0 in the file, and 1\.0\.0 here\./)
    let order: unknown
    const { start } = bridge.answers
    bridge.answers.start = (input) => {
      order = input
      return start!(input)
    }
    await sheet.getByRole('button', { name: 'Install' }).click()
    expect(bridge.calls).toContain('review a/first web install 1.0.0')
    expect(order).toEqual({ id: 'a/first', token: 'token', acknowledged: false, hold: { reason: 'It works.' } })
  })

  test('is made as a whole where the host can, also what needs no install', async () => {
    const bridge = await show({ installed: ok() })
    const change = { action: 'install', isSpec: false, commit: null, package: 'first', hold: null } as const
    const changes = [{ ...change, id: 'a/first', version: '1.0.0' }]
    const made = [{ kind: 'off', name: 'second', wanted: 'off', found: 'on' }] as const
    const plan: SyncPlan = { changes, present: [], token: 't'.repeat(43), made, warnings: [], left: [], unread: [] }
    bridge.answers.planSync = async () => ({ ok: true, value: plan })
    const orders: unknown[] = []
    const { startAll } = bridge.answers
    bridge.answers.startAll = (input) => {
      orders.push(input)
      return startAll!({ ...input, reviews: [{ id: 'a/first', token: 'token', acknowledged: true }] })
    }
    await expect.element(view).toMatchTextContent(/This profile has no plugins/)
    await choose('{}')
    const sheet = page.getByRole('dialog', { name: 'Apply a file to profile web' })
    await expect.element(sheet.getByRole('checkbox', { name: 'first' })).toBeChecked()
    await expect.element(sheet.getByRole('checkbox', { name: 'first' })).toBeDisabled()
    await expect.element(sheet).toMatchTextContent(/Becomes as in the file\. second is off in the file, and on here\./)
    await sheet.getByRole('button', { name: 'Install' }).click()
    const reviews = [{ id: 'a/first', token: 'token', acknowledged: false }]
    await expect.poll(() => orders).toEqual([{ reviews, sync: plan.token }])

    bridge.answers.planSync = async () => ({ ok: true, value: { ...plan, changes: [] } })
    await choose('{}')
    await sheet.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => orders[1]).toEqual({ reviews: [], sync: plan.token })
  })

  test('has nothing to do where the profile has all of it, also beside a plugin that only the profile has', async () => {
    const bridge = await show({ installed: ok(first) })
    const left = [{ kind: 'extra', name: 'first', wanted: null, found: '1.0.0' }] as const
    const plan: SyncPlan = { changes: [], present: [], token: null, made: [], warnings: [], left, unread: [] }
    bridge.answers.planSync = async () => ({ ok: true, value: plan })
    await expect.element(items.first()).toBeVisible()
    await choose('{}')
    const sheet = page.getByRole('dialog', { name: 'Apply a file to profile web' })
    await expect.element(sheet).toMatchTextContent(/Nothing to do: .*first 1\.0\.0 is here, and not in the file/)
    expect(
      sheet
        .getByRole('button')
        .elements()
        .map((button) => button.textContent?.trim()),
    ).toEqual(['Close'])
  })

  test('takes a line that only names a plugin as an install does', async () => {
    const bridge = await show({ installed: ok(first) })
    const unread = ['FIRST', 'second', 'stranger'].map((text, at) => ({
      at: `${at}`,
      text,
      why: 'not-listed' as const,
    }))
    const plan: SyncPlan = { changes: [], present: [], token: null, made: [], warnings: [], left: [], unread }
    bridge.answers.planSync = async () => ({ ok: true, value: plan })
    await expect.element(items.first()).toBeVisible()
    await choose('first')
    const sheet = page.getByRole('dialog', { name: 'Apply a file to profile web' })
    await expect.element(sheet.getByRole('checkbox', { name: 'second' })).toBeChecked()
    expect(sheet.getByRole('checkbox').elements()).toHaveLength(1)
    await expect
      .element(sheet)
      .toMatchTextContent(/stranger.*The directory does not list it.*a\/first.*Already installed/)
    await sheet.getByRole('button', { name: 'Install' }).click()
    expect(bridge.calls).toContain('review a/second web install')
  })

  test('says which version a plugin has that it updates', async () => {
    const bridge = await show({ installed: ok({ ...first, version: '0.9.0' }) })
    const change = { action: 'install', isSpec: false, commit: null, package: 'first', hold: null } as const
    const changes = [{ ...change, id: 'a/first', version: '1.0.0' }]
    const plan: SyncPlan = { changes, present: [], token: null, made: [], warnings: [], left: [], unread: [] }
    bridge.answers.planSync = async () => ({ ok: true, value: plan })
    await expect.element(items.first()).toBeVisible()
    await choose('{}')
    await expect.element(page.getByRole('dialog')).toMatchTextContent(/first ?0\.9\.0 → 1\.0\.0/)
  })

  test('is made only in part where a plugin is refused, and names what stays different', async () => {
    const bridge = await show({ installed: ok(), review: { refused: 'malware' } })
    const change = { action: 'install', isSpec: false, commit: null, package: 'first', hold: null } as const
    const changes = [{ ...change, id: 'a/first', version: '1.0.0' }]
    const made = [{ kind: 'off', name: 'second', wanted: 'off', found: 'on' }] as const
    const plan: SyncPlan = { changes, present: [], token: 't'.repeat(43), made, warnings: [], left: [], unread: [] }
    bridge.answers.planSync = async () => ({ ok: true, value: plan })
    await expect.element(view).toMatchTextContent(/This profile has no plugins/)
    await choose('{}')
    const sheet = page.getByRole('dialog', { name: 'Apply a file to profile web' })
    await expect.element(sheet).toMatchTextContent(/It is known as malware/)
    await expect.element(sheet).toMatchTextContent(/second is off in the file, and on here\./)
    await expect.element(sheet).not.toMatchTextContent(/Becomes as in the file/)
  })

  test('is not sent when it is larger than the body of a call, and the page says what to do', async () => {
    const bridge = await show({ installed: ok(first) })
    bridge.answers.planSync = async () => ({ ok: false, code: 'internal', message: 'The harness did not answer.' })
    await expect.element(items.first()).toBeVisible()
    // Each quote is two bytes of the body.
    await choose(JSON.stringify({ plugmark: 2, packages: [JSON.stringify(Array(45_000).fill('name'))] }))
    await expect.element(view.getByText(/too long for a page\. Use “plugmark sync” in a terminal/)).toBeVisible()
  })

  test('is refused with the reason when it is another file', async () => {
    const bridge = await show({ installed: ok(first) })
    bridge.answers.planSync = async () => ({ ok: true, value: { problem: 'newer', where: '3' } })
    await expect.element(items.first()).toBeVisible()
    await choose('{"plugmark":3}')
    const reason = view.getByText(/plugmark\.lock\.json: A newer Plugmark wrote it \(format 3\)/)
    await expect.element(reason).toBeVisible()
    element.language = 'zh-CN'
    await expect.element(reason).not.toBeInTheDocument()
    element.language = 'en'
    await expect.element(reason).toBeVisible()
    await view.getByRole('combobox', { name: 'Profile' }).selectOptions('work')
    await expect.element(reason).not.toBeInTheDocument()
    await choose('{"plugmark":3}')
    await view.getByRole('button', { name: 'Hide' }).click()
    await expect.element(reason).not.toBeInTheDocument()
  })
})
