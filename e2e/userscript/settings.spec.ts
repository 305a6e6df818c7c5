import { HttpResponse, http } from 'msw'
import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { listedRows, mixedRows } from './listings.ts'
import { expectedRows, titleOf } from './rows.ts'
import { hasCopy } from './stored.ts'
import { BADGE, type CodeHost, enterName, expect, ORIGIN, runMenuCommand, test, twoFrames } from './test.ts'

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

for (const manager of ['violentmonkey', 'greasemonkey'] as const) {
  test.describe(`in ${manager}`, () => {
    test.use({ manager })

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
  })
}

test('a dialog that is open in another tab does not undo a change', async ({ context, codeHost, built }) => {
  const [one, two] = [await context.newPage(), await context.newPage()]
  for (const tab of [one, two]) {
    await openTopic(tab, codeHost, built.mock.url)
    await runMenuCommand(tab, 'Plugmark settings')
    await expect(dialogOf(tab)).toBeVisible()
  }
  await enterName(dialogOf(one).getByRole('textbox', { name: 'Profile' }), 'lab')
  await expect.poll(() => titleOf(commandOf(two))).toMatch(/\ndsh plugin --profile lab add /)
  // Should it have been closed; a second one does not open.
  await runMenuCommand(two, 'Plugmark settings')
  const name = dialogOf(two).getByRole('textbox', { name: 'Profile' })
  await name.press('End')
  await name.press('/')
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await name.press('Backspace')
  await expect(name).not.toHaveAttribute('aria-invalid', 'true')
  await expect(name).toHaveValue('lab')
  await two.reload()
  for (const tab of [one, two])
    await expect.poll(() => titleOf(commandOf(tab))).toMatch(/\ndsh plugin --profile lab add /)
})

test('switches off a kind of page, and pauses a site', async ({ page, codeHost, built }) => {
  await openTopic(page, codeHost, built.mock.url)
  const count = await page.locator(BADGE).count()
  await runMenuCommand(page, 'Plugmark settings')
  for (const name of ['Topics', 'Paused on this site (github.com)']) {
    const box = dialogOf(page).getByRole('checkbox', { name })
    await box.click()
    await expect(page.locator(BADGE)).toHaveCount(0)
    await box.click()
    await expect(page.locator(BADGE)).toHaveCount(count)
  }
  await dialogOf(page).getByRole('checkbox', { name: 'Topics' }).uncheck()
  await page.reload()
  await expect(page.locator('[data-plugmark]')).toBeAttached()
  await expect(page.locator(BADGE)).toHaveCount(0)
})

test('shows the age of the stored index, refreshes it and deletes it', async ({ page, codeHost, built }) => {
  await openTopic(page, codeHost, built.mock.url)
  await expect.poll(() => hasCopy(page)).toBe(true)
  await runMenuCommand(page, 'Plugmark settings')
  const dialog = dialogOf(page)
  await expect(dialog).toContainText(built.mock.url)
  await expect(dialog).toContainText('To use another directory, build the script with PLUGMARK_API=')
  const privacy = dialog.getByRole('group', { name: 'What it stores and sends' })
  await expect(privacy).toContainText('The script manager stores these settings')
  await expect(privacy).toContainText('at most every six hours')
  await expect(dialog).toContainText(/\d+ listings, published \d+ \w{3} \d{4}, \d\d:\d\d, checked this minute\./)
  expect(codeHost.carried).toHaveLength(1)
  await dialog.getByRole('button', { name: 'Refresh now' }).click()
  await expect(dialog.getByRole('status')).toHaveText('The list is up to date.')
  expect(codeHost.carried).toHaveLength(2)
  await dialog.getByRole('button', { name: 'Delete the stored list' }).click()
  await expect(dialog).toContainText('The list has not been downloaded yet.')
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

test('names an index of another site, and replaces the stored one when the person agrees', async ({
  page,
  codeHost,
  built,
}) => {
  await openTopic(page, codeHost, built.mock.url)
  await expect.poll(() => hasCopy(page)).toBe(true)
  const index = await (await fetch(`${built.mock.url}/api/v1/index`)).json()
  const moved = { ...index, generated: new Date().toISOString(), site: 'https://www.directory.example/plugins' }
  built.mock.use(http.get('*/api/v1/index', () => HttpResponse.json(moved)))
  await runMenuCommand(page, 'Plugmark settings')
  const dialog = dialogOf(page)
  const replace = dialog.getByRole('button', { name: 'Replace the stored list' })
  await expect(replace).toBeHidden()
  await dialog.getByRole('button', { name: 'Refresh now' }).click()
  await expect(dialog.getByRole('status')).toHaveText(
    `The directory’s list is now from https://www.directory.example/plugins. The stored one is from ${index.site}.`,
  )
  await replace.press('Enter')
  await expect(dialog.getByRole('status')).toHaveText('The list is up to date.')
  await expect(dialog.getByRole('button', { name: 'Refresh now' })).toBeFocused()
  await expect(replace).toBeHidden()
})

test('opens the dialog from a card and closes it by keys alone, and opens no second one', async ({
  page,
  codeHost,
  built,
}) => {
  await openTopic(page, codeHost, built.mock.url)
  await page.locator(`${BADGE} [aria-haspopup]`).first().press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Plugmark settings' }).press('Enter')
  await expect(dialogOf(page)).toBeVisible()
  await runMenuCommand(page, 'Plugmark settings')
  await expect(dialogOf(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(page.locator(`${BADGE} [aria-haspopup]`).first(), 'where the card was opened').toBeFocused()
})

test.describe('where the manager’s storage', () => {
  const broken = {
    throws: () => {
      throw new Error('no storage')
    },
    'never answers': () => new Promise(() => {}),
  }
  for (const [how, answer] of Object.entries(broken)) {
    test(`runs on the defaults, and applies a change to the page, when ${how}`, async ({ page, codeHost, built }) => {
      await page.addInitScript(`window.GM_getValue = window.GM_setValue = ${answer}`)
      await openTopic(page, codeHost, built.mock.url)
      await runMenuCommand(page, 'Plugmark settings')
      await enterName(dialogOf(page).getByRole('textbox', { name: 'Profile' }), 'lab')
      await expect.poll(() => titleOf(commandOf(page))).toMatch(/\ndsh plugin --profile lab add /)
    })
  }
})

test('applies a name once it is complete, and not where Escape ends it', async ({ context, codeHost, built }) => {
  const [one, two] = [await context.newPage(), await context.newPage()]
  for (const tab of [one, two]) await openTopic(tab, codeHost, built.mock.url)
  const name = dialogOf(one).getByRole('textbox', { name: 'Profile' })
  const expectProfile = async (profile: string) => {
    for (const tab of [one, two]) {
      await twoFrames(tab)
      await expect.poll(() => titleOf(commandOf(tab))).toContain(`\ndsh plugin --profile ${profile} add `)
    }
  }
  await runMenuCommand(one, 'Plugmark settings')
  await name.press('End')
  await name.pressSequentially('wo')
  await expect(name).toHaveValue('webwo')
  await expectProfile('web')
  await one.keyboard.press('Escape')
  await expect(dialogOf(one)).toHaveCount(0)
  await expectProfile('web')

  await runMenuCommand(one, 'Plugmark settings')
  await expect(name).toHaveValue('web')
  await name.press('End')
  await name.pressSequentially('lab')
  await name.press('Tab')
  await expectProfile('weblab')
})

test('stores nothing that was typed on the way to a bad name', async ({ page, codeHost, built }) => {
  await openTopic(page, codeHost, built.mock.url)
  await runMenuCommand(page, 'Plugmark settings')
  const name = dialogOf(page).getByRole('textbox', { name: 'Profile' })
  await name.press('End')
  for (const _ of 'web') await name.press('Backspace')
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('Escape')
  await expect.poll(() => titleOf(commandOf(page))).toMatch(/\ndsh plugin --profile web add /)
})

test('returns the focus to the badge after a new profile', async ({ page, codeHost, built }) => {
  await openTopic(page, codeHost, built.mock.url)
  const label = page.locator(`${BADGE} [aria-haspopup]`).first()
  await label.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Plugmark settings' }).press('Enter')
  await enterName(dialogOf(page).getByRole('textbox', { name: 'Profile' }), 'lab')
  await expect.poll(() => titleOf(commandOf(page))).toMatch(/\ndsh plugin --profile lab add /)
  await page.keyboard.press('Escape')
  await expect(label).toBeFocused()
})
