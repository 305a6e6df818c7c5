import { type FaultName, faultHandler } from '@plugmark/mock-api'
import { HttpResponse, http } from 'msw'
import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { badgedRows, expectedRows, listedRows, mixedRows } from './listings.ts'
import { failuresNoted, storageIsQuiet } from './stored.ts'
import { BADGE, type CodeHost, expect, ORIGIN, test, twoFrames } from './test.ts'

/** Directories that answer wrongly, or not at all: the page stays what it was, and is marked once they answer. */
const TOPIC = '/topics/harness-plugin'

/** Before there is a copy, the first failure is waited out for a minute; a request, for half of one. ms */
const MINUTE = 60_000

type Rows = Awaited<ReturnType<typeof badgedRows>>

async function listOf(api: string, codeHost: CodeHost): Promise<Rows> {
  const rows = mixedRows(await listedRows(api))
  codeHost.pages.set(TOPIC, topicPage(rows))
  return expectedRows(api, rows)
}

/** The rows of the page, without what stands beside them. */
const listMarkup = (page: Page) => page.locator('main').evaluate((main) => main.outerHTML)

const INDEX = '*/api/v1/index'
const GOOD = { generated: '2026-08-20T00:00:00.000Z', site: 'https://directory.test' }
const FIELDS = ['fullName', 'category', 'install', 'path', 'npm']

const faults: readonly FaultName[] = ['500', 'hang']
const documents: Readonly<Record<string, unknown>> = {
  'an empty catalogue': { ...GOOD, count: 0, fields: FIELDS, plugins: [] },
  'rows of nonsense': { ...GOOD, count: 2, fields: FIELDS, plugins: [7, ['no name']] },
}
const HANDLERS = [
  ...faults.map((fault) => ({ what: `the fault ${fault}`, handler: faultHandler(fault) })),
  ...Object.entries(documents).map(([what, document]) => ({
    what,
    handler: http.get(INDEX, () => HttpResponse.json(document as object)),
  })),
]

for (const { what, handler } of HANDLERS) {
  test(`leaves the page unchanged with ${what}, and recovers without a reload`, async ({ page, codeHost, built }) => {
    const expected = await listOf(built.mock.url, codeHost)
    await page.clock.install()
    built.mock.use(handler)
    await page.goto(ORIGIN + TOPIC)
    await expect.poll(() => codeHost.carried.length).toBe(1)
    const before = await listMarkup(page)
    // As long as a request may take.
    await page.clock.fastForward(MINUTE / 2)
    if (what !== 'the fault hang') await expect.poll(codeHost.answered).toBe(1)
    await expect.poll(() => failuresNoted(page)).toBe(1)
    await storageIsQuiet(page)
    await twoFrames(page)
    await expect(page.locator(BADGE)).toHaveCount(0)
    expect(await listMarkup(page)).toBe(before)

    built.mock.resetHandlers()
    await page.clock.fastForward(MINUTE / 3)
    await twoFrames(page)
    expect(codeHost.carried, 'not asked again within the back-off').toHaveLength(1)
    await page.clock.fastForward(MINUTE / 3)
    await expect.poll(() => badgedRows(page)).toEqual(expected)
    expect(codeHost.carried).toHaveLength(2)
  })
}
