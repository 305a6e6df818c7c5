import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeclaredFit, StoreHost } from '@plugmark/harness-plugin/host'
import type { Locator } from 'playwright/test'
import { dsh, profileHash } from '../harness/home.ts'
import { packVersion } from '../registry/packages.ts'
import { credulousDirectory } from '../registry/plugins.ts'
import { startRegistry } from '../registry/registry.ts'
import { ended, expect, idOf, test } from './host.ts'
import { layers, review } from './test.ts'

const OLD = 'dsh-plugin-old-lighthouse'
const FAR = 'dsh-plugin-far-horizon'
const TIDE = 'dsh-plugin-tide-table'
const KITE = 'dsh-plugin-paper-kite'

test.use({ directory: { catalogue: credulousDirectory([OLD, FAR, TIDE]) } })

/** Returns true if this harness refuses incompatible plugins: from 0.2 on. */
const hasGate = (version: string) => !version.startsWith('0.1.')

async function look(host: StoreHost, name: string) {
  const id = idOf(name)
  const reviewed = await host.calls.review({ id, profile: 'web', action: 'install' })
  if (!reviewed.ok) throw new Error(reviewed.message)
  const { token } = reviewed.value
  const known = await host.calls.facts({ id, token, wanted: ['fit'] })
  if (!known.ok) throw new Error(known.message)
  const start = (acknowledged: boolean) => host.calls.start({ id, token, acknowledged })
  return { compatibility: known.value.fit as DeclaredFit, start }
}

/** Locates the sentence about the harness on the sheet. */
const harnessOf = (sheet: Locator) => sheet.getByRole('definition').getByRole('status')

const allowing = (plugin: string, version: string) =>
  `dsh plugin --profile web allow-version ${plugin} --dsh-version ${version} --accept-risk`

test('reads the requirements of a package or repository before it runs anything', async ({ host, home }) => {
  const { version } = home
  const before = await profileHash(home)
  expect((await look(host, KITE)).compatibility).toEqual({
    state: 'declared-to-fit',
    plugin: `${KITE}@0.9.0`,
    harnessVersion: version,
    requirements: ['dsh >=0.1.0-rc.1 <0.3.0-0'],
    allowCommand: null,
    shadows: [],
    foreignScope: false,
    registry: null,
    integrity: null,
    deprecated: null,
    fitting: null,
    problem: null,
    trial: null,
  })
  expect((await look(host, 'dsh-plugin-harbor-notes')).compatibility).toMatchObject({ state: 'not-declared' })
  expect((await look(host, 'dsh-plugin-lost-ferry')).compatibility).toMatchObject({ state: 'not-found' })
  // Only engines.dsh counts: the harness does not meet the peer.
  const old = (await look(host, OLD)).compatibility
  expect(old).toMatchObject({
    state: hasGate(version) ? 'refused' : 'declared-to-fit',
    requirements: ['dsh >=0.1.0-rc.1 <0.2.0-0'],
  })
  expect((await look(host, FAR)).compatibility).toEqual({
    state: hasGate(version) ? 'refused' : 'not-enforced',
    plugin: `${FAR}@1.0.0`,
    harnessVersion: version,
    requirements: ['@deepseek-ai/dsh-settings ^9.0.0'],
    allowCommand: hasGate(version) ? allowing(`${FAR}@1.0.0`, version) : null,
    shadows: [],
    foreignScope: false,
    registry: expect.stringMatching(/^http/),
    integrity: expect.stringMatching(/^sha512-/),
    deprecated: null,
    fitting: null,
    problem: null,
    trial: null,
  })
  expect(await profileHash(home)).toBe(before)
})

test('installs a plugin that does not fit only after the harness allows it, or with a caution on a harness without a gate', async ({
  host,
  home,
}) => {
  const before = await profileHash(home)
  const first = await look(host, FAR)
  expect(await first.start(false)).toMatchObject({ ok: false })
  if (hasGate(home.version)) {
    expect(await first.start(true)).toMatchObject({ ok: false, code: 'incompatible' })
    expect(await profileHash(home)).toBe(before)
    await dsh(home, ...(first.compatibility.allowCommand ?? '').split(' ').slice(1))
  }
  const { compatibility, start } = await look(host, FAR)
  expect(compatibility).toMatchObject({ state: hasGate(home.version) ? 'allowed' : 'not-enforced', allowCommand: null })
  expect(await start(false)).toMatchObject({ ok: false, code: 'not-acknowledged' })
  const job = await start(true)
  if (!job.ok) throw new Error(job.message)
  expect((await ended(host, job.value)).outcome).toMatchObject({ kind: 'registered', trial: { harnessStarted: true } })
  expect(await layers(home)).toEqual([FAR])
})

test('reports a late refusal by the harness, with the command that allows it', { tag: '@only-0.2' }, async ({
  host,
  home,
}) => {
  const own = await startRegistry()
  try {
    await home.setRegistry(own.url)
    const { compatibility, start } = await look(host, TIDE)
    expect(compatibility).toMatchObject({ state: 'not-declared' })
    // Publish a version after the review.
    own.publish(await packVersion(TIDE, { version: '2.0.0', engines: { dsh: '^0.1.0' } }))
    const before = await profileHash(home)
    const job = await start(true)
    if (!job.ok) throw new Error(job.message)
    const { outcome } = await ended(host, job.value)
    expect(outcome).toMatchObject({
      kind: 'incompatible',
      subjects: [`${TIDE}@2.0.0`, home.version, 'dsh ^0.1.0'],
      rollback: 'complete',
      allowCommand: allowing(`${TIDE}@2.0.0`, home.version),
    })
    expect(await profileHash(home)).toBe(before)
  } finally {
    await own.close()
  }
})

test('the sheet shows the requirement and disables the install of a refused plugin', { tag: '@only-0.2' }, async ({
  store,
  home,
}) => {
  const sheet = await review(store, FAR)
  const install = sheet.getByRole('button', { name: 'Install' })
  await expect(harnessOf(sheet)).toContainText(
    `Needs another version of the harness (@deepseek-ai/dsh-settings ^9.0.0) than yours, ${home.version}`,
  )
  const command = sheet.getByText(allowing(`${FAR}@1.0.0`, home.version))
  await expect(command).toBeHidden()
  await sheet.getByText('Install anyway').click()
  await expect(command).toBeVisible()
  await expect(install).toHaveCount(0)
})

test('the sheet says if the requirement cannot be read, and still offers the install', { tag: '@only-0.2' }, async ({
  store,
  home,
}) => {
  await writeFile(join(home.home, 'profiles', home.profile, '.npmrc'), 'registry=http://127.0.0.1:9/\n')
  const sheet = await review(store, OLD)
  await expect(harnessOf(sheet)).toContainText('Unknown whether it fits.')
  await expect(sheet.getByRole('button', { name: 'Install' })).toBeEnabled()
})
