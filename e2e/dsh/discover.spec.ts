import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startMockServer } from '@plugmark/mock-api/node'
import type { PluginRecord } from '@plugmark/shared/contract'
import { createHome } from '../harness/home.ts'
import { startHarness } from '../harness/running.ts'
import { packVersion } from '../registry/packages.ts'
import { writePlugins } from '../registry/plugin-folder.ts'
import { PUBLISHED } from '../registry/plugins.ts'
import { startRegistry } from '../registry/registry.ts'
import { expect, openPage, test } from './screen.ts'

const DIRECTORY = fileURLToPath(new URL('../../mock-api/tools/cli.ts', import.meta.url))
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#0969da"/></svg>'
const NOTES = 'dsh-plugin-harbor-notes'
const engines = { dsh: '>=0.1.0-rc.1 <0.3.0-0' }

test('the harness’s own Discover tab lists and installs plugins from an exported market index', {
  tag: '@matrix',
}, async ({ page, harnessVersion: version }) => {
  const registry = await startRegistry()
  const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, version, pnpm: 11 })
  const plugin = { ...PUBLISHED['harbor-notes']!, files: { 'icon.svg': ICON }, manifest: { icon: 'icon.svg', engines } }
  await writePlugins(join(home.home, 'sources'), { 'harbor-notes': plugin })
  registry.publish(await packVersion(NOTES, { version: '1.3.0' }, join(home.home, 'sources')))

  const api = await startMockServer()
  const { results }: { results: PluginRecord[] } = await (await fetch(`${api.url}/api/v1/plugins?limit=100`)).json()
  await api.close()
  const names = /^lanternworks\/dsh-plugin-(harbor-notes|paper-kite|dry-well)$/
  const listed = results.filter(({ fullName }) => names.test(fullName))
  await writeFile(join(home.home, 'catalogue.json'), JSON.stringify({ results: listed }))
  const directory = (...args: string[]) =>
    promisify(execFile)(process.execPath, [DIRECTORY, ...args, '--catalogue', 'catalogue.json'], {
      cwd: home.home,
      env: home.env,
    })
  await directory('index', '--title', 'Lantern market', '--icons', '--out', 'market.json', '--registry', registry.url)
  await directory('export', '--site', 'https://directory.example', '--market', 'market.json', '--out', 'static')

  const server = createServer(async ({ url }, response) => {
    const type = url!.endsWith('.svg') ? 'image/svg+xml' : 'application/json'
    response.setHeader('content-type', type).end(await readFile(join(home.home, 'static', url!)))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/market/index.json`
  const harness = await startHarness(home)
  try {
    await openPage(page, harness)
    await page.getByRole('button', { name: 'Plugins', exact: true }).click()
    await page.getByRole('button', { name: 'More', exact: true }).last().click()
    const enable = page.getByRole('switch', { name: 'Enable Custom plugin markets' })
    await enable.click()
    await expect(enable).toBeChecked()
    await page.getByRole('button', { name: 'Back to plugins' }).click()
    await page.getByRole('tab', { name: 'Discover' }).click()
    await page.getByRole('button', { name: 'Add index source' }).click()
    await page.getByRole('textbox', { name: 'Index URL' }).fill(address)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('dialog').getByText('Lantern market').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    const discover = page.getByRole('tabpanel', { name: 'Discover' })
    await expect(discover.getByRole('listitem')).toHaveCount(2)
    const icon = discover.getByRole('listitem').filter({ hasText: NOTES }).locator('img')
    await expect.poll(() => icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

    for (const name of [NOTES, 'dsh-plugin-paper-kite']) {
      await discover.getByRole('button', { name: `Install ${name}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true }).click()
      const done = page.getByRole('dialog', { name: 'Installed' })
      await expect(done).toContainText(name)
      await done.getByRole('button', { name: 'Close' }).click()
      await expect(discover.getByRole('button', { name: `View ${name} in Installed` })).toBeVisible()
    }
    const { dependencies } = JSON.parse(await readFile(join(home.home, 'profiles/web/package.json'), 'utf8'))
    expect(dependencies).toMatchObject({
      [NOTES]: '1.3.0',
      'dsh-plugin-paper-kite': expect.stringMatching(/paper-kite\.git#[0-9a-f]{40}$/),
    })
  } finally {
    await harness.close()
    await home.dispose()
    server.close()
    await registry.close()
  }
})
