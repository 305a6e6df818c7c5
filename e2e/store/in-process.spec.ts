import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoreHost } from '@plugmark/harness-plugin/host'
import { addByHand, type Home, profileHash } from '../harness/home.ts'
import { boots } from '../harness/running.ts'
import { writePlugins } from '../registry/plugin-folder.ts'
import { credulousDirectory } from '../registry/plugins.ts'
import { findChromium } from '../setup/chromium.mjs'
import { aHost, endOf, expect, idOf, performAll, test } from './host.ts'
import { layers } from './test.ts'

const NOTES = 'dsh-plugin-harbor-notes'
const KITE = 'dsh-plugin-paper-kite'
const BAD = 'dsh-plugin-bad-apply'
const DRY = 'dsh-plugin-dry-well'
const GHOST = '@nobody/ghost'
const LATE = 'dsh-plugin-low-tide'

// These calls are for shells in the same process; pages cannot make them.

test.use({ directory: { catalogue: credulousDirectory([BAD]) } })

const file = (home: Home, name: string) => join(home.home, 'profiles', home.profile, name)

async function undo(host: StoreHost) {
  const last = await host.calls.lastChange({ profile: 'web' })
  const change = (last.ok && last.value?.job.id) || ''
  return endOf(host, await host.calls.undo({ profile: 'web', change }))
}

/** Breaks a profile as an interrupted package manager or the user does: adds both kinds of layers without a package. */
async function breakLayers(home: Home): Promise<void> {
  const path = file(home, 'package.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  manifest.dsh.profile.bundles.splice(1, 0, GHOST)
  await writeFile(path, JSON.stringify(manifest, null, 4))
  await rm(file(home, `node_modules/${KITE}`), { recursive: true })
}

test('several plugins are tried, installed and undone together', { tag: '@matrix' }, async ({ host, home }) => {
  const before = await profileHash(home)
  expect(await performAll(host, NOTES, KITE)).toMatchObject({
    kind: 'registered',
    parts: [
      { listing: idOf(NOTES), kind: 'registered' },
      { listing: idOf(KITE), kind: 'registered' },
    ],
    trial: { harnessStarted: true },
  })
  expect(await layers(home)).toEqual([NOTES, KITE])
  const after = await profileHash(home)
  expect(await undo(host)).toMatchObject({ kind: 'reverted' })
  expect(await profileHash(home)).toBe(before)
  expect(await undo(host)).toMatchObject({ kind: 'redone' })
  expect(await profileHash(home)).toBe(after)
  expect(await boots(home)).toBe(true)
})

test('finds the plugin that empties the web page some seconds after its start, and switches it off', {
  tag: '@only-0.2',
}, async ({ api, home }) => {
  // On a busy machine the page is there only seconds after the plugin's part was started, and the harness opens its first
  // dialog beside a page that is already empty.
  const dialog = `document.body.insertAdjacentHTML('beforeend', '<div role="dialog"><button>Get started</button></div>')`
  const empty = `setTimeout(() => { document.body.replaceChildren(); setTimeout(() => ${dialog}, 500) }, 2500)`
  const apply = `const look = setInterval(() => { if (document.querySelector('button')) { clearInterval(look); ${empty} } }, 50)`
  const client = `window.__ModuleLoader__.load({ id: '${LATE}', factory: () => ({ apply() { ${apply} } }) })`
  const [folder] = await writePlugins(home.home, { 'low-tide': { description: 'Empties the page.', client } })
  await addByHand(home, NOTES, folder!)
  const host = aHost(home, { baseUrl: api.url }, { browser: findChromium() })
  const broken = { kind: 'plugin-broken', subjects: [LATE], repairable: true, state: { kind: 'breaks-page' } }
  try {
    expect((await host.doctor({ profile: 'web' })).findings).toMatchObject([broken])
    expect(await endOf(host, await host.repair({ profile: 'web' }))).toMatchObject({
      kind: 'repaired',
      subjects: [LATE],
    })
    const { findings } = await host.doctor({ profile: 'web' })
    expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([])
  } finally {
    await host.close()
  }
})

test('one bad plugin of several undoes all of them', { tag: '@only-0.1' }, async ({ host, home }) => {
  const before = await profileHash(home)
  expect(await performAll(host, NOTES, BAD)).toMatchObject({
    kind: 'stops-harness',
    rollback: 'complete',
  })
  expect(await performAll(host, NOTES, DRY, KITE)).toMatchObject({
    kind: 'not-a-layer',
    rollback: 'complete',
    parts: [{ kind: 'registered' }, { listing: idOf(DRY), kind: 'not-a-layer' }],
  })
  expect(await profileHash(home)).toBe(before)
})

test('finds and removes layers that are not installed, and changes nothing else in the profile', {
  tag: '@matrix',
}, async ({ host, home, harnessVersion }) => {
  await addByHand(home, NOTES, `github:lanternworks/${KITE}`)
  expect(await host.doctor({ profile: 'web' })).toMatchObject({
    harness: { version: harnessVersion },
    packageManager: { version: expect.stringMatching(new RegExp(`^${home.pnpm}\\.`)) },
    start: { state: 'starts' },
    findings: [],
  })

  await breakLayers(home)
  const [broken, text] = [await profileHash(home), await readFile(file(home, 'package.json'), 'utf8')]
  const skips = harnessVersion.startsWith('0.2.')
  const { start, findings } = await host.doctor({ profile: 'web' })
  expect(start.state).toBe(skips ? 'starts' : 'does-not-start')
  expect(findings.filter(({ kind }) => kind !== 'does-not-start')).toEqual(
    [GHOST, KITE].map((name) => ({
      kind: 'layer-not-installed',
      subjects: [name],
      severity: 'error',
      repairable: true,
      state: null,
    })),
  )
  expect(await profileHash(home), 'it was only looked at').toBe(broken)

  expect(await endOf(host, await host.repair({ profile: 'web' }))).toMatchObject({
    kind: 'repaired',
    subjects: expect.arrayContaining([GHOST, KITE]),
  })
  expect(await boots(home)).toBe(true)
  expect(await layers(home)).toEqual([NOTES])
  const repaired = await readFile(file(home, 'package.json'), 'utf8')
  const manifest = JSON.parse(text)
  const { profile } = manifest.dsh
  profile.bundles = profile.bundles.filter((name: string) => name !== GHOST && name !== KITE)
  expect(repaired).toBe(JSON.stringify(manifest, null, 4))
  await writeFile(file(home, 'package.json'), text)
  expect(await profileHash(home), 'all but package.json').toBe(broken)
  await writeFile(file(home, 'package.json'), repaired)

  expect((await host.doctor({ profile: 'web' })).findings).toMatchObject([
    { kind: 'plugin-broken', subjects: [KITE], severity: 'warning', state: { kind: 'package-missing' } },
  ])
  expect(await undo(host)).toMatchObject({ kind: 'reverted' })
  expect(await profileHash(home)).toBe(broken)
})

test('changes nothing in a profile that starts, and disables the plugin that stops one from starting', {
  tag: '@only-0.1',
}, async ({ host, home }) => {
  await addByHand(home, NOTES)
  const whole = await profileHash(home)
  expect((await endOf(host, await host.repair({ profile: 'web' }))).kind).toBe('nothing-to-do')
  expect(await profileHash(home)).toBe(whole)

  await addByHand(home, 'dsh-plugin-bad-exit')
  expect((await host.doctor({ profile: 'web' })).start.state).toBe('does-not-start')
  const bundles = await home.bundles()
  expect(await endOf(host, await host.repair({ profile: 'web' }))).toMatchObject({ kind: 'repaired' })
  expect(await home.bundles()).toEqual(bundles.filter((name) => name !== 'dsh-plugin-bad-exit'))
  expect((await host.doctor({ profile: 'web' })).start.state).toBe('starts')
})

test('restores the deleted folder of a plugin, although pnpm says that all is up to date', async ({ host, home }) => {
  await addByHand(home, NOTES)
  await rm(file(home, `node_modules/${NOTES}`), { recursive: true })
  const plan = await host.calls.reviewRepair({ profile: 'web' })
  if (!plan.ok) throw new Error(plan.message)
  expect(plan.value.steps).toMatchObject([{ name: NOTES, action: 'install' }])
  const { digest } = plan.value
  expect((await endOf(host, await host.calls.repair({ profile: 'web', digest }))).kind).toBe('repaired')
  expect(await boots(home)).toBe(true)
  expect(await layers(home)).toEqual([NOTES])
})
