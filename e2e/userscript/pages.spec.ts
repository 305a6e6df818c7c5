import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMockServer } from '@plugmark/mock-api/node'
import { buildUserscript } from '@plugmark/userscript/build'
import { expect, test } from 'playwright/test'
import type { Row } from '../pages/row.ts'
import { startPages } from '../pages/server.ts'
import { listedRows, repositoryOf } from './listings.ts'

/** More rows than a page holds, every second of them a plugin. */
async function rowsFor(api: string): Promise<Row[]> {
  const listed = [...new Set((await listedRows(api)).map(repositoryOf))].slice(0, 15)
  const names = listed.flatMap((name, index) => [name, `wren-abbot/teapot-${index}`])
  return names.map((fullName, index) => ({ fullName, description: '', stars: index, language: null }))
}

test('the demo’s code host marks plugins through its stand-in for a manager', async ({ page }) => {
  const mock = await startMockServer()
  const outDir = await mkdtemp(join(tmpdir(), 'plugmark-pages-'))
  const { file } = await buildUserscript({ api: mock.url, outDir })
  const host = await startPages({ rows: await rowsFor(mock.url), userscript: file })
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  try {
    await page.goto(host.url)
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
