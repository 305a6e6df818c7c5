import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright/test'
import { repositoryPage } from '../pages/repository.ts'
import { topicPage } from '../pages/topic.ts'
import { rowFor } from './listings.ts'
import { BADGE, type CodeHost, expect, ORIGIN, runMenuCommand, test } from './test.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const TOPIC = '/topics/harness-plugin'
/** Passed, with risk flags; failed; without a command; several. */
const REPOSITORIES = [
  'pinwheel-hq/review-queue',
  'lanternworks/dsh-plugin-broken-mast',
  'gannet/weather-in-context',
  'brasswork/workshop',
]

/** What axe finds wrong with the parts of the page that `parts` match; a rule it cannot decide counts too. */
async function complaints(page: Page, parts: string): Promise<string[]> {
  await expect(page.locator(parts).first()).toBeVisible()
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)))
  const results = await page.evaluate<AxeResults, string>(async (selector) => {
    const part = document.querySelector(selector)!
    const isAbove = !document.body.contains(part)
    // axe finds no colour behind what stands beside the body, nor behind what lies on other text: what is above the
    // page is put into it for its look, alone.
    if (isAbove) document.body.append(part)
    const others = isAbove ? [...document.body.children].filter((other) => other !== part) : []
    for (const other of others) other.toggleAttribute('hidden', true)
    const found = await (window as unknown as { axe: typeof import('axe-core') }).axe.run(selector)
    for (const other of others) other.toggleAttribute('hidden', false)
    return found
  }, parts)
  const found = [...results.violations, ...results.incomplete]
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message}`))
}

async function openTopic(page: Page, codeHost: CodeHost): Promise<void> {
  codeHost.pages.set(TOPIC, topicPage(REPOSITORIES.map(rowFor)))
  await page.addInitScript({ path: AXE })
  // A popover that is moved is closed; without popovers the card is the same element above the page.
  await page.addInitScript('delete HTMLElement.prototype.showPopover; delete HTMLElement.prototype.popover')
  await page.goto(ORIGIN + TOPIC)
  await expect(page.locator(BADGE)).toHaveCount(REPOSITORIES.length)
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const locale of ['en-US', 'zh-CN']) {
    test.describe(`in ${colorScheme} colours, ${locale}`, () => {
      test.use({ colorScheme, locale, policy: { 'require-trusted-types-for': "'script'" } })

      test('axe finds nothing on badges, cards, summary and settings', async ({ page, codeHost }) => {
        await openTopic(page, codeHost)
        expect(await complaints(page, BADGE)).toEqual([])
        for (const at of REPOSITORIES.keys()) {
          await page.locator(`${BADGE} [aria-haspopup]`).nth(at).click()
          await expect(page.locator('.plugmark-card .plugmark-facts')).toBeVisible()
          for (const fold of await page.locator('.plugmark-card summary').all()) await fold.click()
          expect(await complaints(page, '.plugmark-card')).toEqual([])
          await page.keyboard.press('Escape')
        }
        await page.locator('.plugmark-summary [aria-expanded]').click()
        expect(await complaints(page, '.plugmark-summary')).toEqual([])
        await runMenuCommand(page, locale === 'en-US' ? 'Plugmark settings' : 'Plugmark 设置')
        await page.locator('#plugmark-profile').fill('no good')
        await expect(page.locator('.plugmark-dialog .plugmark-buttons')).toBeVisible()
        expect(await complaints(page, '.plugmark-dialog')).toEqual([])
      })

      test('axe finds nothing on the card of a repository’s page', async ({ page, codeHost }) => {
        codeHost.pages.set('/brasswork/workshop', repositoryPage([], { fullName: 'brasswork/workshop' }))
        await page.addInitScript({ path: AXE })
        await page.goto(`${ORIGIN}/brasswork/workshop`)
        await expect(page.locator('.plugmark-repository .plugmark-facts')).toBeVisible()
        expect(await complaints(page, '.plugmark-repository')).toEqual([])
      })
    })
  }
}
