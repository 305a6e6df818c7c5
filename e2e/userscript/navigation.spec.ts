import { HttpResponse, http } from 'msw'
import { html } from '../pages/html.ts'
import { repositoryPage } from '../pages/repository.ts'
import { page as shell } from '../pages/shell.ts'
import { BAD, badgedRows, GOOD, listedRows, mixedRows, openList, repositoryOf, rowFor, TOPIC } from './listings.ts'
import { hasBadgeCache, hasCopy } from './stored.ts'
import { BADGE, expect, ORIGIN, test, turboScript, visit } from './test.ts'

/** The kind of a page follows its address, whatever events the code host sends. */
const README = '/wren-abbot/teapot'
const HOUR = 3_600_000

for (const order of ['address first', 'page first'] as const) {
  test(`a README that React shows after a list is marked without its last event (${order})`, async ({
    page,
    codeHost,
    built,
  }) => {
    const rows = mixedRows(await listedRows(built.mock.url)).slice(0, 4)
    await openList(page, codeHost, GOOD)
    await page.evaluate(
      async ([path, markup, order]) => {
        const show = () => {
          const { body } = new DOMParser().parseFromString(markup, 'text/html')
          document.querySelector('main')!.replaceChildren(...body.querySelector('main')!.childNodes)
        }
        const navigate = () => {
          history.pushState(null, '', path)
          document.dispatchEvent(new CustomEvent('soft-nav:payload'))
        }
        const steps = order === 'address first' ? [navigate, show] : [show, navigate]
        for (const step of steps) {
          step()
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      },
      [README, repositoryPage(rows, { fullName: README.slice(1) }), order] as const,
    )
    await expect.poll(async () => (await badgedRows(page)).length).toBeGreaterThan(2)
    await expect(page.locator(`.markdown-body ${BADGE}`).first()).toBeVisible()
  })
}

test('a repository that the refresh of this very page lists first gets its card', async ({ page, codeHost, built }) => {
  const index = await (await fetch(`${built.mock.url}/api/v1/index`)).json()
  const without = index.plugins.filter(([name]: string[]) => name!.toLowerCase() !== GOOD)
  const older = { ...index, generated: '2026-08-01T00:00:00.000Z', count: without.length, plugins: without }
  built.mock.use(http.get('*/api/v1/index', () => HttpResponse.json(older)))
  const [other] = (await listedRows(built.mock.url)).map(repositoryOf).filter((name) => name !== GOOD)
  await page.clock.install()
  await openList(page, codeHost, other!)
  await expect.poll(() => hasCopy(page)).toBe(true)
  await expect.poll(() => hasBadgeCache(page)).toBe(true)
  built.mock.resetHandlers()
  await page.clock.setSystemTime(Date.now() + 7 * HOUR)
  codeHost.pages.set(`/${GOOD}`, repositoryPage([rowFor(other!)], { fullName: GOOD }))
  await page.goto(`${ORIGIN}/${GOOD}`)
  await page.clock.runFor(2000)
  await expect(page.locator('.plugmark-repository')).toContainText('night-shift')
})

test('at 360 px the card stands above the list of files, and returns to the pane in a wide window', async ({
  page,
  codeHost,
}) => {
  codeHost.pages.set(`/${GOOD}`, repositoryPage([], { fullName: GOOD }))
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${ORIGIN}/${GOOD}`)
  const card = page.locator('.plugmark-repository')
  await expect(card).toBeVisible()
  const files = page.getByRole('table')
  expect((await card.boundingBox())!.y).toBeLessThan((await files.boundingBox())!.y)
  await page.setViewportSize({ width: 1280, height: 740 })
  await expect(page.locator('[class*="PageLayout-Pane-"] .plugmark-repository')).toHaveCount(1)
})

for (const how of ['a load', 'a visit of Turbo'] as const) {
  test(`has one badge a row and one summary after an error page by ${how}, back, forward and back`, async ({
    page,
    codeHost,
  }) => {
    const gone = '/topics/gone'
    // With status 200, as the browser reports any other in the console.
    codeHost.pages.set(gone, shell({ title: 'Page not found', content: html`<h1>Page not found</h1>` }))
    if (how !== 'a load') await page.addInitScript({ content: await turboScript() })
    await openList(page, codeHost, GOOD, BAD)
    await expect.poll(() => hasCopy(page)).toBe(true)
    await expect.poll(() => hasBadgeCache(page)).toBe(true)
    const summary = page.locator('.plugmark-summary')
    const expectMarked = async () => {
      await expect(page).toHaveURL(ORIGIN + TOPIC)
      await expect(page.locator('article')).toHaveCount(2)
      await expect.poll(async () => (await badgedRows(page)).map(({ badge }) => badge)).toEqual([GOOD, BAD])
      await expect(summary).toHaveCount(1)
    }
    await expectMarked()
    if (how === 'a load') await page.goto(ORIGIN + gone)
    else await visit(page, gone)
    await expect(page.locator('article')).toHaveCount(0)
    await expect(summary).toHaveCount(0)
    await page.goBack()
    await expectMarked()
    await page.goForward()
    await expect(page.locator('article')).toHaveCount(0)
    await page.goBack()
    await expectMarked()
    expect(codeHost.carried).toHaveLength(1)
  })
}
