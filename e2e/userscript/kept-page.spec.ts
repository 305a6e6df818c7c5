import type { Page } from 'playwright/test'
import { topicPage } from '../pages/topic.ts'
import { launchOptions } from '../setup/chromium.mjs'
import { badgedRows, expectedRows, listedRows, mixedRows } from './listings.ts'
import { hasCopy, storageIsQuiet } from './stored.ts'
import { BADGE, enterName, expect, ORIGIN, runMenuCommand, test } from './test.ts'

const TOPIC = '/topics/harness-plugin'
const NEXT = '/topics/teapots'

/** Marks that the test leaves on a page, to recognise it. */
interface Kept {
  badges: Element[]
  isBack: boolean
}
type Known = Window & { kept: Kept }

// The headless shell keeps no page, and the test runner switches it off in the whole browser.
test.use({ launchOptions: { ...launchOptions(), ignoreDefaultArgs: ['--disable-back-forward-cache'] } })

const remember = (page: Page) =>
  page.locator(BADGE).evaluateAll((badges) => {
    const kept = { badges, isBack: false }
    Object.assign(window, { kept })
    addEventListener('pageshow', ({ persisted }) => {
      kept.isBack = persisted
    })
  })

/** By the page itself: the runner would wait for a load, which a page that was kept does not have. */
async function goBack(page: Page) {
  await page.evaluate(() => history.back())
  await page.waitForURL(ORIGIN + TOPIC, { waitUntil: 'commit' })
}

test('a page from the back/forward cache keeps its badges, and applies what changed meanwhile', async ({
  context,
  codeHost,
  built,
}) => {
  const rows = mixedRows(await listedRows(built.mock.url))
  const expected = await expectedRows(built.mock.url, rows)
  for (const path of [TOPIC, NEXT]) codeHost.pages.set(path, topicPage(rows))
  const [away, here] = [await context.newPage(), await context.newPage()]
  for (const tab of [away, here]) {
    await tab.goto(ORIGIN + TOPIC)
    await expect.poll(() => badgedRows(tab)).toEqual(expected)
  }
  await expect.poll(() => hasCopy(away)).toBe(true)
  await remember(away)

  // The browser does not keep a page that reads or writes as it is left.
  await storageIsQuiet(away)
  await away.goto(ORIGIN + NEXT)
  await expect.poll(() => badgedRows(away)).toEqual(expected)
  await goBack(away)
  await expect.poll(() => away.evaluate(() => (window as unknown as Partial<Known>).kept?.isBack)).toBe(true)
  const isSame = await away
    .locator(BADGE)
    .evaluateAll((badges) => badges.every((badge, at) => badge === (window as unknown as Known).kept.badges[at]))
  expect(isSame, 'not one was made again').toBe(true)

  await away.goto(ORIGIN + NEXT)
  await expect.poll(() => badgedRows(away)).toEqual(expected)
  await runMenuCommand(here, 'Plugmark settings')
  await enterName(here.getByRole('textbox', { name: 'Profile' }), 'lab')
  await goBack(away)
  const copy = away
    .locator(BADGE)
    .first()
    .getByRole('button', { name: /^Copy the install command of / })
  await copy.hover()
  await expect(copy).toHaveAttribute('title', /\ndsh plugin --profile lab add /)
  await expect.poll(() => badgedRows(away)).toEqual(expected)
  expect(codeHost.carried).toHaveLength(1)
})
