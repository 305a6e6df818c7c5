import { HttpResponse, http } from 'msw'
import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { expectedRows, GOOD, listedRows, mixedRows, openList, titleOf } from './listings.ts'
import { hasCopy } from './stored.ts'
import { BADGE, type CodeHost, enterName, expect, ORIGIN, runMenuCommand, test } from './test.ts'

const TOPIC = '/topics/harness-plugin'
const COPY = /^Copy the install command of /

async function openTopic(page: Page, codeHost: CodeHost, api: string): Promise<void> {
  const rows = mixedRows(await listedRows(api))
  codeHost.pages.set(TOPIC, topicPage(rows))
  await page.goto(ORIGIN + TOPIC)
  await expect(page.locator(BADGE)).toHaveCount((await expectedRows(api, rows)).length)
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Plugmark settings' })
const commandOf = (page: Page) => page.locator(BADGE).first().getByRole('button', { name: COPY })

test('applies a change in every tab at once, and stores it', async ({ context, codeHost, built }) => {
  const [one, two] = [await context.newPage(), await context.newPage()]
  for (const tab of [one, two]) await openTopic(tab, codeHost, built.mock.url)
  await runMenuCommand(one, 'Plugmark settings')
  await enterName(dialogOf(one).getByRole('textbox', { name: 'Profile' }), 'lab')
  for (const tab of [one, two])
    await expect.poll(() => titleOf(commandOf(tab))).toMatch(/\ndsh plugin --profile lab add /)

  await enterName(dialogOf(one).getByRole('textbox', { name: 'Command-line program' }), 'other')
  for (const tab of [one, two]) await expect(commandOf(tab), 'the directory speaks of dsh').toHaveCount(0)
  await enterName(dialogOf(one).getByRole('textbox', { name: 'Command-line program' }), 'dsh')

  await dialogOf(one).getByRole('combobox', { name: 'Language' }).selectOption('中文')
  const inChinese = one.getByRole('dialog', { name: 'Plugmark 设置' })
  await expect(inChinese.getByRole('combobox', { name: '语言' }), 'the dialog speaks it too').toBeFocused()
  await expect(inChinese.getByRole('textbox', { name: '配置档' })).toHaveValue('lab')
  for (const tab of [one, two]) {
    await expect(
      tab
        .locator(BADGE)
        .first()
        .getByRole('button', { name: /的安装命令$/ }),
    ).toBeVisible()
  }
  await two.reload()
  const copy = two
    .locator(BADGE)
    .first()
    .getByRole('button', { name: /的安装命令$/ })
  await expect.poll(() => titleOf(copy)).toMatch(/\ndsh plugin --profile lab add /)
})

test('switches off a place, and pauses a site', async ({ page, codeHost, built }) => {
  await openTopic(page, codeHost, built.mock.url)
  const count = await page.locator(BADGE).count()
  await runMenuCommand(page, 'Plugmark settings')
  for (const name of ['Lists of repositories', 'Mark plugins on github.com']) {
    const box = dialogOf(page).getByRole('checkbox', { name })
    await box.click()
    await expect(page.locator(BADGE)).toHaveCount(0)
    await box.click()
    await expect(page.locator(BADGE)).toHaveCount(count)
  }
  await dialogOf(page).getByRole('checkbox', { name: 'Lists of repositories' }).uncheck()
  await page.reload()
  await expect(page.locator('[data-plugmark]')).toBeAttached()
  await expect(page.locator(BADGE)).toHaveCount(0)
})

for (const { locale, title, refresh, refreshing, busy } of [
  {
    locale: 'en-US',
    title: 'Plugmark settings',
    refresh: 'Refresh now',
    refreshing: 'Refreshing…',
    busy: 'Another tab is refreshing.',
  },
  {
    locale: 'zh-CN',
    title: 'Plugmark 设置',
    refresh: '立即刷新',
    refreshing: '正在刷新…',
    busy: /^[^a-z]*另一个标签页[^a-z]*$/i,
  },
]) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('says that another tab is refreshing while it holds the lock', async ({ page, codeHost, built }) => {
      await page.clock.install()
      await openTopic(page, codeHost, built.mock.url)
      await page.clock.runFor(10_000)
      await expect.poll(() => hasCopy(page)).toBe(true)
      await page.evaluate(async () => {
        await new Promise((held) => {
          navigator.locks.request('plugmark-index', () => {
            held(undefined)
            return new Promise(() => {})
          })
        })
      })
      await page.clock.fastForward(10 * 60_000)
      await runMenuCommand(page, title)
      const dialog = page.getByRole('dialog', { name: title })
      const outcome = dialog.getByRole('status')
      await dialog.getByRole('button', { name: refresh }).click()
      await expect(outcome).toHaveText(refreshing)
      // No further: the database answers by another clock, and would be late by this one.
      await page.clock.runFor(30_000)
      await expect(outcome).toHaveText(busy)
      expect(codeHost.carried).toHaveLength(1)
    })
  })
}

test('opens the dialog from the menu, and no second one, and closes it by keys alone', async ({
  page,
  codeHost,
  built,
}) => {
  await openTopic(page, codeHost, built.mock.url)
  for (const _ of [1, 2]) await runMenuCommand(page, 'Plugmark settings')
  await expect(dialogOf(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
})

test.describe('in a manager without a menu', () => {
  test.use({ manager: 'userscripts' })

  test('opens the dialog from a card, and returns the focus to the badge after a new profile', async ({
    page,
    codeHost,
    built,
  }) => {
    await openTopic(page, codeHost, built.mock.url)
    const label = page.locator(`${BADGE} [aria-haspopup]`).first()
    await label.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Plugmark settings' }).press('Enter')
    await enterName(dialogOf(page).getByRole('textbox', { name: 'Profile' }), 'lab')
    await expect.poll(() => titleOf(commandOf(page))).toMatch(/\ndsh plugin --profile lab add /)
    await page.keyboard.press('Escape')
    await expect(label).toBeFocused()
  })
})

test.describe('Diagnostics', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('name version, manager, kind of page and problems, and nothing of the user', async ({
    page,
    codeHost,
    built,
  }) => {
    await openList(page, codeHost, GOOD)
    built.mock.use(http.get('*/api/v1/plugins', () => HttpResponse.json({}, { status: 500 })))
    await page.locator(`[data-plugmark-badge] .plugmark-label`).click()
    await expect(page.getByRole('dialog')).toContainText('Plugin directory not reachable.')
    await runMenuCommand(page, 'Plugmark settings')
    await page.getByText('Privacy and diagnostics').click()
    await page.getByRole('button', { name: 'Copy diagnostics' }).click()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(copied).toMatch(/^Plugmark \d+\.\d+\.\d+\nManager: .+\nPage: topic\n/)
    const text = await copied()
    expect(text).toMatch(/\d+ ms {2}card: record: /)
    expect(text).not.toMatch(/night-shift|emberline|github\.com|127\.0\.0\.1/)
  })
})
