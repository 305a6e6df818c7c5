import { PAGE_EXAMPLES } from '@plugmark/userscript/github/page-kinds-testing'
import { html } from '../pages/html.ts'
import { KIND_PAGES } from '../pages/kinds.ts'
import { page as shell } from '../pages/shell.ts'
import { comment } from '../pages/text.ts'
import { topicPage } from '../pages/topic.ts'
import { badgedRows, expectedRows, listedRows, mixedRows, repositoryOf } from './listings.ts'
import { hasBadgeCache, hasCopy } from './stored.ts'
import { BADGE, expect, ORIGIN, test, twoFrames } from './test.ts'

const TOPIC = '/topics/harness-plugin'

test.describe('on every kind of page', () => {
  test('inserts one badge for each plugin, after the link that names it', async ({ page, codeHost, built }) => {
    const rows = mixedRows(await listedRows(built.mock.url))
    const expected = (await expectedRows(built.mock.url, rows)).map(({ badge }) => badge)
    expect(expected.length).toBeGreaterThan(10)
    expect(expected.length).toBeLessThan(rows.length)

    for (const { kind, url, markup } of KIND_PAGES) {
      await test.step(url, async () => {
        codeHost.pages.set(url.replace(ORIGIN, ''), markup(rows))
        await page.goto(url)
        const { linksPerRow: times = 1 } = PAGE_EXAMPLES[kind]
        await expect(page.locator(BADGE), kind).toHaveCount(times * expected.length)
        const badged = await badgedRows(page)
        for (const { link, badge } of badged) expect(link.toLowerCase(), kind).toContain(badge)
        const repositories = badged.map(({ badge }) => badge).sort()
        expect(repositories, kind).toEqual(
          Array.from({ length: times }, () => expected)
            .flat()
            .sort(),
        )
        await expect(page.locator(BADGE).first()).toBeVisible()
      })
    }
    expect(codeHost.carried, 'once for each site').toHaveLength(3)
  })

  test('keeps the height of rows and the text that is copied, and moves what follows a badge by its width', async ({
    page,
    codeHost,
    built,
  }) => {
    const rows = mixedRows(await listedRows(built.mock.url))
    for (const { kind, url, markup } of KIND_PAGES) {
      await test.step(url, async () => {
        codeHost.pages.set(url.replace(ORIGIN, ''), markup(rows))
        await page.goto(url)
        await expect(page.locator(BADGE).first()).toBeVisible()
        const { marked, unmarked, shifts, text, plain, words } = await page.locator(BADGE).evaluateAll((badges) => {
          const heights = () => badges.map((badge) => badge.parentElement!.getBoundingClientRect().height)
          const lefts = () => badges.map((badge) => badge.nextElementSibling?.getBoundingClientRect().left ?? 0)
          const widths = badges.map((badge) => {
            const { marginLeft } = getComputedStyle(badge)
            return badge.getBoundingClientRect().width + Number.parseFloat(marginLeft)
          })
          const copied = () => {
            getSelection()!.selectAllChildren(document.querySelector('main')!)
            return getSelection()!.toString().replace(/ +$/gm, '')
          }
          const [marked, pushed, text] = [heights(), lefts(), copied()]
          const words = badges.map((badge) => {
            const label = badge.firstElementChild!
            if (badge.closest('.markdown-body, #readme')) return label.textContent === ''
            if (label.textContent !== '') return true
            const row = badge.parentElement!
            const height = row.offsetHeight
            label.textContent = badge.getAttribute('aria-label')
            const isHigher = row.offsetHeight > height
            label.textContent = ''
            return isHigher
          })
          for (const badge of badges) (badge as HTMLElement).style.display = 'none'
          const unmarked = heights()
          const shifts = lefts().map((left, at) => pushed[at]! - left - widths[at]!)
          return { marked, unmarked, shifts, text, plain: copied(), words }
        })
        expect(marked, kind).toEqual(unmarked)
        const said = `${kind}: a word of ours only where it is in nobody’s sentence, and its line has room for it`
        expect(words, said).toEqual(words.map(() => true))
        expect(text, kind).toBe(plain)
        expect(Math.max(...shifts), `${kind}: what follows a badge moves by no more than its width`).toBeLessThan(1)
      })
    }
  })
})

test('draws nothing twice when two copies of the script run', async ({ page, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  codeHost.pages.set(TOPIC, topicPage(rows))
  await page.addInitScript({ content: `addEventListener('DOMContentLoaded', () => {${built.source}})` })
  await page.goto(ORIGIN + TOPIC)
  const expected = await expectedRows(built.mock.url, rows)
  await expect(page.locator(BADGE)).toHaveCount(expected.length)
  await twoFrames(page)
  expect(await badgedRows(page)).toEqual(expected)
})

test('marks a hidden page before the user returns to it', async ({ page, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  codeHost.pages.set(TOPIC, topicPage(rows))
  // As it is for a page in the background: there are no frames.
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'hidden', { get: () => true })
    window.requestAnimationFrame = () => 0
  })
  await page.goto(ORIGIN + TOPIC)
  const expected = await expectedRows(built.mock.url, rows)
  await expect.poll(() => badgedRows(page)).toEqual(expected)
})

test('creates each badge once on the first visit', async ({ page, codeHost, built }) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  const expected = await expectedRows(built.mock.url, rows)
  codeHost.pages.set(TOPIC, topicPage(rows))
  await page.addInitScript((badge) => {
    const seen = { badges: 0 }
    Object.assign(window, { seen })
    new MutationObserver((records) => {
      const added = records.flatMap(({ addedNodes }) => [...addedNodes])
      seen.badges += added.filter((node) => node instanceof Element && node.matches(badge)).length
    }).observe(document, { subtree: true, childList: true })
  }, BADGE)
  await page.goto(ORIGIN + TOPIC)
  const seen = () => page.evaluate(() => (window as unknown as { seen: { badges: number } }).seen)
  await expect.poll(() => hasBadgeCache(page)).toBe(true)
  // A row that is asked about after whatever the copy set off.
  const late = [...new Set((await listedRows(built.mock.url)).map(repositoryOf))].at(-1)!
  await page
    .locator('article h3 a:nth-of-type(2)')
    .last()
    .evaluate((link, name) => {
      requestAnimationFrame(() => {
        const row = link.closest('article')!.cloneNode(true) as Element
        row.querySelector('h3 a:nth-of-type(2)')!.setAttribute('href', `/${name}`)
        document.querySelector('.columns > div')!.append(row)
      })
    }, late)
  await expect(page.locator(BADGE)).toHaveCount(expected.length + 1)
  expect((await seen()).badges).toBe(expected.length + 1)
})

test('marks a relative link to another listing, and not the table of contents of the listing’s own page', async ({
  page,
  codeHost,
}) => {
  // A README’s own relative links, to files and to directories, the code host writes with /blob/.
  const text = html`<p>
    <a href="#install">Install</a> <a id="anchor">here</a> <a href="/brasswork/workshop/blob/main/packages/dice">dice</a>
    <a href="/brasswork/workshop/blob/main/LICENSE">the licence</a>
    <a href="/brasswork/workshop/blob/main/packages/dice/README.md">how</a>
  </p>`
  const path = '/brasswork/workshop/tree/main/packages/clock'
  codeHost.pages.set(path, shell({ title: 'clock', content: comment('brasswork', text) }))
  await page.goto(ORIGIN + path)
  await expect.poll(() => hasCopy(page)).toBe(true)
  await expect
    .poll(() => badgedRows(page))
    .toEqual([{ link: 'brasswork/workshop/blob/main/packages/dice', badge: 'brasswork/workshop' }])
})
