import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { InstalledPlugin, PluginState, RepairPlan, UpgradeCheck } from '../../protocol/index.ts'
import { mountStore, type StoreElement } from '../mounted-testing.ts'
import { aBridge, aJob, aListing, anOutcome } from '../testing.ts'

let element: StoreElement
beforeEach(() => {
  element = mountStore()
})
afterEach(() => element.remove())

const doing = (kind: PluginState['kind'], why: readonly string[] = []): PluginState => ({
  kind,
  why,
  harnessVersion: '0.2.1-rc.2',
  steps: [],
  allowCommand: null,
})
const plugin = (name: string, state: PluginState): InstalledPlugin => ({
  name,
  spec: '^1.0.0',
  version: '1.0.0',
  latest: null,
  updateProblem: null,
  advisories: [],
  news: [],
  directorySource: null,
  state,
  ...{
    listing: null,
    layer: true,
    enabled: null,
    switchesLive: true,
    removable: false,
    unmanagedReason: null,
    waiting: null,
    hold: null,
  },
})
const old = doing('refused', ['dsh ^0.1.0'])
const lost = doing('layer-missing')
const stuck = doing('does-not-start', ['stuck: pending (waiting for service: lighthouse)'])
const installed = [plugin('fine', doing('running')), plugin('old', old), plugin('lost', lost), plugin('stuck', stuck)]
const plan: RepairPlan = {
  profile: 'web',
  steps: [
    { action: 'update', name: 'old', version: '1.4.0', integrity: null, state: old },
    { action: 'enable', name: 'lost', version: null, integrity: null, state: lost },
  ],
  left: [{ name: 'stuck', state: stuck, update: null }],
  digest: '0123456789abcdef',
}
const view = page.getByRole('region', { name: /^Installed in profile/ })
const harness = view.getByRole('region', { name: 'Harness and profile' })
const sheet = page.getByRole('dialog', { name: 'Repair profile web' })

async function show(plugins: readonly InstalledPlugin[] = installed, repair: RepairPlan = plan) {
  const bridge = aBridge([aListing('a/first')], { installed: { ok: true, value: plugins } })
  bridge.answers.reviewRepair = async () => ({ ok: true, value: repair })
  bridge.answers.repair = async () => ({ ok: true, value: aJob({ action: 'repair', listing: null, command: null }) })
  element.bridge = bridge
  await page.getByRole('navigation').getByRole('button', { name: 'Installed' }).click()
  return bridge
}

test('repairs everything that is broken after one review, which names what it leaves alone', async () => {
  const bridge = await show()
  await expect.element(view.getByText('3 plugins of this profile do not work as they should')).toBeVisible()
  await view.getByRole('button', { name: 'What to do…' }).click()
  const steps = sheet.getByRole('list', { name: 'This will be done:' }).getByRole('listitem')
  await expect
    .element(steps.first())
    .toMatchTextContent(/Install old 1\.4\.0, which declares to fit harness 0\.2\.1-rc\.2/)
  await expect.element(steps.last()).toMatchTextContent(/Load lost again/)
  const left = sheet.getByRole('list', { name: /Left as it is/ })
  await expect.element(left).toMatchTextContent(/stuck.*waiting for service: lighthouse/)
  await sheet.getByRole('button', { name: 'Repair' }).click()
  expect(bridge.calls).toContain('repair web 0123456789abcdef')
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.element(page.getByRole('region', { name: 'Repair of profile web' })).toBeVisible()
  // What has not started yet may just be starting.
  await expect.element(view.getByRole('button', { name: 'What to do…' })).not.toBeInTheDocument()
  await expect.element(view.getByText(/waiting for service: lighthouse/)).not.toBeInTheDocument()

  const parts = [
    { listing: 'old', kind: 'updated', subjects: ['1.4.0'] },
    { listing: 'lost', kind: 'enabled', subjects: [] },
  ] as const
  const outcome = { ...anOutcome('repaired'), parts }
  const ended = { state: 'done', endedAt: Date.now(), outcome } as const
  bridge.push({ type: 'job', job: aJob({ action: 'repair', listing: null, ...ended }) })
  await expect
    .element(page.getByRole('region', { name: 'Repair of profile web' }))
    .toMatchTextContent(/It loads lost again\. It has old 1\.4\.0 now\. Nothing else in it was changed\./)
})

test('reviews a repair again when the profile has changed meanwhile', async () => {
  const bridge = await show()
  bridge.answers.repair = async () => ({ ok: false, code: 'plan-changed', message: '' })
  await view.getByRole('button', { name: 'What to do…' }).click()
  await sheet.getByRole('button', { name: 'Repair' }).click()
  await expect.element(sheet.getByRole('alert')).toMatchTextContent(/The profile has changed/)
  await sheet.getByRole('button', { name: 'Review again' }).click()
  await expect.element(sheet.getByRole('button', { name: 'Repair' })).toBeEnabled()
})

test('offers the steps for each plugin where there is nothing to repair, and calls nothing a repair', async () => {
  const rows = [aListing('a/stuck')]
  const bridge = aBridge(rows, {
    installed: {
      ok: true,
      value: [
        {
          ...plugin('stuck', { ...stuck, steps: ['update', 'remove'] }),
          listing: 'a/stuck',
          enabled: true,
          removable: true,
        },
      ],
    },
  })
  bridge.answers.reviewRepair = async () => ({ ok: true, value: { ...plan, steps: [] } })
  element.bridge = bridge
  await page.getByRole('navigation').getByRole('button', { name: 'Installed' }).click()
  await view.getByRole('button', { name: 'What to do…' }).click()
  const left = page.getByRole('dialog', { name: 'One plugin of this profile does not work as it should' })
  await expect.element(left).toMatchTextContent(/stuck.*waiting for service: lighthouse/)
  await expect.element(left.getByRole('button', { name: 'Repair' })).not.toBeInTheDocument()
  await expect
    .element(left.getByRole('link', { name: 'Open an issue' }))
    .toHaveAttribute('href', 'https://github.com/a/stuck/issues')
  await expect.element(left.getByRole('button', { name: 'Update stuck' })).toBeVisible()
  await left.getByRole('button', { name: 'Turn off stuck' }).click()
  expect(bridge.calls).toContain('switchPlugin stuck web false a/stuck')
  await expect.element(left).not.toBeInTheDocument()
})

test('says nothing of a profile without a fault', async () => {
  await show([plugin('fine', doing('running'))])
  await expect.element(view.getByText('fine', { exact: true }).first()).toBeVisible()
  await expect.element(view.getByRole('button', { name: 'What to do…' })).not.toBeInTheDocument()
})

const maintain = () => view.getByRole('button', { name: 'Maintenance' }).click()

test('checks the profile, lists what it found, and offers the repair of a harness that does not start', async () => {
  const bridge = await show([plugin('fine', doing('running'))], { ...plan, steps: [], left: [] })
  await maintain()
  const running = { profile: 'web', start: null, findings: [], audit: null, checkedAt: null }
  bridge.answers.checkProfile = async () => ({ ok: true, value: running })
  await harness.getByRole('button', { name: 'Check profile' }).click()
  await expect.element(harness).toMatchTextContent(/Starting the harness from a copy/)
  await expect.element(harness.getByRole('button', { name: 'Check profile' })).toBeDisabled()
  const finding = {
    kind: 'does-not-start',
    subjects: ['fine says no'],
    severity: 'error',
    repairable: true,
    state: null,
  } as const
  const check = {
    profile: 'web',
    start: 'does-not-start',
    findings: [finding],
    audit: null,
    checkedAt: Date.now(),
  } as const
  bridge.push({ type: 'profile-check', check })
  await expect
    .element(harness.getByRole('listitem').first())
    .toMatchTextContent('The harness does not start from this profile: fine says no')
  await harness.getByRole('button', { name: 'Repair profile web…' }).click()
  await expect.element(sheet).toMatchTextContent(/the fewest plugins that stop it are switched off/)
  await sheet.getByRole('button', { name: 'Repair' }).click()
  expect(bridge.calls).toContain('repair web 0123456789abcdef')
})

test('offers the steps for a plugin that the check of the profile found broken', async () => {
  const bridge = await show([{ ...plugin('stuck', stuck), enabled: true }])
  await maintain()
  const findings = [
    { kind: 'plugin-broken', subjects: ['stuck'], severity: 'error', repairable: false, state: stuck } as const,
  ]
  const check = { profile: 'web', start: 'starts', findings, audit: null, checkedAt: Date.now() } as const
  bridge.push({ type: 'profile-check', check })
  await expect
    .element(harness.getByRole('listitem').first())
    .toMatchTextContent(/stuck.*waiting for service: lighthouse/)
  await expect.element(harness.getByRole('button', { name: /^Repair/ })).not.toBeInTheDocument()
  await harness.getByRole('button', { name: 'Turn off stuck' }).click()
  await expect.poll(() => bridge.calls.some((call) => call.startsWith('switchPlugin stuck web false'))).toBe(true)
})

test('tells with the check of the profile what is known against its packages, and what is unknown', async () => {
  const bridge = await show([plugin('fine', doing('running'))])
  await maintain()
  const advisory = { package: 'deep@2.0.0', path: ['fine@1.0.0', 'deep@2.0.0'], severity: 'high', url: '' }
  const audit = {
    state: 'read',
    asked: 3,
    unknown: [{ host: null, packages: 1, names: ['from-git'], reason: 'repository' }],
    found: [{ ...advisory, title: 'Leaks tokens', isMalware: false, without: '1.1.0' }],
  } as const
  const malware = { kind: 'malware', subjects: ['fine@1.0.0', 'deep@2.0.0'], severity: 'error' } as const
  const findings = [{ ...malware, repairable: false, state: null }]
  bridge.push({
    type: 'profile-check',
    check: { profile: 'web', start: 'starts', findings, audit, checkedAt: Date.now() },
  })
  await expect
    .element(harness)
    .toMatchTextContent(/deep@2\.0\.0 is known as malware, and comes with fine@1\.0\.0\. Remove it\./)
  const known = harness.getByRole('list', { name: 'Known problems' })
  await expect.element(known).toMatchTextContent(/“Leaks tokens” \(high\)\. Version 1\.1\.0 comes without it\./)
  await expect.element(known).toMatchTextContent(/fine@1\.0\.0 › deep@2\.0\.0/)
  await expect.element(known).toMatchTextContent(/Known problems of from-git cannot be looked up/)
})

test('checks the profile against another version of the harness, and shows which plugins do not fit', async () => {
  const bridge = await show()
  await maintain()
  const checked: UpgradeCheck = {
    harnessVersion: '0.3.0',
    start: { state: 'not-tried', why: [], page: 'unknown' },
    plugins: [
      { name: 'old', version: '1.0.0', state: old, runs: 'no', fitting: '2.0.0' },
      { name: 'fine', version: '1.0.0', state: doing('loaded'), runs: 'yes', fitting: null },
      { name: 'quiet', version: '1.0.0', state: doing('loaded'), runs: 'unknown', fitting: null },
    ],
  }
  bridge.answers.harnessVersions = async () => ({ ok: true, value: ['0.3.0', '0.2.2'] })
  bridge.answers.checkUpgrade = async () => ({ ok: true, value: checked })
  await harness.getByText('Before you upgrade the harness').click()
  const version = harness.getByRole('combobox', { name: 'Harness version' })
  await version.fill('next')
  await expect.element(harness).toMatchTextContent(/This is not a version, such as 0\.2\.1\./)
  await version.fill('0.3.0')
  await userEvent.keyboard('{Enter}')
  expect(bridge.calls).toContain('checkUpgrade web 0.3.0')
  await expect.element(harness).toMatchTextContent(/One plugin of this profile does not fit harness 0\.3\.0\./)
  const rows = harness.getByRole('row')
  await expect.element(rows.nth(1)).toMatchTextContent(/old.*1\.0\.0.*No.*Refused by.*2\.0\.0/)
  await expect.element(rows.nth(2)).toMatchTextContent(/fine.*Yes/)
  await expect.element(rows.nth(3)).toMatchTextContent(/quiet.*Not declared/)

  bridge.answers.checkUpgrade = async () => ({ ok: false, code: 'unknown-version', message: '' })
  await version.fill('')
  await harness.getByRole('button', { name: 'Check', exact: true }).click()
  await expect.element(harness).toMatchTextContent(/The registry does not say which version is the newest/)
})

test('leads from the notice about an upgrade to the repair, and takes the notice away once another page did', async () => {
  const upgrade = { from: '0.1.5-rc.1', to: '0.2.1-rc.2', off: ['old', 'lost'], total: 12 }
  const bridge = await show()
  bridge.push({ type: 'upgrade', upgrade })
  await expect.element(page.getByText('Harness 0.1.5-rc.1 → 0.2.1-rc.2: 2 of 12 plugins are off.')).toBeVisible()
  await page.getByRole('button', { name: 'Repair…' }).click()
  await expect.element(sheet).toBeVisible()
  await userEvent.keyboard('{Escape}')
  bridge.push({ type: 'upgrade', upgrade: null })
  await expect.element(page.getByText(/12 plugins are off/)).not.toBeInTheDocument()
})
