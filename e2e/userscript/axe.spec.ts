import type { Page } from 'playwright/test'
import { repositoryPage } from '../pages/repository.ts'
import { topicPage } from '../pages/topic.ts'
import { addAxe, complaints, withoutPopovers } from './axe.ts'
import { rowFor } from './listings.ts'
import { BADGE, type CodeHost, expect, ORIGIN, runMenuCommand, test } from './test.ts'

const TOPIC = '/topics/harness-plugin'
/** Passed, with risk flags; failed; without a command; several. */
const REPOSITORIES = [
  'pinwheel-hq/review-queue',
  'lanternworks/dsh-plugin-broken-mast',
  'gannet/weather-in-context',
  'brasswork/workshop',
]

async function openTopic(page: Page, codeHost: CodeHost): Promise<void> {
  codeHost.pages.set(TOPIC, topicPage(REPOSITORIES.map(rowFor)))
  await addAxe(page)
  await withoutPopovers(page)
  await page.goto(ORIGIN + TOPIC)
  await expect(page.locator(BADGE)).toHaveCount(REPOSITORIES.length)
}

for (const [colorScheme, locale] of [
  ['light', 'en-US'],
  ['dark', 'zh-CN'],
] as const) {
  test.describe(`in ${colorScheme} colours, ${locale}`, () => {
    test.use({ colorScheme, locale, policy: { 'require-trusted-types-for': "'script'" } })

    test('axe finds nothing on badges, cards, summary and settings', async ({ page, codeHost }) => {
      await openTopic(page, codeHost)
      expect(await complaints(page, BADGE)).toEqual([])
      const inLanguage = (part: string) =>
        expect(page.locator(part).first()).toHaveAttribute('lang', locale.slice(0, 2))
      await inLanguage(BADGE)
      for (const at of REPOSITORIES.keys()) {
        await page.locator(`${BADGE} [aria-haspopup]`).nth(at).click()
        await expect(page.locator('.plugmark-card :is(.plugmark-facts, .plugmark-list)')).toBeVisible()
        await inLanguage('.plugmark-card [lang]')
        for (const fold of await page.locator('.plugmark-card summary').all()) await fold.click()
        expect(await complaints(page, '.plugmark-card')).toEqual([])
        await page.keyboard.press('Escape')
      }
      await page.locator('.plugmark-summary [aria-expanded]').click()
      await inLanguage('.plugmark-summary')
      expect(await complaints(page, '.plugmark-summary')).toEqual([])
      await runMenuCommand(page, locale === 'en-US' ? 'Plugmark settings' : 'Plugmark 设置')
      await inLanguage('.plugmark-dialog')
      for (const fold of await page.locator('.plugmark-dialog summary').all()) await fold.click()
      await page.locator('#plugmark-profile').fill('no good')
      await expect(page.locator('.plugmark-dialog .plugmark-links')).toBeVisible()
      expect(await complaints(page, '.plugmark-dialog')).toEqual([])
    })

    test('axe finds nothing on the card of a repository’s page', async ({ page, codeHost }) => {
      codeHost.pages.set('/brasswork/workshop', repositoryPage([], { fullName: 'brasswork/workshop' }))
      await addAxe(page)
      await page.goto(`${ORIGIN}/brasswork/workshop`)
      const list = page.locator('.plugmark-repository .plugmark-list')
      await expect(list).toBeVisible()
      expect(await complaints(page, '.plugmark-repository')).toEqual([])
    })
  })
}
