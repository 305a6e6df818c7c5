import type { Locator, Page } from 'playwright/test'
import type { Row } from '../pages/parts.ts'
import { byRepository, listedRows } from './listings.ts'
import { BADGE } from './test.ts'

/** The repository of every row with a badge, in the order of the page, and where the badge stands. */
export async function badgedRows(page: Page): Promise<{ link: string; badge: string }[]> {
  return page.locator(BADGE).evaluateAll((badges) =>
    badges.map((badge) => ({
      link: badge.previousElementSibling?.getAttribute('href')?.slice(1) ?? 'no link before the badge',
      badge: badge.getAttribute('data-plugmark-badge') ?? '',
    })),
  )
}

/** Returns what `badgedRows` must return, from the catalogue alone. */
export async function expectedRows(api: string, rows: readonly Row[]): Promise<{ link: string; badge: string }[]> {
  const listed = byRepository(await listedRows(api))
  return rows
    .map(({ fullName }) => ({ link: fullName, badge: fullName.toLowerCase() }))
    .filter(({ badge }) => listed.has(badge))
}

/** Returns the title of a badge's button after the user has pointed at it; poll, for it is set later. */
export async function titleOf(button: Locator): Promise<string> {
  await button.dispatchEvent('pointerover')
  return (await button.getAttribute('title')) ?? ''
}
