import type { Locator, Page } from 'playwright/test'
import type { Row } from '../pages/parts.ts'
import { topicPage } from '../pages/topic.ts'
import { BADGE, type CodeHost, expect, ORIGIN } from './test.ts'

/** One row of the index, by column name. */
export interface ListedRow {
  readonly fullName: string
  readonly category: string | null
  readonly install: string | null
  readonly npm: string | null
}

/** The whole index, read from the API by other means than the script's. */
export async function listedRows(api: string): Promise<ListedRow[]> {
  const answer = await fetch(`${api}/api/v1/index`)
  const { fields, plugins } = (await answer.json()) as { fields: string[]; plugins: unknown[][] }
  return plugins.map((row) => Object.fromEntries(fields.map((field, i) => [field, row[i]])) as unknown as ListedRow)
}

/** `owner/repo` of a listing, as it is written. */
export const repositoryOf = ({ fullName }: ListedRow): string => fullName.split('#')[0]!

/** Listings by folded `owner/repo`. */
export function byRepository(listed: readonly ListedRow[]): Map<string, ListedRow[]> {
  return Map.groupBy(listed, (row) => repositoryOf(row).toLowerCase())
}

/** Repositories that are in no directory, so that a list has both kinds. */
const OTHERS = ['wren-abbot/teapot', 'wren-abbot/dsh-plugin-not-listed', 'cobalt-moth/kite', 'cobalt-moth/lantern']

/** A list of repositories: the first `count` listed ones, one of them spelled otherwise, among others. */
export function mixedRows(listed: readonly ListedRow[], count = 16): Row[] {
  const repositories = [...new Set(listed.map(repositoryOf))].slice(0, count)
  const spelled = repositories.map((name, index) => (index === 1 ? name.toUpperCase() : name))
  const mixed = spelled.flatMap((name, index) => (index % 4 === 3 ? [name, OTHERS[((index - 3) / 4) % 4]!] : [name]))
  return mixed.map(rowFor)
}

export function rowFor(fullName: string, index = 0): Row {
  return {
    fullName,
    description: `Number ${index} of the list.`,
    stars: 40 - index,
    language: index % 3 ? 'TypeScript' : null,
  }
}

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
