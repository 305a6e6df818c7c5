import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { listedRows, mixedRows, repositoryOf, rowFor } from './listings.ts'
import { badgedRows, expectedRows } from './rows.ts'
import { BADGE, expect, ORIGIN, test, twoFrames } from './test.ts'

/** Badges as the page changes under them: each test changes it as the code host's own scripts do. */
const TOPIC = '/topics/harness-plugin'

test.beforeEach(async ({ page, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  codeHost.pages.set(TOPIC, topicPage(rows))
  await page.goto(ORIGIN + TOPIC)
  await expect(page.locator(BADGE)).toHaveCount((await expectedRows(built.mock.url, rows)).length)
})

/** After `change`, the badges must be what the links of the page say. */
async function expectBadgesFollow(page: Page, api: string, change: () => Promise<unknown>): Promise<number> {
  await change()
  const links = await page
    .locator('article h3 a:nth-of-type(2)')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')!.slice(1)))
  const expected = await expectedRows(api, links.map(rowFor))
  await expect.poll(() => badgedRows(page)).toEqual(expected)
  await twoFrames(page)
  expect(await badgedRows(page)).toEqual(expected)
  return expected.length
}

test('adds badges to rows that are added', async ({ page, built }) => {
  const listed = await listedRows(built.mock.url)
  const more = topicPage([...new Set(listed.map(repositoryOf))].slice(20, 24).map(rowFor))
  await expectBadgesFollow(page, built.mock.url, () =>
    page.evaluate((markup) => {
      const added = new DOMParser().parseFromString(markup, 'text/html').querySelectorAll('article')
      document.querySelector('.columns > div')!.append(...added)
    }, more),
  )
})

test('a cloned row has one working badge', async ({ page, built }) => {
  await expectBadgesFollow(page, built.mock.url, () =>
    page.evaluate(() => {
      const row = document.querySelector('article')!
      row.after(row.cloneNode(true))
    }),
  )
  await page
    .locator(BADGE)
    .nth(1)
    .getByRole('button', { name: /^Copy / })
    .click()
  await expect(page.locator('[role=status]')).toHaveText(/^Copied: /)
})

test('replaces the badge of a row whose address changes', async ({ page, built }) => {
  await expectBadgesFollow(page, built.mock.url, () =>
    page.evaluate(() => {
      const links = document.querySelectorAll('article h3 a:nth-of-type(2)')
      const first = links[0]!.getAttribute('href')!
      links[0]!.setAttribute('href', links[2]!.getAttribute('href')!)
      links[2]!.setAttribute('href', first)
      links[3]!.setAttribute('href', '/wren-abbot/teapot')
    }),
  )
})

test('adds a badge when a link gets its name, and removes it when the name goes', async ({ page, built }) => {
  const links = page.locator('article h3 a:nth-of-type(2)')
  await links.first().evaluate((link) => link.replaceChildren())
  await expect(links.first().locator(`+ ${BADGE}`)).toHaveCount(0)
  await expectBadgesFollow(page, built.mock.url, () =>
    links.first().evaluate((link) => {
      const name = link.appendChild(document.createElement('span'))
      setTimeout(() => name.append('late'))
    }),
  )
})

test('inserts a badge again after a re-render removed it', async ({ page, built }) => {
  await expectBadgesFollow(page, built.mock.url, () =>
    page.evaluate((badge) => document.querySelector(badge)!.remove(), BADGE),
  )
})

test('a heading that is rendered again has one badge', async ({ page, built }) => {
  await expectBadgesFollow(page, built.mock.url, () =>
    page.evaluate((badge) => {
      const heading = document.querySelector('article h3')!
      const links = [...heading.querySelectorAll('a')].map((link) => link.cloneNode(true))
      heading.replaceChildren(links[0]!, ' / ', links[1]!)
      document.querySelectorAll('article')[2]!.querySelector(`h3 ${badge}`)!.before('text')
    }, BADGE),
  )
})

test('rows that are sorted and filtered keep their badges', async ({ page, built }) => {
  const before = await page.locator(BADGE).count()
  const after = await expectBadgesFollow(page, built.mock.url, () =>
    page.evaluate(() => {
      const rows = [...document.querySelectorAll('article')]
      rows.reverse().forEach((row, index) => {
        row.parentElement!.append(row)
        if (index % 2) row.remove()
      })
    }),
  )
  expect(after).toBeLessThan(before)
})

test('marks a page that never stops changing', async ({ page, built }) => {
  const listed = await listedRows(built.mock.url)
  const more = topicPage([...new Set(listed.map(repositoryOf))].slice(24, 26).map(rowFor))
  await expectBadgesFollow(page, built.mock.url, () =>
    page.evaluate((markup) => {
      const restless = document.createElement('i')
      setInterval(() => document.body.append(restless), 4)
      const added = new DOMParser().parseFromString(markup, 'text/html').querySelectorAll('article')
      document.querySelector('.columns > div')!.append(...added)
    }, more),
  )
})

test('marks a body that is replaced without any event', async ({ page, built }) => {
  const listed = await listedRows(built.mock.url)
  const other = topicPage([...new Set(listed.map(repositoryOf))].slice(10, 18).map(rowFor))
  await expectBadgesFollow(page, built.mock.url, () =>
    page.evaluate((markup) => {
      const { body } = new DOMParser().parseFromString(markup, 'text/html')
      document.body.replaceWith(document.importNode(body, true))
    }, other),
  )
})

test('goes on marking while Turbo requests a part of the page', async ({ page, built }) => {
  const listed = await listedRows(built.mock.url)
  const more = topicPage([...new Set(listed.map(repositoryOf))].slice(20, 22).map(rowFor))
  await expectBadgesFollow(page, built.mock.url, () =>
    page.evaluate((markup) => {
      const link = document.querySelector('article h3 a')!
      link.dispatchEvent(new CustomEvent('turbo:before-fetch-request', { bubbles: true }))
      const added = new DOMParser().parseFromString(markup, 'text/html').querySelectorAll('article')
      document.querySelector('.columns > div')!.append(...added)
    }, more),
  )
})
