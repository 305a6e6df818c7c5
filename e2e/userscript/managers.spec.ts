import type { Page } from 'playwright/test'
import { gistPage } from '../pages/discussion.ts'
import { MANAGERS, type ManagerName, type ManagerShape } from '../pages/shims.ts'
import { topicPage } from '../pages/topic.ts'
import { rowFor, titleOf } from './listings.ts'
import { BADGE, type CodeHost, enterName, expect, managerClipboard, ORIGIN, runMenuCommand, test } from './test.ts'

/** Stand-ins with the functions of each manager. */
const TOPIC = `${ORIGIN}/topics/harness-plugin`
const GIST = 'https://gist.github.com/wren-abbot/0123456789abcdef'
const PLUGIN = 'emberline/night-shift'
const SPEC = '@emberline/night-shift'

/** Time in which a tab of another site reads a change where its manager reports none. ms */
const LOOK_MS = 2000

const copyOf = (page: Page) => page.locator(BADGE).getByRole('button', { name: /^Copy the install command of / })

/** Returns the profile that the manager stores. */
const keptIn = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { GM: { getValue(key: string): Promise<unknown> } }).GM.getValue('setting profile'),
  )

/** As if another tab were shown in its place, or this one again. */
const turn = (page: Page, where: 'away' | 'back') =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, where === 'away')

/** @param shape of a manager; in one without a menu, a card leads to the settings */
async function openSettings(page: Page, { alone, ofGM }: ManagerShape): Promise<void> {
  if ([...alone, ...ofGM].includes('registerMenuCommand')) return runMenuCommand(page, 'Plugmark settings')
  await page.locator(`${BADGE} [aria-haspopup]`).click()
  await page.getByRole('dialog', { name: PLUGIN }).getByRole('button', { name: 'Plugmark settings' }).click()
}

function serve({ pages }: CodeHost): void {
  pages.set('/topics/harness-plugin', topicPage([rowFor(PLUGIN)]))
  pages.set(GIST, gistPage([rowFor(PLUGIN)]))
}

for (const [name, shape] of Object.entries(MANAGERS)) {
  const tells = [...shape.alone, ...shape.ofGM].includes('addValueChangeListener')

  test.describe(`in ${name}`, () => {
    test.use({ manager: name as ManagerName })

    test('marks a plugin, and copies its command with the functions there are', async ({ page, codeHost }) => {
      serve(codeHost)
      await page.addInitScript(() => {
        navigator.clipboard.write = () => Promise.reject(new DOMException('not now', 'NotAllowedError'))
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('not now', 'NotAllowedError'))
      })
      await page.goto(TOPIC)
      await copyOf(page).click()
      await expect(page.locator('[data-plugmark-live]')).toHaveText(`Copied: dsh plugin --profile web add ${SPEC}`)
      expect(await managerClipboard(page)).toEqual([`dsh plugin --profile web add ${SPEC}`])
    })

    test('applies a setting in the tabs of both sites', async ({ context, codeHost }) => {
      serve(codeHost)
      await context.clock.install()
      const [here, there, gist] = [await context.newPage(), await context.newPage(), await context.newPage()]
      for (const tab of [here, there]) await tab.goto(TOPIC)
      await gist.goto(GIST)
      for (const tab of [here, there, gist]) await expect(tab.locator(BADGE)).toBeVisible()

      await openSettings(here, shape)
      const profile = here.getByRole('dialog', { name: 'Plugmark settings' }).getByRole('textbox', { name: 'Profile' })
      const offered = (name: string) => new RegExp(`\ndsh plugin --profile ${name} add ${SPEC}\n`)
      await turn(gist, 'away')
      await enterName(profile, 'lab')
      await expect.poll(() => titleOf(copyOf(there)), 'at once on the same site').toMatch(offered('lab'))
      if (!tells) {
        await expect.poll(() => keptIn(gist)).toBe('lab')
        await gist.clock.runFor(2 * LOOK_MS)
        await expect.poll(() => titleOf(copyOf(gist)), 'a page that nobody sees asks nothing').toMatch(offered('web'))
        await turn(gist, 'back')
      }
      await expect.poll(() => titleOf(copyOf(gist))).toMatch(offered('lab'))

      await turn(gist, 'back')
      await enterName(profile, 'desk')
      await expect.poll(() => keptIn(gist)).toBe('desk')
      await gist.clock.runFor(LOOK_MS)
      await expect.poll(() => titleOf(copyOf(gist)), 'a page that is seen follows').toMatch(offered('desk'))
      await gist.reload()
      await expect.poll(() => titleOf(copyOf(gist))).toMatch(offered('desk'))
    })
  })
}
