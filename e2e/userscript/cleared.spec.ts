import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { listedRows, mixedRows } from './listings.ts'
import { badgedRows, expectedRows } from './rows.ts'
import { hasBadgeCache, hasCopy } from './stored.ts'
import { BADGE, type CodeHost, expect, ORIGIN, runMenuCommand, test } from './test.ts'
import { turboScript, visit } from './turbo.ts'

/** A copy that a person clears is gone, and may be had again at once by the page it was cleared on. */
const TOPIC = '/topics/harness-plugin'
const OTHER = '/topics/agents'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Plugmark settings' })
const indexRequests = ({ carried }: CodeHost) => carried.filter((url) => url.endsWith('/index'))

/** Opens a list whose repositories are not those of the other one, and clears the copy on it. */
async function clearOn(page: Page, codeHost: CodeHost, api: string) {
  const rows = mixedRows(await listedRows(api), 24)
  const [shown, others] = [rows.slice(0, 9), rows.slice(12)]
  codeHost.pages.set(TOPIC, topicPage(shown))
  codeHost.pages.set(OTHER, topicPage(others))
  await page.addInitScript({ content: await turboScript() })
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(() => badgedRows(page)).toEqual(await expectedRows(api, shown))
  await expect.poll(() => hasBadgeCache(page)).toBe(true)
  await expect.poll(() => hasCopy(page)).toBe(true)
  await runMenuCommand(page, 'Plugmark settings')
  await dialogOf(page).getByRole('button', { name: 'Delete the stored list' }).click()
  await expect(dialogOf(page).getByRole('status')).toHaveText('Deleted.')
  expect(await hasCopy(page)).toBe(false)
  await page.keyboard.press('Escape')
  expect(indexRequests(codeHost)).toHaveLength(1)
  return expectedRows(api, others)
}

test('requests the index again on the next visit after it was deleted', async ({ page, codeHost, built }) => {
  const expected = await clearOn(page, codeHost, built.mock.url)
  await visit(page, OTHER)
  await expect(page).toHaveURL(ORIGIN + OTHER)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  await expect.poll(() => hasCopy(page)).toBe(true)
  expect(indexRequests(codeHost)).toHaveLength(2)
})

test('a badge that is still shown opens its card after the index was deleted', async ({ page, codeHost, built }) => {
  await clearOn(page, codeHost, built.mock.url)
  const badge = page.locator(BADGE).first()
  await badge.locator('[aria-haspopup]').press('Enter')
  await expect(page.locator('.plugmark-card')).toContainText('A listing is not a security review.')
  await expect(dialogOf(page), 'there is a copy again').toHaveCount(0)
  await expect.poll(() => hasCopy(page)).toBe(true)
  expect(indexRequests(codeHost)).toHaveLength(2)
})
