import { topicPage } from '../pages/topic.ts'
import { listedRows, repositoryOf, rowFor } from './listings.ts'
import { hasBadgeCache } from './stored.ts'
import { BADGE, expect, ORIGIN, test, twoFrames } from './test.ts'

const TOPIC = '/topics/harness-plugin'

/**
 * Runs in the page: leaves that much room beside the names of cards that have none yet, px, in turns, each room with a look
 * of its own, and watches how high their headings are drawn.
 */
function leaveRoom(rooms: readonly number[]): void {
  const headings = [...document.querySelectorAll<HTMLElement>('article h3:not([style])')]
  const widths = headings.map((heading) => {
    const names = document.createRange()
    names.selectNodeContents(heading)
    return names.getBoundingClientRect().width
  })
  const drawn = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const before = Number(target.getAttribute('data-drawn'))
      target.setAttribute('data-drawn', String(Math.max(before, contentRect.height)))
    }
  })
  for (const [at, heading] of headings.entries()) {
    const room = rooms[at % rooms.length]!
    heading.classList.add(`room-${room}`)
    heading.style.cssText = `flex: none; width: ${widths[at]! + room}px`
    drawn.observe(heading)
  }
}

test('a badge goes without its word where a line has no room for it, so that no row is ever drawn higher', async ({
  page,
  codeHost,
  built,
}) => {
  const names = [...new Set((await listedRows(built.mock.url)).map(repositoryOf))]
  const wide = 300
  const tight = 60
  codeHost.pages.set(TOPIC, topicPage(names.slice(0, 4).map(rowFor)))
  await page.addInitScript(`
    globalThis.leaveRoom = ${leaveRoom}
    document.addEventListener('readystatechange', () => leaveRoom([${wide}, ${tight}]), { once: true })`)
  const badges = page.locator(BADGE)
  const labels = badges.locator('button:first-child')
  const expectOneLine = async () => {
    await twoFrames(page)
    const heights = await page
      .locator('article h3')
      .evaluateAll((all) => all.map((heading) => Number(heading.getAttribute('data-drawn'))))
    const line = await page
      .locator('article h3')
      .first()
      .evaluate((heading) => Number.parseFloat(getComputedStyle(heading).lineHeight))
    expect(heights).toEqual(heights.map(() => line))
  }

  await page.goto(ORIGIN + TOPIC)
  await expect(labels).toHaveText([/./, '', /./, ''])
  await expectOneLine()
  for (const n of [0, 1]) await expect(badges.nth(n)).toHaveAccessibleName(/./)

  await expect.poll(() => hasBadgeCache(page)).toBe(true)
  await page.reload()
  await expect(labels).toHaveText([/./, '', /./, ''])
  await expectOneLine()

  const more = topicPage(names.slice(4, 6).map(rowFor))
  await page.evaluate(
    ([markup, rooms]) => {
      const cards = new DOMParser().parseFromString(markup, 'text/html').querySelectorAll('article')
      document.querySelector('.columns > div')!.append(...cards)
      ;(globalThis as unknown as { leaveRoom: typeof leaveRoom }).leaveRoom(rooms)
    },
    [more, [tight, wide]] as const,
  )
  await expect(labels).toHaveText([/./, '', /./, '', '', /./])
  await expectOneLine()
})

test('a title that is a block with a line clamp has its badge on its line, and its row stays as high', async ({
  page,
  codeHost,
}) => {
  const titles = 'article h3 a:nth-of-type(2)'
  codeHost.pages.set(TOPIC, topicPage([rowFor('emberline/night-shift'), rowFor('wren-abbot/teapot')]))
  await page.addInitScript((titles) => {
    const css = `article h3 { display: block; font-size: 16px; line-height: 25px } article h3 a:first-of-type { display: none }
      ${titles} { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1; overflow: hidden }`
    const addStyles = () => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
      // Nothing but the title decides how high the heading is.
      for (const heading of document.querySelectorAll('article h3')) {
        for (const node of [...heading.childNodes]) if (!(node instanceof HTMLAnchorElement)) node.remove()
      }
    }
    document.addEventListener('readystatechange', addStyles, { once: true })
  }, titles)
  await page.goto(ORIGIN + TOPIC)
  await expect(page.locator(BADGE)).toHaveCount(1)
  await twoFrames(page)
  const heights = await page.locator('article h3').evaluateAll((all) => all.map((row) => row.clientHeight))
  expect(heights[0]).toBe(heights[1])
  const [title, badge] = [await page.locator(titles).first().boundingBox(), await page.locator(BADGE).boundingBox()]
  expect(badge!.x).toBeGreaterThanOrEqual(title!.x + title!.width)
  expect(badge!.y).toBeLessThan(title!.y + title!.height)
})
