import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { expectedRows, listedRows, mixedRows } from './listings.ts'
import { BADGE, type CodeHost, expect, ORIGIN, runMenuCommand, test } from './test.ts'

const TOPIC = '/topics/harness-plugin'

async function openTopic(page: Page, codeHost: CodeHost, api: string) {
  const rows = mixedRows(await listedRows(api))
  codeHost.pages.set(TOPIC, topicPage(rows))
  await page.goto(ORIGIN + TOPIC)
  return { rows: rows.length, plugins: (await expectedRows(api, rows)).length }
}

const summaryOf = (page: Page) => page.getByRole('region', { name: 'Plugins on this page' })
const moreOf = (page: Page) => summaryOf(page).getByRole('button', { expanded: false })

test('pauses the site and resumes it', async ({ page, codeHost, built }) => {
  const { plugins } = await openTopic(page, codeHost, built.mock.url)
  await moreOf(page).click()
  await summaryOf(page).getByRole('button', { name: 'Pause on this site' }).click()
  await expect(page.locator(BADGE)).toHaveCount(0)
  await page.reload()
  await expect(summaryOf(page)).toHaveText('Plugmark is paused on this site.Resume Settings')
  await expect(page.locator(BADGE)).toHaveCount(0)
  await summaryOf(page).getByRole('button', { name: 'Resume' }).click()
  await expect(page.locator(BADGE)).toHaveCount(plugins)
})

test('stays hidden until the settings show it again', async ({ page, codeHost, built }) => {
  await openTopic(page, codeHost, built.mock.url)
  await moreOf(page).click()
  await summaryOf(page).getByRole('button', { name: 'Always hide' }).click()
  await expect(summaryOf(page)).toHaveCount(0)
  await page.reload()
  await expect(page.locator(BADGE).first()).toBeVisible()
  await expect(summaryOf(page)).toHaveCount(0)
  await runMenuCommand(page, 'Plugmark settings')
  await page.getByRole('checkbox', { name: 'Number of plugins in the corner' }).check()
  await page.keyboard.press('Escape')
  await expect(summaryOf(page)).toBeVisible()
})

test.describe('a paused site, with the summary hidden', () => {
  test.use({ values: { 'paused github.com': 'true', 'setting summaryHidden': 'true' } })

  test('leaves a way back to the settings where the menu refuses', async ({ page, codeHost, built }) => {
    await page.addInitScript('window.GM_registerMenuCommand = () => { throw new Error("no menu") }')
    await openTopic(page, codeHost, built.mock.url)
    await expect(summaryOf(page).getByRole('button', { name: 'Settings' })).toBeVisible()
  })

  test.describe('in a manager without a menu', () => {
    test.use({ manager: 'userscripts' })

    test('leaves a way back to the settings', async ({ page, codeHost, built }) => {
      const { plugins } = await openTopic(page, codeHost, built.mock.url)
      await summaryOf(page).getByRole('button', { name: 'Settings' }).press('Enter')
      const settings = page.getByRole('dialog', { name: 'Plugmark settings' })
      await settings.getByRole('checkbox', { name: /^Mark plugins on / }).press('Space')
      await page.keyboard.press('Escape')
      await expect(page.locator(BADGE)).toHaveCount(plugins)
      await expect(page.locator('.plugmark-summary'), 'hidden as it was').toHaveCount(0)
    })
  })
})

test.describe('every place switched off, in a manager without a menu', () => {
  const off = { 'off list': 'true', 'off prose': 'true', 'off card': 'true' }
  test.use({ manager: 'userscripts', values: { ...off, 'setting summaryHidden': 'true' } })

  test('treats a site with every place off as paused, and switches all on again', async ({ page, codeHost, built }) => {
    const { plugins } = await openTopic(page, codeHost, built.mock.url)
    await expect(page.locator(BADGE)).toHaveCount(0)
    await summaryOf(page).getByRole('button', { name: 'Resume' }).click()
    await expect(page.locator(BADGE)).toHaveCount(plugins)
    await page.reload()
    await expect(page.locator(BADGE)).toHaveCount(plugins)
  })
})
