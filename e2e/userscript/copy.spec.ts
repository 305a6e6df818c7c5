import type { Page } from 'playwright/test'
import { searchPage } from '../pages/search.ts'
import { topicPage } from '../pages/topic.ts'
import { byRepository, type ListedRow, listedRows, repositoryOf, rowFor } from './listings.ts'
import { titleOf } from './rows.ts'
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

  test('a click on the badge does not reach the row around it', async ({ page, codeHost, built }) => {
    const [listing] = await repositoryWith(built.mock.url, ([only, more]) => !more && only?.install !== null)
    codeHost.pages.set(TOPIC, topicPage([rowFor(repositoryOf(listing!))]))
    await page.goto(ORIGIN + TOPIC)
    await page.evaluate(() => {
      document.querySelector('article')!.addEventListener('click', () => location.assign('/lost'))
    })
    await page.locator(BADGE).getByRole('button', { name: COPY }).click()
    await expect(page.locator(STATUS)).toHaveText(/^Copied: /)
    expect(page.url()).toBe(ORIGIN + TOPIC)
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
      // Before any timer, as what a person does comes before.
      return scheduler.postTask(() => node.click(), { priority: 'user-blocking' })
    })
    await expect(page.locator(STATUS)).toHaveText(`Copied: ${listing!.install}`)
  })

  test('copies the command of the root of several listings, and shows their number', async ({
    page,
    codeHost,
    built,
  }) => {
    const listings = await repositoryWith(
      built.mock.url,
      (all) => all.length > 1 && all.some((row) => isRoot(row) && row.install !== null),
    )
    codeHost.pages.set(TOPIC, topicPage([rowFor(repositoryOf(listings[0]!))]))
    await page.goto(ORIGIN + TOPIC)
    await expect(page.locator(BADGE)).toHaveText(`${listings.length} plugins`)
    await page.locator(BADGE).getByRole('button', { name: COPY }).click()
    await expect(page.locator(STATUS)).toHaveText(`Copied: ${listings.find(isRoot)!.install}`)
  })

  test('opens the card to choose from where there are several listings and no root', async ({
    page,
    codeHost,
    built,
  }) => {
    const installable = (all: ListedRow[]) => all.filter((row) => row.install !== null)
    const listings = await repositoryWith(
      built.mock.url,
      (all) => installable(all).length > 1 && !installable(all).some(isRoot),
    )
    codeHost.pages.set(TOPIC, topicPage([rowFor(repositoryOf(listings[0]!))]))
    await page.goto(ORIGIN + TOPIC)
    const repository = repositoryOf(listings[0]!)
    const button = page.getByRole('button', { name: `Choose an install command of ${repository}`, exact: true })
    const card = page.getByRole('dialog', { name: repository })

    await button.press('Enter')
    await expect(card).toBeFocused()
    await expect(card.getByRole('button', { name: /^Copy: / })).toHaveCount(installable(listings).length)
    await expect(card, 'what passed is one of them').toContainText('Installs')
    const label = page.locator(BADGE).locator('[aria-haspopup]')
    await expect(label).toHaveAccessibleName(`${listings.length} plugins, ${repository}`)
    await page.keyboard.press('Escape')
    await expect(card).toHaveCount(0)

    await button.click()
    const { install } = installable(listings)[1]!
    await card.getByRole('button', { name: `Copy: ${install}`, exact: true }).click()
    await expect(page.locator(STATUS)).toHaveText(`Copied: ${install}`)
    expect(await clipboard(page)).toBe(install)
  })

  test('has no copy button, and gives the reason, where nothing can be installed', async ({
    page,
    codeHost,
    built,
  }) => {
    const [listing] = await repositoryWith(built.mock.url, ([only, more]) => !more && only?.install === null)
    codeHost.pages.set(TOPIC, topicPage([rowFor(repositoryOf(listing!))]))
    await page.goto(ORIGIN + TOPIC)
    await expect(
      page.locator(BADGE).getByRole('img', { name: /^Cannot be installed with one command\. It / }),
    ).toBeVisible()
    await expect(page.locator(BADGE).getByRole('button', { name: COPY })).toHaveCount(0)
  })
})

test.describe('with the person’s own profile', () => {
  test.use({
    permissions: ['clipboard-read', 'clipboard-write'],
    values: { settings: JSON.stringify({ profile: 'desk' }) },
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

test('a badge does not copy a command whose install check failed, though its card was never opened', async ({
  page,
  codeHost,
}) => {
  const failed = 'lanternworks/dsh-plugin-broken-mast'
  codeHost.pages.set(TOPIC, topicPage([rowFor(failed)]))
  await page.goto(ORIGIN + TOPIC)
  await page.locator(BADGE).getByRole('button', { name: COPY }).click()
  await expect(page.getByRole('dialog', { name: failed })).toContainText('Show the command anyway')
  await expect(page.locator(STATUS).filter({ hasText: /./ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.locator(BADGE).getByRole('button', { name: COPY }).click()
  await expect(page.getByRole('dialog', { name: failed })).toBeVisible()
  expect(
    codeHost.carried.filter((url) => url.includes('/plugins')),
    'asked for once',
  ).toHaveLength(1)
})

test('a command that needs an approval is copied, and what it needs is said beside the tick', async ({
  page,
  codeHost,
  built,
}) => {
  const listing = (await listedRows(built.mock.url)).find(({ npm }) => npm === '@nine-herons/long-memory')!
  codeHost.pages.set(TOPIC, topicPage([rowFor(repositoryOf(listing))]))
  await page.goto(ORIGIN + TOPIC)
  await page.locator(BADGE).getByRole('button', { name: COPY }).click()
  await expect(page.locator(STATUS)).toHaveText(/^Copied: dsh plugin .* Needs approval: /)
  await expect(page.locator('.plugmark-note')).toContainText('Needs approval')
  await expect(page.locator(BADGE)).toHaveClass(/plugmark-copied/)
  await page.mouse.click(5, 5)
  await expect(page.locator('.plugmark-note')).toHaveCount(0)
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

/** Userscripts, for Safari, answers whether it did. */
const REFUSALS = {
  refuses: 'Promise.reject(new Error("not here"))',
  'says that it did not take it': 'Promise.resolve(false)',
}
for (const [how, answer] of Object.entries(REFUSALS)) {
  test(`opens the card with a command to select where the clipboard of the manager ${how}, too`, async ({
    page,
    codeHost,
    built,
  }) => {
    const [listing] = await repositoryWith(built.mock.url, ([only, more]) => !more && only?.install !== null)
    codeHost.pages.set(TOPIC, topicPage([rowFor(repositoryOf(listing!))]))
    await page.addInitScript(`
      navigator.clipboard.write = () => Promise.reject(new DOMException('not now', 'NotAllowedError'))
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('not now', 'NotAllowedError'))
      window.GM_setClipboard = () => ${answer}`)
    await page.goto(ORIGIN + TOPIC)
    await page.locator(BADGE).getByRole('button', { name: COPY }).click()
    await expect(page.locator(STATUS)).toHaveText(/^Could not copy\. .*: dsh plugin --profile web add /)
    const card = page.getByRole('dialog', { name: repositoryOf(listing!) })
    await expect(card.locator('code').first()).toHaveText(listing!.install!)
    await card
      .getByRole('button', { name: /^Copy: / })
      .first()
      .click()
    const selected = () => page.evaluate(() => String(getSelection()).replaceAll(/\s+/g, ' '))
    await expect.poll(selected, 'its own button selects it').toBe(listing!.install)
  })
}

test.describe('for a person who reads Chinese', () => {
  test.use({ locale: 'zh-CN', permissions: ['clipboard-read', 'clipboard-write'] })

  test('has Chinese names on a badge', async ({ page, codeHost, built }) => {
    const [listing] = await repositoryWith(built.mock.url, ([only, more]) => !more && only?.install !== null)
    codeHost.pages.set(TOPIC, topicPage([rowFor(repositoryOf(listing!))]))
    await page.goto(ORIGIN + TOPIC)
    await page.getByRole('button', { name: `复制 ${listing!.fullName} 的安装命令`, exact: true }).click()
    await expect(page.locator(STATUS)).toHaveText(`已复制：${listing!.install}`)
  })

  test('has Chinese names on a badge of several listings', async ({ page, codeHost, built }) => {
    const listings = await repositoryWith(built.mock.url, (all) => all.length > 1 && !all.some(isRoot))
    const repository = repositoryOf(listings[0]!)
    codeHost.pages.set(TOPIC, topicPage([rowFor(repository)]))
    await page.goto(ORIGIN + TOPIC)
    const label = page.locator(BADGE).locator('[aria-haspopup]')
    await expect(label).toHaveText(`${listings.length} 个插件`)
    await expect(label).toHaveAccessibleName(`${listings.length} 个插件，${repository}`)
  })
})
