import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startWords } from '../i18n/start-words.ts'
import type { Manager } from '../manager/manager.ts'
import { headerOf, lineOf } from './stored-badges.ts'
import type { StoredStart } from './stored-start.ts'
import { badgesKey, type Rest, type Tab, type TabOptions } from './tab.ts'

const VERSION = '1.0.0'
const TOOL = { category: 'tools', count: 1, action: 'copy', isRoot: true }

const START: StoredStart = {
  stamp: 'then',
  cli: 'dsh',
  language: 'en',
  placesOff: [],
  isPaused: false,
  summaryHidden: false,
  menu: 'Plugmark settings',
  words: startWords('en'),
}

let api = ''
let checkedAt = 0
beforeEach(() => {
  api = `https://${crypto.randomUUID()}.test`
  checkedAt = Date.now()
})
let frame: HTMLIFrameElement
/** The window in which the script runs: a tab of the same origin, which ends with its test. */
let view: Window & typeof globalThis
afterEach(() => frame.remove())

/** Stores what an earlier page has left: two plugins, a repository with several, and the settings. */
function store(start: Partial<StoredStart> | string = {}): void {
  const header = headerOf('dsh', new Date(0).toISOString()).replace(/ 0$/, ` ${checkedAt}`)
  const kit = lineOf('acme/kit', { ...TOOL, count: 2, isRoot: false })
  const lines = [...['acme/anchor', 'acme/beacon'].map((name) => lineOf(name, TOOL)), kit]
  localStorage.setItem(badgesKey(api), `${header}\n${lines.join('\n')}\n`)
  const text = typeof start === 'string' ? start : `${VERSION} ${JSON.stringify({ ...START, ...start })}`
  localStorage.setItem(`plugmark start ${api}`, text)
}

const LIST = ['acme/anchor', 'wren-abbot/teapot', 'acme/beacon']
  .map((name) => `<article><h3><a href="/acme">acme</a> <a href="/${name}">${name}</a></h3></article>`)
  .join('')

/** Opens a tab on a page with these links. */
async function openTab({
  path = '/topics/harness',
  body = LIST,
  manager = {},
}: {
  path?: string
  body?: string
  manager?: Partial<Manager>
} = {}) {
  frame = document.createElement('iframe')
  frame.src = '/package.json'
  // The pointer may lie there since another file: on a badge it would open the rest.
  frame.style.pointerEvents = 'none'
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
  document.body.append(frame)
  await loaded
  view = frame.contentWindow as typeof view
  view.history.replaceState(null, '', path)
  view.document.documentElement.lang = 'en'
  view.document.head.innerHTML = '<meta name="hostname" content="github.com">'
  view.document.body.innerHTML = body
  const imported = view.eval(`import(${JSON.stringify(new URL('./tab.ts', import.meta.url).href)})`)
  const { Tab: TabOfView } = (await imported) as { Tab: new (options: TabOptions) => Tab }
  const used: Event[] = []
  const rest = {
    lookup: { badgeSync: () => null, badges: vi.fn(async () => {}) },
    settingsKey: () => '',
    initPage: vi.fn(() => view.addEventListener('pointerover', (event) => used.push(event), { capture: true })),
    refreshIfDue: vi.fn(),
    configure: vi.fn(),
    showSettings: vi.fn(),
  } satisfies Rest
  const openRest = vi.fn(async () => rest)
  const values = { get: () => 'then', set: async () => {}, watch: async () => true }
  const base: Manager = { name: 'test', xhr: () => {}, values, setClipboard: null, addMenuCommand: null }
  const tab = new TabOfView({ api, version: VERSION, manager: { ...base, ...manager }, openRest })
  return { tab, rest, openRest, used }
}

const badges = () => [...view.document.querySelectorAll<HTMLElement>('[data-plugmark-badge]')]
const box = () => view.document.querySelector('.plugmark-summary')
const quiet = () => new Promise((resolve) => setTimeout(resolve, 700))

describe('a start', () => {
  it('marks a page and counts its plugins from what is stored, and opens nothing else', async () => {
    store()
    const { openRest } = await openTab()
    expect(badges().map((badge) => [badge.getAttribute('data-plugmark-badge'), badge.textContent])).toEqual([
      ['acme/anchor', 'Tools'],
      ['acme/beacon', 'Tools'],
    ])
    expect(badges()[0]!.getAttribute('aria-label')).toBe('Tools, plugin acme/anchor')
    await expect.poll(() => box()?.getAttribute('aria-label')).toBe('2 of 3 are listed plugins')
    await quiet()
    expect(openRest).not.toHaveBeenCalled()
  })

  it('marks rows that are added, and follows the address, without the rest', async () => {
    store()
    const { openRest } = await openTab()
    view.document.body.insertAdjacentHTML('beforeend', LIST)
    await expect.poll(() => badges().length).toBe(4)
    view.history.pushState(null, '', '/settings/profile')
    await expect.poll(() => badges().length).toBe(0)
    expect(openRest).not.toHaveBeenCalled()
  })

  it.each([
    ['a pointer on a badge', () => badges()[0]!.dispatchEvent(new view.PointerEvent('pointerover', { bubbles: true }))],
    ['a focused badge', () => badges()[0]!.focus()],
    ['a pointer on the box', () => box()!.dispatchEvent(new view.PointerEvent('pointerover', { bubbles: true }))],
    [
      'the keys for the next badge',
      () =>
        view.document.body.dispatchEvent(
          new view.KeyboardEvent('keydown', { key: 'N', altKey: true, shiftKey: true, bubbles: true }),
        ),
    ],
  ])('opens the rest at %s, on the page as it is', async (_, use) => {
    store()
    const { openRest, rest } = await openTab()
    await expect.poll(() => box()).not.toBeNull()
    const before = badges()
    use()
    await expect.poll(() => rest.initPage.mock.calls.length).toBe(1)
    expect(openRest).toHaveBeenCalledOnce()
    expect(badges()).toEqual(before)
  })

  it('leaves keys with Ctrl to the page, as the rest does', async () => {
    store()
    const { openRest } = await openTab()
    const keys = {
      key: 'N',
      code: 'KeyN',
      altKey: true,
      shiftKey: true,
      ctrlKey: true,
      bubbles: true,
      cancelable: true,
    }
    expect(view.document.body.dispatchEvent(new view.KeyboardEvent('keydown', keys))).toBe(true)
    expect(openRest).not.toHaveBeenCalled()
  })

  it('gives the rest the event by which the user turned to a badge, and no press to the row around it', async () => {
    store()
    const { used } = await openTab()
    const pressed = vi.fn()
    view.document.querySelector('article')!.addEventListener('click', pressed)
    const badge = badges()[0]!
    badge.dispatchEvent(new view.PointerEvent('pointerover', { bubbles: true, clientX: 7 }))
    badge.dispatchEvent(new view.MouseEvent('click', { bubbles: true, cancelable: true }))
    expect(pressed).not.toHaveBeenCalled()
    await expect.poll(() => used.map(({ target }) => target)).toEqual([badge])
    expect((used[0] as PointerEvent).clientX).toBe(7)
  })

  it('leaves the first use to a rest that is there already, which would hear a second event as a second press', async () => {
    store({ stamp: 'before' })
    const { tab, used } = await openTab()
    await tab.open()
    badges()[0]!.dispatchEvent(new view.PointerEvent('pointerover', { bubbles: true }))
    await tab.open()
    expect(used).toHaveLength(1)
  })

  it('opens the rest at the next use when the first attempt failed', async () => {
    store()
    const { openRest, used } = await openTab()
    openRest.mockRejectedValueOnce(new Error('no database'))
    const [badge] = badges()
    const point = () => badge!.dispatchEvent(new view.PointerEvent('pointerover', { bubbles: true }))
    point()
    await expect.poll(() => openRest.mock.settledResults[0]?.type).toBe('rejected')
    await quiet()
    expect(openRest, 'not before the next use').toHaveBeenCalledOnce()
    point()
    await expect.poll(() => used.map(({ target }) => target)).toEqual([badge])
    expect(openRest).toHaveBeenCalledTimes(2)
  })

  it.each<[string, () => void, Parameters<typeof openTab>[0]?]>([
    ['nothing is stored', () => {}],
    ['another version has stored it', () => store(`0.9.0 ${JSON.stringify(START)}`)],
    [
      'a script of the site has stored something else',
      () => store(`${VERSION} {"words":{"categories":{}},"placesOff":[1]}`),
    ],
    ['the settings have changed since', () => store({ stamp: 'before' })],
    ['the site is paused', () => store({ isPaused: true })],
    ['the page has another language', () => store({ language: 'zh' })],
    ['the page is that of a plugin', () => store(), { path: '/acme/anchor' }],
    ['the manager cannot say whether the settings are the same', () => store(), { manager: { values: null } }],
  ])('opens the rest at once when %s', async (_, prepare, options) => {
    prepare()
    const { openRest } = await openTab(options)
    await expect.poll(() => openRest.mock.calls.length).toBe(1)
  })

  it('opens the rest when idle once the index is six hours old', async () => {
    checkedAt -= 7 * 3_600_000
    store()
    const { rest } = await openTab()
    expect(badges()).toHaveLength(2)
    await expect.poll(() => rest.refreshIfDue.mock.calls.length).toBe(1)
  })

  it('asks the rest, when idle, about links in prose that only the index knows', async () => {
    store()
    const { rest } = await openTab({
      path: '/wren-abbot/kettle/issues/1',
      body: '<div class="markdown-body"><a href="/acme/kit/blob/main/part">part</a></div>',
    })
    await expect.poll(() => rest.lookup.badges.mock.calls.length).toBeGreaterThan(0)
  })

  it('marks again what another tab has stored, and opens the rest for its settings', async () => {
    store()
    const { openRest } = await openTab()
    const key = badgesKey(api)
    localStorage.setItem(key, `${localStorage.getItem(key)!}wren-abbot/teapot fun 1 copy root\n`)
    await expect.poll(() => badges().length).toBe(3)
    expect(openRest).not.toHaveBeenCalled()
    store({ stamp: 'now' })
    await expect.poll(() => openRest.mock.calls.length).toBe(1)
  })

  it('leaves what another version has stored, until its own settings change: two tabs would overwrite without end', async () => {
    store()
    const { tab } = await openTab()
    const stored = () => localStorage.getItem(`plugmark start ${api}`)
    tab.configure({ ...START })
    localStorage.setItem(`plugmark start ${api}`, `2.0.0 ${JSON.stringify(START)}`)
    tab.configure({ ...START })
    expect(stored()).toMatch(/^2\.0\.0 /)
    tab.configure({ ...START, stamp: 'now' })
    expect(stored()).toMatch(/^1\.0\.0 .*"stamp":"now"/)
  })

  it('adds the settings to the manager’s menu, which open with the rest', async () => {
    store()
    const addMenuCommand = vi.fn(async (_caption: string, _run: () => void) => null)
    const { rest } = await openTab({ manager: { addMenuCommand } })
    await expect.poll(() => addMenuCommand.mock.calls.map(([caption]) => caption)).toEqual(['Plugmark settings'])
    addMenuCommand.mock.calls[0]![1]()
    await expect.poll(() => rest.showSettings.mock.calls.length).toBe(1)
  })

  it('renames that command when the language changes', async () => {
    store()
    const menu: string[] = []
    const addMenuCommand = async (caption: string) => {
      menu.push(caption)
      return async () => void menu.splice(menu.indexOf(caption), 1)
    }
    const { tab } = await openTab({ manager: { addMenuCommand } })
    await expect.poll(() => menu).toEqual(['Plugmark settings'])
    tab.configure({ ...START, menu: 'Plugmark 设置' })
    await expect.poll(() => menu).toEqual(['Plugmark 设置'])
  })
})
