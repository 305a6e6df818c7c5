import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'
import { addByHand } from '../harness/store.ts'
import { startDemo } from './demo.ts'

const silent = () => {}

test('npm start brings up marked lists and a store that lists what passed', async ({ page }) => {
  await using demo = await startDemo({ catalogue: [], harness: true }, silent)

  await page.goto(`${demo.pages}/topics/deepseek-harness`)
  await expect(page.locator('[data-plugmark-badge]').first()).toBeVisible()

  await page.goto(`${demo.store}/plugmark?q=harbor`)
  await expect(page.getByText('dsh-plugin-harbor-notes').first()).toBeVisible()
  expect(await demo.home?.bundles()).not.toContain('dsh-plugin-harbor-notes')

  await page.goto(demo.web!)
  if (demo.home?.version === '0.1.0-rc.8') await page.getByRole('button', { name: 'Configure later' }).click()
  await page.getByRole('button', { name: 'Plugin store' }).click()
  await expect(page.getByRole('dialog', { name: 'Plugin store' }).getByRole('listitem').first()).toBeVisible()

  // What it shows as passed installs: the first of the list, from the registry, and one from its repository.
  const [first] = demo.catalogue.listings.filter(({ verdict }) => verdict === 'passed')
  await addByHand(demo.home!, first!.record.npmPackage!, 'github:emberline/theme-coal')
  expect((await demo.home!.bundles()).slice(-2)).toEqual([first!.record.npmPackage, 'theme-coal'])
})

test('npm start -- --catalogue FILE marks the repositories of a real document', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-document-'))
  const file = join(folder, 'index.json')
  const install = 'dsh plugin --profile web add github:tin-whistle/reel'
  await writeFile(
    file,
    JSON.stringify({
      generated: '2026-08-01T00:00:00.000Z',
      count: 1,
      site: 'https://directory.test',
      fields: ['fullName', 'category', 'install', 'path', 'npm'],
      plugins: [['tin-whistle/reel', 'fun', install, '/plugins/reel', null]],
    }),
  )
  await using demo = await startDemo({ catalogue: [file], harness: false }, silent)
  await page.goto(`${demo.pages}/topics/deepseek-harness`)
  await expect(page.locator('[data-plugmark-badge]')).toHaveCount(1)
  await expect(page.locator('h3', { hasText: 'reel' }).locator('[data-plugmark-badge]')).toBeVisible()
  await rm(folder, { recursive: true })
})

test('npm start says what is wrong with its command line', async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('start.ts', import.meta.url)), '--catalog', 'x'])
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const [code] = await once(child, 'close')
  expect(said).toContain('--catalog')
  expect(code).toBe(2)
})
