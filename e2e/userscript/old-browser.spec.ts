import { topicPage } from '../pages/topic.ts'
import { rowFor } from './listings.ts'
import { BADGE, expect, ORIGIN, test } from './test.ts'

const TOPIC = '/topics/harness-plugin'

/**
 * Makes a browser as old as Safari 16.4, of what this script could use.
 *
 * Source: what MDN's browser-compat-data says of Safari (2026-11); Safari has never had the first two.
 */
function forget(): void {
  const later: [object, string[]][] = [
    [globalThis, ['requestIdleCallback', 'scheduler']],
    [URL, ['canParse', 'parse']],
    [AbortSignal, ['any']],
    [Promise, ['withResolvers', 'try']],
    [Object, ['groupBy']],
    [Map, ['groupBy']],
    [Array, ['fromAsync']],
    [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom']],
    [Object.getPrototypeOf(Object.getPrototypeOf([].values())), ['map', 'filter', 'some', 'every', 'find', 'toArray']],
    [Element.prototype, ['checkVisibility', 'getHTML']],
    [HTMLElement.prototype, ['popover', 'showPopover', 'hidePopover', 'togglePopover']],
  ]
  for (const [owner, names] of later) for (const name of names) Reflect.deleteProperty(owner, name)
}

test.describe('in Userscripts, in a browser as old as Safari 16.4', () => {
  test.use({ manager: 'userscripts', locale: 'zh-CN', permissions: ['clipboard-read', 'clipboard-write'] })

  test('marks a page, shows a complete card, copies its command and refreshes the index', async ({
    page,
    codeHost,
  }) => {
    codeHost.pages.set(TOPIC, topicPage([rowFor('emberline/night-shift')]))
    await page.addInitScript(forget)
    await page.goto(ORIGIN + TOPIC)
    const badge = page.locator(BADGE)
    await badge.locator('[aria-haspopup]').click()
    const card = page.getByRole('dialog')
    await expect(card).toContainText('通过安装检查')
    await badge.getByRole('button', { name: '复制 emberline/night-shift 的安装命令' }).click()
    await expect(page.locator('[data-plugmark-live]')).toHaveText(/^已复制：dsh plugin --profile web add /)
    await badge.locator('[aria-haspopup]').click()
    await card.getByRole('button', { name: 'Plugmark 设置' }).click()
    await page.getByRole('button', { name: '立即刷新' }).click()
    await expect(card.getByRole('status')).toHaveText('列表已是最新。')
  })
})
