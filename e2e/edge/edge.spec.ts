/** The clients over a directory that an edge runtime serves. */
import { embeddedCatalogue } from '@plugmark/mock-api'
import type { MockServer } from '@plugmark/mock-api/node'
import { test as cliTest } from '../cli/test.ts'
import { topicPage } from '../pages/topic.ts'
import { find, test as storeTest } from '../store/test.ts'
import { badgedRows, expectedRows, listedRows, mixedRows } from '../userscript/listings.ts'
import { BADGE, buildFor, expect, ORIGIN, test as userscriptTest } from '../userscript/test.ts'
import { startEdge } from './edge.ts'

const NOTES = 'lanternworks/dsh-plugin-harbor-notes'

/** Passes the worker to `use`, with the part of the mock server that these tests use. */
async function withEdge(use: (server: MockServer) => Promise<void>): Promise<void> {
  const edge = await startEdge(embeddedCatalogue())
  await use({ url: edge.url, resetHandlers() {} } as MockServer)
  await edge.close()
}

userscriptTest.extend({
  built: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => withEdge(async (server) => use(await buildFor(server))),
    { scope: 'worker' },
  ],
})('the userscript marks plugins', async ({ page, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  const expected = (await expectedRows(built.mock.url, rows)).map(({ badge }) => badge)
  codeHost.pages.set('/topics/harness-plugin', topicPage(rows))
  await page.goto(`${ORIGIN}/topics/harness-plugin`)
  await expect(page.locator(BADGE)).toHaveCount(expected.length)
  expect((await badgedRows(page)).map(({ badge }) => badge).sort()).toEqual([...expected].sort())
})

storeTest
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  .extend({ api: async ({}, use) => withEdge(use) })(
  'the store lists plugins and opens the details of one',
  async ({ store }) => {
    const row = await find(store, 'dsh-plugin-harbor-notes')
    await row.getByRole('button', { name: 'dsh-plugin-harbor-notes lanternworks' }).click()
    await expect(store.getByRole('article', { name: 'dsh-plugin-harbor-notes' })).toContainText('Install check passed')
  },
)

cliTest.extend({
  api: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => withEdge(use),
    { scope: 'worker' },
  ],
})('the command line searches and shows a plugin', async ({ bare }) => {
  const search = await bare.json(['search', 'notes', 'category:memory'])
  expect(search.document.data.listings[0]).toMatchObject({ id: NOTES, verdict: 'passed' })
  expect((await bare.json(['show', NOTES])).document.data).toMatchObject({ id: NOTES })
})
