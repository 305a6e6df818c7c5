import { afterEach, describe, expect, it, vi } from 'vitest'
import { startWords } from '../../i18n/start-words.ts'
import { showBox } from '../../start/box.ts'
import {
  badges,
  endPages,
  listing,
  openTestApp,
  press,
  pressKey,
  showList,
  startPage,
  TestDirectory,
} from '../../testing.ts'
import { initKeyboard } from '../keyboard/keyboard.ts'
import { initSummary } from './summary.ts'

const PLUGINS = ['acme/anchor', 'acme/beacon', 'acme/compass']
const OTHERS = ['wren-abbot/teapot', 'wren-abbot/kettle']

const box = () => document.querySelector<HTMLElement>('.plugmark-summary')
const part = (name: string) => box()!.querySelector<HTMLElement>(`[data-plugmark-part=${name}]`)!
/** The number of plugins, whether the box is expanded or not: it stays so from page to page. */
const count = () => box()?.querySelector('.plugmark-summary-bar')?.textContent
const expand = () => {
  if (part('more').getAttribute('aria-expanded') === 'false') press(part('more'))
}

async function show(repositories: readonly string[] = [...PLUGINS, ...OTHERS]) {
  const app = await openTestApp(new TestDirectory(PLUGINS.map((name) => listing(name))))
  await app.index.refresh()
  showList(...repositories)
  const { page, end } = startPage(app)
  initKeyboard(page)
  initSummary(page, app)
  return { app, page, end }
}
afterEach(endPages)

describe('the summary', () => {
  it('counts plugins, explains a missing badge, and follows the page', async () => {
    await show()
    await expect.poll(count).toBe('3 of 5 are listed plugins')
    expand()
    expect(box()!.textContent).toContain('No badge only means that a repository is not in the directory.')
    document.querySelector('article')!.remove()
    await expect.poll(count).toBe('2 of 4 are listed plugins')
  })

  it('opens at a press on the box that the start has drawn, which has no buttons', async () => {
    const app = await openTestApp(new TestDirectory(PLUGINS.map((name) => listing(name))))
    await app.index.refresh()
    showList(...PLUGINS)
    const { page } = startPage(app)
    showBox(page, startWords('en'))
    await expect.poll(() => box()?.getAttribute('role')).toBe('button')
    initSummary(page, app)
    press(box()!)
    expect(part('more').getAttribute('aria-expanded')).toBe('true')
  })

  it('counts no rows that the page hides, and each repository once', async () => {
    await show([...PLUGINS, PLUGINS[0]!, ...OTHERS])
    await expect.poll(count).toBe('3 of 5 are listed plugins')
    const rows = document.querySelectorAll<HTMLElement>('article')
    rows[1]!.style.display = 'none'
    rows[5]!.remove()
    await expect.poll(count).toBe('2 of 3 are listed plugins')
  })

  it('says that the directory is not reachable once the list is older than a month', async () => {
    const directory = new TestDirectory(PLUGINS.map((name) => listing(name)))
    await (await openTestApp(directory)).index.refresh()
    directory.onRequest = () => Promise.reject(new Error('down'))
    const later = Date.now() + 31 * 24 * 3_600_000
    vi.spyOn(Date, 'now').mockImplementation(() => later)
    const app = await openTestApp(directory)
    showList(...PLUGINS)
    initSummary(startPage(app).page, app)
    await app.index.refresh()
    await expect.poll(() => box()?.textContent).toBe('Plugin directory not reachable. Retry · Settings')
    expect(badges()).toHaveLength(3)
    vi.restoreAllMocks()
  })

  it('is not shown on a page without a plugin', async () => {
    await show(OTHERS)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(box()).toBeNull()
  })

  it('moves from plugin to plugin by buttons and keys, and wraps around', async () => {
    await show()
    await expect.poll(count).toBe('3 of 5 are listed plugins')
    const focused = () => badges().findIndex((badge) => badge.contains(document.activeElement))
    press(part('next'))
    expect(focused()).toBe(0)
    const go = (key: string) =>
      pressKey(document.activeElement!, key, { code: `Key${key}`, altKey: true, shiftKey: true })
    go('N')
    expect(focused()).toBe(1)
    go('P')
    go('P')
    expect(focused()).toBe(2)
    part('more').focus()
    press(part('next'))
    expect(focused(), 'it continues from the last one').toBe(0)
  })

  it('keeps the focus when its content is rendered again', async () => {
    await show()
    await expect.poll(count).toBe('3 of 5 are listed plugins')
    const before = part('more').getAttribute('aria-expanded')
    part('more').focus()
    press(part('more'))
    expect(document.activeElement).toBe(part('more'))
    expect(part('more').getAttribute('aria-expanded')).not.toBe(before)
  })

  it('says in prose how many plugins there are, parts of one repository too, once folded text is opened', async () => {
    const names = [...PLUGINS, 'brass/works#bell', 'brass/works#tray']
    const app = await openTestApp(new TestDirectory(names.map((name) => listing(name))))
    await app.index.refresh()
    const links = names.map((name) => `<li><a href="/${name.replace('#', '/tree/main/')}">${name}</a></li>`).join('')
    document.body.innerHTML = `<div class="markdown-body"><details><summary>More</summary><ul>${links}</ul></details></div>`
    const prose = { name: 'text', selector: '.markdown-body a', linkStyle: 'prose' } as const
    const { page } = startPage(app, prose)
    initSummary(page, app)
    await expect.poll(() => badges().length).toBe(5)
    expect(box()).toBeNull()
    document.querySelector('details')!.open = true
    await expect.poll(count).toBe('Links to 5 listed plugins')
  })
})
