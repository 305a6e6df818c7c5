import { repositoryPage } from '../pages/repository.ts'
import { hasCopy } from './stored.ts'
import { expect, ORIGIN, test } from './test.ts'

const PLUGIN = 'emberline/night-shift'
const CARD = '.plugmark-repository'

for (const pane of ['react', 'rails', null] as const) {
  test(`shows the card on the page of a plugin (${pane ?? 'no'} side pane)`, async ({ page, codeHost }) => {
    codeHost.pages.set(`/${PLUGIN}`, repositoryPage([], { fullName: PLUGIN, pane }))
    await page.goto(`${ORIGIN}/${PLUGIN}`)
    const card = page.getByRole('region', { name: 'Plugin for DeepSeek Harness' })
    await expect(card).toHaveCount(1)
    await expect(card).toContainText('Install check passed')
    await expect(card.locator('code').first()).toHaveText('dsh plugin --profile web add @emberline/night-shift')
    expect(codeHost.carried, 'the index, and one record').toHaveLength(2)
    const place = await card.evaluate((node) => ({
      pane: node.closest('[class*="PageLayout-Pane-"], .Layout-sidebar') !== null,
      readmeFollows: node.nextElementSibling?.querySelector('.markdown-body') != null,
    }))
    expect(place).toEqual({ pane: pane !== null, readmeFollows: pane === null })
  })
}

test('is shown on the repository page that React navigates to, and on no other', async ({ page, codeHost }) => {
  const file = `/${PLUGIN}/blob/main/README.md`
  const markup = repositoryPage([], { fullName: PLUGIN })
  const fileMarkup = repositoryPage([], { fullName: PLUGIN, hasTree: true, pane: null })
  codeHost.pages.set(`/${PLUGIN}`, markup)
  codeHost.pages.set(file, fileMarkup)
  const draw = (path: string, shown: string) =>
    page.evaluate(
      ([path, shown]) => {
        history.pushState(null, '', path)
        const { body } = new DOMParser().parseFromString(shown, 'text/html')
        document.querySelector('main')!.replaceChildren(...body.querySelector('main')!.childNodes)
      },
      [path, shown] as const,
    )
  const done = () => page.evaluate(() => document.dispatchEvent(new CustomEvent('soft-nav:react-done')))
  await page.clock.install()
  await page.goto(ORIGIN + file)
  await page.clock.runFor(10_000)
  await expect.poll(() => hasCopy(page)).toBe(true)
  await expect(page.locator(CARD)).toHaveCount(0)
  await draw(`/${PLUGIN}`, markup)
  await done()
  await expect(page.locator(CARD)).toContainText('night-shift')
  await draw(file, fileMarkup)
  await page.clock.runFor(1000)
  await expect(page.locator(CARD), 'before React has said so').toHaveCount(0)
  await done()
  await page.clock.runFor(1000)
  await expect(page.locator(CARD)).toHaveCount(0)
})
