import { execFile } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packDsh } from '@plugmark/harness-plugin/build'
import cliManifest from '../harness-plugin/cli/package.json' with { type: 'json' }
import dshManifest from '../harness-plugin/dsh/package.json' with { type: 'json' }
import koishiManifest from '../harness-plugin/koishi/package.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }
import { test as cliTest } from './cli/test.ts'
import { startConsole } from './console/console.ts'
import { addStore } from './harness/home.ts'
import { callStore, startHarness } from './harness/running.ts'
import { LOWEST_NODE, LOWEST_NODE_OF_HARNESS } from './harness/versions.ts'
import { packedOnce } from './once.ts'
import { expect, install, layers, outcomeOf, test } from './store/test.ts'

const run = promisify(execFile)
const NOTES = 'dsh-plugin-harbor-notes'
const allows = async (node: string) => `>=${(await run(node, ['--version'])).stdout.trim().slice(1)}`

test('the lowest Node of each manifest is the one that is tested', async () => {
  const lowest = await allows(LOWEST_NODE)
  for (const { engines } of [manifest, cliManifest, koishiManifest]) expect(engines.node).toBe(lowest)
  expect(dshManifest.engines.node).toBe(await allows(LOWEST_NODE_OF_HARNESS))
})

test('set-up runs on the lowest Node', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  await run(LOWEST_NODE, ['e2e/setup/setup.mjs', 'git'], { cwd: root })
})

test('a console on the lowest Node installs a plugin and checks for updates', { tag: '@matrix' }, async ({
  page,
  api,
  home,
  tarball,
}) => {
  const { home: directory, command, env } = home
  const koishi = await startConsole({ api: api.url, home: directory, command, env, tarball, node: LOWEST_NODE })
  try {
    await page.addInitScript(() => localStorage.setItem('koishi.console.config', '{"locale":"en-US"}'))
    await page.goto(`${koishi.url}/plugmark`)
    expect(await outcomeOf(await install(page, NOTES)).textContent()).toContain('Installed')
    expect(await layers(home)).toEqual([NOTES])
    await page.getByRole('button', { name: 'Installed', exact: true }).first().click()
    await page.getByRole('button', { name: 'Check for updates' }).click()
    await expect(page.getByText('Everything is up to date.')).toBeVisible()
  } finally {
    await koishi.close()
  }
})

cliTest('the command line finds and installs a plugin on the lowest Node', { tag: '@matrix' }, async ({ cli }) => {
  const options = { node: LOWEST_NODE }
  expect((await cli.json(['search', 'notes'], options)).document.data.listings[0].id).toBe(`lanternworks/${NOTES}`)
  expect((await cli.json(['capabilities'], options)).code).toBe(0)
  const { version } = (await cli.json(['doctor'], options)).document.data.node
  expect(`>=${version.slice(1)}`).toBe(cliManifest.engines.node)
  const installed = await cli.agree(['install', NOTES], options)
  expect(installed.document.data.jobs).toMatchObject([{ outcome: { kind: 'registered' } }])
  expect((await cli.run(['update', NOTES, '--dry-run'], options)).stderr).not.toContain('Warning')
})

// Later ones are executables with a Node of their own.
test('a harness on the lowest Node serves the store', { tag: '@only-0.1' }, async ({ home, api }) => {
  const command = [LOWEST_NODE_OF_HARNESS, ...home.command.slice(1)]
  const env = { ...home.env, PATH: [dirname(LOWEST_NODE_OF_HARNESS), home.env.PATH].join(delimiter) }
  const old = { ...home, command, env }
  await addStore(old, await packedOnce('dsh', packDsh), { api: api.url })
  const harness = await startHarness(old)
  try {
    expect(await callStore(harness, 'about', {})).toMatchObject({ value: { problem: null } })
    const overview = { ok: true, value: { harness: 'found', profile: 'web' } }
    expect(await callStore(harness, 'overview', {})).toMatchObject({ value: overview })
    const checked = { ok: true, value: expect.arrayContaining([]) }
    expect(await callStore(harness, 'checkUpdates', { profile: 'web' })).toMatchObject({ value: checked })
  } finally {
    await harness.close()
  }
})
