import { HttpResponse, http } from 'msw'
import type { Page } from 'playwright/test'
import { repositoryPage } from '../pages/repository.ts'
import { BAD, cardOf, copyOf, GOOD, labelOf, openList, TOPIC } from './cards.ts'
import { hasBadgeCache } from './stored.ts'
import { expect, ORIGIN, test } from './test.ts'

/** A command that is known to have failed takes a deliberate step. */
const LIVE = '[data-plugmark-live]'
const ANYWAY = 'Show the command anyway'
const DAY = 24 * 3_600_000

/** Opens its card, which tells this browser that it failed. */
async function learn(page: Page): Promise<void> {
  await labelOf(page, BAD).click()
  await expect(cardOf(page, BAD)).toContainText('Does not install')
}

/** Pages that come now never are at rest: what is put off until then is not done. */
const keepBusy = (page: Page) => page.addInitScript('window.requestIdleCallback = () => 0')

/** The button of its badge was pressed. */
async function expectNotCopied(page: Page): Promise<void> {
  await expect(cardOf(page, BAD)).toContainText(ANYWAY)
  await expect(page.locator(LIVE).filter({ hasText: /./ })).toHaveCount(0)
}

test('a badge does not copy a command whose failure another tab has learned of', async ({ context, codeHost }) => {
  const [one, two] = [await context.newPage(), await context.newPage()]
  await openList(one, codeHost, BAD, GOOD)
  await labelOf(one, GOOD).click()
  await expect(cardOf(one, GOOD), 'it has read what there is').toContainText('Installs')
  await one.keyboard.press('Escape')
  await openList(two, codeHost, BAD)
  await learn(two)
  await one.bringToFront()
  await copyOf(one, BAD).click()
  await expectNotCopied(one)
})

test('a badge does not copy a failed command when it is pressed before the page is idle', async ({
  page,
  codeHost,
}) => {
  await openList(page, codeHost, BAD)
  await learn(page)
  await expect.poll(() => hasBadgeCache(page)).toBe(true)
  await keepBusy(page)
  await page.reload()
  await copyOf(page, BAD).click()
  await expectNotCopied(page)
})

for (const [where, path, cardIn] of [
  ['of its badge', TOPIC, (page: Page) => cardOf(page, BAD)],
  ['on its page', `/${BAD}`, (page: Page) => page.locator('.plugmark-repository')],
] as const) {
  test(`the card ${where} folds a failed command until newer details say that it passes`, async ({
    page,
    codeHost,
    built,
  }) => {
    await page.clock.install()
    await openList(page, codeHost, BAD)
    await learn(page)
    const [asked] = codeHost.carried.filter((url) => url.includes('/plugins'))
    const known = await (await fetch(asked!)).json()
    const late = Promise.withResolvers<void>()
    built.mock.use(
      http.get('*/api/v1/plugins', async () => {
        await late.promise
        return HttpResponse.json({ ...known, results: [{ ...known.results[0], installCheck: 'passed' }] })
      }),
    )
    await keepBusy(page)
    await page.clock.setSystemTime(Date.now() + DAY + 60_000)
    codeHost.pages.set(`/${BAD}`, repositoryPage([], { fullName: BAD }))
    await page.goto(ORIGIN + path)
    if (path === TOPIC) await labelOf(page, BAD).click()
    const card = cardIn(page)
    await expect(card).toContainText('Loading details…')
    const copy = card.getByRole('button', { name: /^Copy: / })
    await expect(copy).toHaveCount(0)
    await card.getByText(ANYWAY).click()
    await expect(copy).toBeVisible()
    late.resolve()
    await expect(card).toContainText('Installs')
    await expect(card).not.toContainText(ANYWAY)
    await expect(copy).toBeVisible()
  })
}
