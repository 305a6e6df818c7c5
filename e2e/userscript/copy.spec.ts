import type { Page } from 'playwright/test'
import { searchPage } from '../pages/search.ts'
import { topicPage } from '../pages/topic.ts'
import { byRepository, type ListedRow, listedRows, repositoryOf, rowFor, titleOf } from './listings.ts'
import { hasBadgeCache } from './stored.ts'
import { BADGE, enterName, expect, managerClipboard, ORIGIN, runMenuCommand, test } from './test.ts'

const TOPIC = '/topics/harness-plugin'
const STATUS = '[data-plugmark-live]'
const COPY = /^Copy the install command of /

const isRoot = ({ fullName }: ListedRow) => !fullName.includes('#')
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** The first repository of the catalogue whose listings are as asked; the catalogue is there to have one of each. */
async function repositoryWith(api: string, asked: (listings: ListedRow[]) => boolean): Promise<ListedRow[]> {
  const found = [...byRepository(await listedRows(api)).values()].find(asked)
  if (!found) throw new Error('The catalogue has no repository like that.')
  return found
}

test.describe('copying', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('copies exactly the command, by mouse and by keyboard, and announces it', async ({ page, codeHost, built }) => {
    const listings = (await listedRows(built.mock.url)).filter((row) => isRoot(row) && row.install !== null).slice(0, 4)
    codeHost.pages.set(TOPIC, topicPage(listings.map(repositoryOf).map(rowFor)))
    await page.goto(ORIGIN + TOPIC)

    for (const [index, { fullName, install }] of listings.entries()) {
      const button = page.getByRole('button', { name: `Copy the install command of ${fullName}`, exact: true })
      await button.scrollIntoViewIfNeeded()
      await expect
        .poll(() => titleOf(button))
        .toMatch(new RegExp(`\n${install}\nA listing is not a security review\\.$`))
      if (index % 2) await button.press('Enter')
      else await button.click()
      await expect(page.locator(STATUS)).toContainText(`Copied: ${install}`)
      expect(await clipboard(page)).toBe(install)
    }
  })

  test('copies at a press in the very next task after the pointer reached the badge', async ({
    page,
    codeHost,
    built,
  }) => {
    const [listing] = await repositoryWith(built.mock.url, ([only, more]) => !more && only?.install !== null)
    codeHost.pages.set(TOPIC, topicPage([rowFor(repositoryOf(listing!))]))
    await page.goto(ORIGIN + TOPIC)
    // The next visit opens nothing before it is needed.
    await expect.poll(() => hasBadgeCache(page)).toBe(true)
    await page.reload()
    const button = page.locator(BADGE).getByRole('button', { name: COPY })
    await button.evaluate((node: HTMLElement) => {
      node.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
      // Before any timer, as what the user does comes before.
      return scheduler.postTask(() => node.click(), { priority: 'user-blocking' })
    })
    await expect(page.locator(STATUS)).toHaveText(`Copied: ${listing!.install}`)
  })
})

test.describe('with the user’s own profile', () => {
  test.use({
    permissions: ['clipboard-read', 'clipboard-write'],
    values: { 'setting profile': 'desk' },
  })

  test('copies the command for the profile of the settings, also right after it changed', async ({
    page,
    codeHost,
    built,
  }) => {
    const [listing] = await repositoryWith(built.mock.url, ([only, more]) => !more && only?.install !== null)
    const forProfile = (profile: string) => listing!.install!.replace(' web ', ` ${profile} `)
    codeHost.pages.set(TOPIC, topicPage([rowFor(repositoryOf(listing!))]))
    await page.goto(ORIGIN + TOPIC)
    const button = page.locator(BADGE).getByRole('button', { name: COPY })
    await button.click()
    await expect(page.locator(STATUS)).toHaveText(`Copied: ${forProfile('desk')}`)

    await runMenuCommand(page, 'Plugmark settings')
    const field = page.getByRole('textbox', { name: 'Profile' })
    await field.fill('../desk; rm')
    await expect(field).toHaveAccessibleDescription(/^Use up to 64 letters/)
    await expect.poll(() => titleOf(button)).toMatch(new RegExp(`\n${forProfile('desk')}\n`))
    await enterName(field, 'lab.2')
    await expect.poll(() => titleOf(button)).toMatch(new RegExp(`\n${forProfile('lab.2')}\n`))
    await page.keyboard.press('Escape')
    await button.click()
    await expect(page.locator(STATUS)).toHaveText(`Copied: ${forProfile('lab.2')}`)
    expect(await clipboard(page)).toBe(forProfile('lab.2'))

    await page.reload()
    await page.locator(BADGE).getByRole('button', { name: COPY }).click()
    await expect(page.locator(STATUS)).toHaveText(`Copied: ${forProfile('lab.2')}`)
  })
})

test.describe('where the browser’s clipboard refuses', () => {
  test('copies by the clipboard function of the manager', async ({ page, codeHost, built }) => {
    const [listing] = await repositoryWith(built.mock.url, ([only, more]) => !more && only?.install !== null)
    codeHost.pages.set('/search?q=kite', searchPage([rowFor(repositoryOf(listing!))]))
    await page.addInitScript(() => {
      navigator.clipboard.write = () => Promise.reject(new DOMException('not now', 'NotAllowedError'))
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('not now', 'NotAllowedError'))
    })
    await page.goto(`${ORIGIN}/search?q=kite`)
    await page.locator(BADGE).getByRole('button', { name: COPY }).click()
    await expect(page.locator(STATUS)).toHaveText(`Copied: ${listing!.install}`)
    expect(await managerClipboard(page)).toEqual([listing!.install])
  })
})
