import type { Locator, Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { rowFor } from './listings.ts'
import { BADGE, type CodeHost, expect, ORIGIN } from './test.ts'

/** Cards of badges, which a list of repositories has. */
export const TOPIC = '/topics/harness-plugin'
/** Its check passed, and there is another way to install it. */
export const GOOD = 'emberline/night-shift'
/** Its check failed. */
export const BAD = 'lanternworks/dsh-plugin-broken-mast'

/** Opens a list of these repositories, each of which has a badge. */
export async function openList(page: Page, codeHost: CodeHost, ...repositories: string[]): Promise<void> {
  codeHost.pages.set(TOPIC, topicPage(repositories.map(rowFor)))
  await page.goto(ORIGIN + TOPIC)
  await expect(page.locator(BADGE)).toHaveCount(repositories.length)
}

export const badgeOf = (page: Page, repository: string): Locator =>
  page.locator(`[data-plugmark-badge="${repository.toLowerCase()}"]`)
/** The button that opens its card. */
export const labelOf = (page: Page, repository: string): Locator => badgeOf(page, repository).locator('[aria-haspopup]')
export const copyOf = (page: Page, repository: string): Locator =>
  badgeOf(page, repository).getByRole('button', { name: /^Copy the install command/ })
export const cardOf = (page: Page, repository: string): Locator =>
  page.getByRole('dialog', { name: repository, exact: true })
