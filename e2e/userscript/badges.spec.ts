import { faultHandler } from '@plugmark/mock-api'
import type { Page } from 'playwright/test'
import type { Row } from '../pages/row.ts'
import { searchPage } from '../pages/search.ts'
import { topicPage } from '../pages/topic.ts'
import { byRepository, listedRows, mixedRows, repositoryOf, rowFor } from './listings.ts'
import { BADGE, expect, ORIGIN, test, twoFrames } from './test.ts'

const TOPIC = '/topics/harness-plugin'
const SEARCH = '/search?q=harness&type=repositories'

/** The repository of every row with a badge, in the order of the page, and where the badge stands. */
async function badgedRows(page: Page): Promise<{ link: string; badge: string }[]> {
  return page.locator(BADGE).evaluateAll((badges) =>
    badges.map((badge) => ({
      link: badge.previousElementSibling?.getAttribute('href')?.slice(1) ?? 'no link before the badge',
      badge: badge.getAttribute('data-plugmark-badge') ?? '',
    })),
  )
}

/** What `badgedRows` must be, by the catalogue and nothing of the script. */
async function expectedRows(api: string, rows: readonly Row[]): Promise<{ link: string; badge: string }[]> {
  const listed = byRepository(await listedRows(api))
  return rows
    .map(({ fullName }) => ({ link: fullName, badge: fullName.toLowerCase() }))
    .filter(({ badge }) => listed.has(badge))
}

for (const { kind, path, markup } of [
  { kind: 'topic', path: TOPIC, markup: (rows: readonly Row[]) => topicPage(rows) },
  { kind: 'search', path: SEARCH, markup: (rows: readonly Row[]) => searchPage(rows) },
]) {
  test(`a ${kind} page has one badge a plugin, after the link that names it`, async ({ page, codeHost, built }) => {
    const rows = mixedRows(await listedRows(built.mock.url))
    codeHost.pages.set(path, markup(rows))
    await page.goto(ORIGIN + path)

    const expected = await expectedRows(built.mock.url, rows)
    expect(expected.length).toBeGreaterThan(10)
    expect(expected.length).toBeLessThan(rows.length)
    await expect(page.locator(BADGE)).toHaveCount(expected.length)
    expect(await badgedRows(page)).toEqual(expected)
    await expect(page.locator(BADGE).first()).toBeVisible()
  })

  test(`a ${kind} page keeps the height of its rows`, async ({ page, codeHost, built }) => {
    const rows = mixedRows(await listedRows(built.mock.url))
    codeHost.pages.set(path, markup(rows))
    const heights = () => page.locator('h3').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))

    await page.goto(`${ORIGIN}${path}`)
    await expect(page.locator(BADGE).first()).toBeVisible()
    const marked = await heights()
    await page.locator(BADGE).evaluateAll((badges) => {
      for (const badge of badges) (badge as HTMLElement).style.display = 'none'
    })
    expect(marked).toEqual(await heights())
  })
}

test('a page of another kind is left alone', async ({ page, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  codeHost.pages.set('/search?q=harness&type=issues', searchPage(rows))
  codeHost.pages.set(TOPIC, topicPage(rows))
  await page.goto(`${ORIGIN}/search?q=harness&type=issues`)
  await twoFrames(page)
  await expect(page.locator(BADGE)).toHaveCount(0)
  expect(codeHost.carried).toEqual([])
})

test.describe('as the page changes', () => {
  test.beforeEach(async ({ page, codeHost, built }) => {
    codeHost.pages.set(TOPIC, topicPage(mixedRows(await listedRows(built.mock.url))))
    await page.goto(ORIGIN + TOPIC)
    await expect(page.locator(BADGE).first()).toBeVisible()
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

  test('rows that are added get theirs', async ({ page, built }) => {
    const listed = await listedRows(built.mock.url)
    const more = topicPage([...new Set(listed.map(repositoryOf))].slice(20, 24).map(rowFor))
    await expectBadgesFollow(page, built.mock.url, () =>
      page.evaluate((markup) => {
        const added = new DOMParser().parseFromString(markup, 'text/html').querySelectorAll('article')
        document.querySelector('.columns > div')!.append(...added)
      }, more),
    )
  })

  test('a cloned row has one working badge, not two', async ({ page, built }) => {
    await expectBadgesFollow(page, built.mock.url, () =>
      page.evaluate(() => {
        const row = document.querySelector('article')!
        row.after(row.cloneNode(true))
      }),
    )
    await page.locator(BADGE).nth(1).getByRole('button').click()
    await expect(page.locator('[role=status]')).toHaveText(/^Copied: /)
  })

  test('a row whose address changes changes its badge', async ({ page, built }) => {
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

  test('a badge that a re-render took away comes back', async ({ page, built }) => {
    await expectBadgesFollow(page, built.mock.url, () =>
      page.evaluate((badge) => document.querySelector(badge)!.remove(), BADGE),
    )
  })

  test('a heading that is drawn anew has one badge', async ({ page, built }) => {
    await expectBadgesFollow(page, built.mock.url, () =>
      page.evaluate((badge) => {
        const heading = document.querySelector('article h3')!
        const links = [...heading.querySelectorAll('a')].map((link) => link.cloneNode(true))
        heading.replaceChildren(links[0]!, ' / ', links[1]!)
        document.querySelectorAll('article')[2]!.querySelector(`h3 ${badge}`)!.before('text')
      }, BADGE),
    )
  })

  test('rows that are sorted and filtered keep theirs', async ({ page, built }) => {
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

  test('a page that never stops changing is marked all the same', async ({ page, built }) => {
    const listed = await listedRows(built.mock.url)
    const more = topicPage([...new Set(listed.map(repositoryOf))].slice(24, 26).map(rowFor))
    await expectBadgesFollow(page, built.mock.url, () =>
      page.evaluate((markup) => {
        const change = () => {
          document.body.append(document.createElement('i'))
          requestAnimationFrame(change)
        }
        change()
        const added = new DOMParser().parseFromString(markup, 'text/html').querySelectorAll('article')
        document.querySelector('.columns > div')!.append(...added)
      }, more),
    )
  })

  test('a Turbo visit and its return mark the new page and not the old', async ({ page, built }) => {
    const listed = await listedRows(built.mock.url)
    const other = topicPage([...new Set(listed.map(repositoryOf))].slice(10, 18).map(rowFor))
    /** What Turbo does on a visit: it says so, swaps the body, says so again. */
    const visit = (markup: string) =>
      page.evaluate((next) => {
        const root = document.documentElement
        const say = (type: string) => root.dispatchEvent(new CustomEvent(type, { bubbles: true }))
        const snapshot = document.body.cloneNode(true) as HTMLElement
        say('turbo:visit')
        say('turbo:before-fetch-request')
        const body = new DOMParser().parseFromString(next, 'text/html').body
        document.body.replaceWith(document.importNode(body, true))
        say('turbo:render')
        return snapshot.outerHTML
      }, markup)

    let snapshot = ''
    await expectBadgesFollow(page, built.mock.url, async () => {
      snapshot = await visit(other)
    })
    // The page that comes back from Turbo's cache has copies of the badges in it.
    expect(snapshot).toContain('data-plugmark-badge')
    await expectBadgesFollow(page, built.mock.url, () => visit(snapshot))
    await page.locator(BADGE).first().getByRole('button').click()
    await expect(page.locator('[role=status]')).toHaveText(/^Copied: /)
  })

  test('a body that is swapped without a word is marked', async ({ page, built }) => {
    const listed = await listedRows(built.mock.url)
    const other = topicPage([...new Set(listed.map(repositoryOf))].slice(10, 18).map(rowFor))
    await expectBadgesFollow(page, built.mock.url, () =>
      page.evaluate((markup) => {
        const { body } = new DOMParser().parseFromString(markup, 'text/html')
        document.body.replaceWith(document.importNode(body, true))
      }, other),
    )
  })

  test('a request of Turbo for a part of the page stops nothing', async ({ page, built }) => {
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
})

test('several pages and tabs of one browser ask for the index once', async ({ context, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  const expected = await expectedRows(built.mock.url, rows)
  codeHost.pages.set(TOPIC, topicPage(rows))
  codeHost.pages.set(SEARCH, searchPage(rows))
  const tabs = await Promise.all([context.newPage(), context.newPage(), context.newPage()])

  await Promise.all(tabs.map((tab, index) => tab.goto(ORIGIN + (index === 1 ? SEARCH : TOPIC))))
  for (const tab of tabs) await expect(tab.locator(BADGE)).toHaveCount(expected.length)
  await tabs[0]!.goto(ORIGIN + SEARCH)
  await expect(tabs[0]!.locator(BADGE)).toHaveCount(expected.length)
  await tabs[1]!.reload()
  await expect(tabs[1]!.locator(BADGE)).toHaveCount(expected.length)

  expect(codeHost.carried).toEqual([`${built.mock.url}/api/v1/index`])
})

test('a directory that is down leaves the page as it was', async ({ page, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  codeHost.pages.set(TOPIC, topicPage(rows))
  built.mock.use(faultHandler('500'))
  await page.clock.install()
  await page.goto(ORIGIN + TOPIC)
  await expect.poll(codeHost.answered).toBe(1)
  await twoFrames(page)
  await page.clock.runFor(5000)
  await twoFrames(page)

  const untouched = /<main.*?<\/main>/s.exec(topicPage(rows))![0]
  const now = await page.locator('main').evaluate((main, markup) => {
    const before = new DOMParser().parseFromString(markup, 'text/html').querySelector('main')!
    return { before: before.outerHTML, after: main.outerHTML }
  }, untouched)
  expect(now.after).toBe(now.before)
  await page.reload()
  await twoFrames(page)
  expect(codeHost.carried, 'and it is not asked again so soon').toHaveLength(1)
})

test.describe('under Trusted Types', () => {
  test.use({ policy: { 'require-trusted-types-for': "'script'" } })

  test('badges appear and copy', async ({ page, codeHost, built }) => {
    const rows = mixedRows(await listedRows(built.mock.url))
    codeHost.pages.set(SEARCH, searchPage(rows))
    await page.goto(ORIGIN + SEARCH)
    await page.locator(BADGE).first().getByRole('button').click()
    await expect(page.locator('[role=status]')).toHaveText(/^Copied: /)
  })
})

test.describe('in a manager that has only GM.*', () => {
  test.use({ dialect: 'GM.' })

  test('badges appear', async ({ page, codeHost, built }) => {
    const rows = mixedRows(await listedRows(built.mock.url))
    codeHost.pages.set(TOPIC, topicPage(rows))
    await page.goto(ORIGIN + TOPIC)
    await expect(page.locator(BADGE)).toHaveCount((await expectedRows(built.mock.url, rows)).length)
  })
})

test('two copies of the script double nothing', async ({ page, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  codeHost.pages.set(TOPIC, topicPage(rows))
  await page.addInitScript({ content: `addEventListener('DOMContentLoaded', () => {${built.source}})` })
  await page.goto(ORIGIN + TOPIC)
  const expected = await expectedRows(built.mock.url, rows)
  await expect(page.locator(BADGE)).toHaveCount(expected.length)
  await twoFrames(page)
  expect(await badgedRows(page)).toEqual(expected)
})
