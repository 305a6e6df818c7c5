import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMockServer } from '@plugmark/mock-api/node'
import { buildUserscript } from '@plugmark/userscript/build'
import { expect, test } from 'playwright/test'
import { KIND_PAGES } from '../pages/kinds.ts'
import { servedAt } from '../pages/page-list.ts'
import type { Row } from '../pages/parts.ts'
import { startPages } from '../pages/server.ts'
import { listedRows, repositoryOf } from './listings.ts'

/** More rows than a page holds, every second of them a plugin. */
async function rowsFor(api: string): Promise<Row[]> {
  const listed = [...new Set((await listedRows(api)).map(repositoryOf))].slice(0, 15)
  const names = listed.flatMap((name, index) => [name, `wren-abbot/teapot-${index}`])
  return names.map((fullName, index) => ({ fullName, description: '', stars: index, language: null }))
}

test('marks plugins on the demo’s code host', async ({ page }) => {
  const mock = await startMockServer()
  const outDir = await mkdtemp(join(tmpdir(), 'plugmark-pages-'))
  const { file } = await buildUserscript({ api: mock.url, outDir })
  const host = await startPages({ rows: await rowsFor(mock.url), userscript: file })
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  try {
    await page.goto(host.url)
    await expect(page.locator('.search-result'), 'it opens on a search').toHaveCount(20)
    await expect(page.locator('[data-plugmark-badge]')).toHaveCount(10)
    await page.getByRole('link', { name: 'All pages' }).first().click()
    await page.getByRole('link', { name: 'A topic' }).click()
    await expect(page.locator('article')).toHaveCount(20)
    await expect(page.locator('[data-plugmark-badge]')).toHaveCount(10)
    // One of this test’s, one of the script’s, and one more where the first page was left while it asked.
    const asked = mock.requests.length
    await page.getByRole('link', { name: 'Load more…' }).click()
    await expect(page.locator('[data-plugmark-badge]')).toHaveCount(5)
    await page.goto(`${host.url}/search?q=teapot-3`)
    await expect(page.locator('main .search-title')).toHaveText(['wren-abbot/teapot-3'])
    await page.getByRole('link', { name: 'wren-abbot/teapot-3', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'teapot-3' }), 'each has a page of its own').toBeVisible()
    expect(asked).toBeLessThanOrEqual(3)
    expect(
      mock.requests.map(({ path }) => path),
      'nothing is asked once there is a copy',
    ).toEqual(Array(asked).fill('/api/v1/index'))

    const request = (url: string) => ({ 'x-manager-request': JSON.stringify({ method: 'GET', url, headers: {} }) })
    const foreign = await fetch(`${host.url}/__manager/request`, { headers: request(`${mock.url}/api/v1/index`) })
    expect(foreign.status, 'who is not one of its pages may not ask').toBe(403)
    const elsewhere = await page.evaluate(
      async (headers) => (await fetch('/__manager/request', { headers })).json(),
      request('http://localhost:1/'),
    )
    expect(elsewhere.error).toContain('is not on a host the script may connect to')
    expect(complaints).toEqual([])
  } finally {
    await host.close()
    await mock.close()
    await rm(outDir, { recursive: true })
  }
})

test('marks every page of the demo’s code host, which fits a narrow screen and has no dead link', async ({ page }) => {
  const mock = await startMockServer()
  const outDir = await mkdtemp(join(tmpdir(), 'plugmark-pages-'))
  const { file } = await buildUserscript({ api: mock.url, outDir })
  const rows = (await rowsFor(mock.url)).filter(({ fullName }) => !fullName.startsWith('wren-abbot/'))
  const host = await startPages({ rows, userscript: file })
  await page.setViewportSize({ width: 375, height: 800 })
  try {
    for (const path of [...KIND_PAGES.map(servedAt), '/pages', '/kestrel-yard/wide-margin/issues']) {
      await test.step(path, async () => {
        await page.goto(host.url + path)
        if (!/pages|issues$/.test(path)) await expect(page.locator('[data-plugmark-badge]').first()).toBeVisible()
        const { width, places } = await page.evaluate(() => ({
          width: document.documentElement.scrollWidth,
          places: [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => new URL(href).origin),
        }))
        expect(width).toBe(375)
        // A mirror on another site is one of the decoys.
        expect(new Set(places.filter((place) => place !== 'https://example.com'))).toEqual(new Set([host.url]))
        const boxes = await page.locator('.rows > *').evaluateAll((rows) =>
          rows.map((row) => {
            const range = document.createRange()
            range.selectNodeContents(row)
            return { row: row.getBoundingClientRect().bottom, content: range.getBoundingClientRect().bottom }
          }),
        )
        for (const { row, content } of boxes) expect(content, 'no row runs into the next').toBeLessThanOrEqual(row + 1)
      })
    }
    const header = page.getByRole('banner').getByRole('link')
    for (const link of await header.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href)))
      expect((await page.request.get(link)).status(), link).toBe(200)
    const missing = await page.request.get(`${host.url}/kestrel-yard/wide-margin/issues`)
    expect(missing.status()).toBe(404)
  } finally {
    await host.close()
    await mock.close()
    await rm(outDir, { recursive: true })
  }
})
