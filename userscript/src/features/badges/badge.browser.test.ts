import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  announced,
  badges,
  copyButton,
  endPages,
  label,
  listing,
  openBadges,
  openCard,
  openList,
  openTestApp,
  press,
  pressKey,
  record,
  replaceClipboard,
  showList,
  startPage,
  TestDirectory,
} from '../../testing.ts'

const A = 'acme/anchor'
const B = 'acme/beacon'
const commandOf = (npm: string, profile = 'web') => `dsh plugin --profile ${profile} add ${npm}`

let copied: string[] = []
beforeEach(() => {
  copied = replaceClipboard()
})
afterEach(endPages)

const part = (selector: string) => openCard()!.querySelector<HTMLElement>(selector)!

describe('Copy on a badge', () => {
  it('leaves the clipboard to the plugin that was pressed last', async () => {
    const directory = new TestDirectory([listing(A), listing(B)])
    const late = Promise.withResolvers<void>()
    directory.onRequest = (url) => (url.search.includes('anchor') ? late.promise : undefined)
    await openBadges(directory, A, B)
    press(copyButton(A))
    press(copyButton(B))
    await expect.poll(() => copied).toEqual(['dsh plugin --profile web add beacon'])
    late.resolve()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(copied).toEqual(['dsh plugin --profile web add beacon'])
    expect(copyButton(A).closest('.plugmark-copied'), 'no tick for what was not copied').toBeNull()
  })

  it.each([
    ['opens a card to choose from', [listing(`${B}#one`), listing(`${B}#two`)], undefined],
    ['opens the card of a command that failed its check', [listing(B)], [record(B, { installCheck: 'failed' })]],
  ])('copies what was pressed before although a later press %s', async (_, later, records) => {
    const directory = new TestDirectory([listing(A), ...later], [record(A), ...(records ?? [])])
    const late = Promise.withResolvers<void>()
    directory.onRequest = (url) => (url.search.includes('anchor') ? late.promise : undefined)
    await openBadges(directory, A, B)
    press(copyButton(A))
    press(copyButton(B))
    await expect.poll(openCard).not.toBeNull()
    late.resolve()
    await expect.poll(() => copied).toEqual([commandOf('anchor')])
    await expect.poll(announced).toBe(`Copied: ${commandOf('anchor')}`)
  })

  it('leaves the clipboard to a command of a card that was copied later', async () => {
    const directory = new TestDirectory([listing(A), listing(B)])
    const late = Promise.withResolvers<void>()
    directory.onRequest = (url) => (url.search.includes('anchor') ? late.promise : undefined)
    await openBadges(directory, A, B)
    press(copyButton(A))
    press(label(B))
    await expect.poll(() => openCard()?.querySelector('.plugmark-command button') ?? null).not.toBeNull()
    press(openCard()!.querySelector('.plugmark-command button')!)
    await expect.poll(() => copied).toEqual(['dsh plugin --profile web add beacon'])
    late.resolve()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(copied).toEqual(['dsh plugin --profile web add beacon'])
  })

  it('opens no card and takes no focus once its page has ended', async () => {
    const directory = new TestDirectory([listing(A)], [record(A, { installCheck: 'failed' })])
    const late = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    directory.onRequest = (url) => {
      if (url.pathname.endsWith('/index')) return
      asked.resolve()
      return late.promise
    }
    const { end } = await openBadges(directory, A)
    press(copyButton(A))
    await asked.promise
    end()
    document.body.innerHTML = '<main><input></main>'
    document.querySelector('input')!.focus()
    late.resolve()
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(openCard()).toBeNull()
    expect(document.activeElement?.localName).toBe('input')
  })
})

describe('the title of a row', () => {
  const styled = () => document.querySelector<HTMLAnchorElement>('h3 a')!
  const isAsBefore = () => {
    const { display, verticalAlign, maxWidth } = getComputedStyle(styled())
    return { display, verticalAlign, maxWidth }
  }

  it('looks as before once its badge is gone', async () => {
    const app = await openTestApp(new TestDirectory([listing(A)]))
    await app.index.refresh()
    showList(A)
    document.querySelector('h3')!.style.width = '220px'
    styled().style.display = 'block'
    styled().textContent = 'a long name '.repeat(8)
    const before = isAsBefore()
    startPage(app)
    await expect.poll(() => badges().length).toBe(1)
    await expect.poll(isAsBefore, { message: 'it makes room' }).not.toEqual(before)
    styled().href = '/wren-abbot/teapot'
    await expect.poll(() => badges().length).toBe(0)
    expect(isAsBefore()).toEqual(before)
  })
})

it.each([
  [160, 'Tools'],
  [60, ''],
])('keeps its word below its link in a row of %i px where it fits: “%s”', async (width, word) => {
  const app = await openTestApp(new TestDirectory([listing(A)]))
  await app.index.refresh()
  showList(A)
  document.querySelector('h3')!.style.cssText = `width: ${width}px; font: 14px monospace`
  document.querySelector('h3 a')!.textContent = 'x'.repeat(width / 10)
  startPage(app)
  await expect.poll(() => badges().length).toBe(1)
  await expect.poll(() => badges()[0]!.textContent).toBe(word)
})

describe('a badge', () => {
  const several = [`${B}#one`, `${B}#two`].map((name) => listing(name))

  it('copies exactly the command of the user’s profile, announces it and shows a tick', async () => {
    const { app } = await openBadges(new TestDirectory([listing(A)]), A)
    app.settings.change({ profile: 'desk' })
    press(copyButton(A))
    await expect.poll(() => copied).toEqual([commandOf('anchor', 'desk')])
    await expect.poll(announced).toBe(`Copied: ${commandOf('anchor', 'desk')}`)
    expect(badges()[0]!.classList.contains('plugmark-copied')).toBe(true)
    app.settings.change({ profile: 'lab' })
    press(copyButton(A))
    await expect.poll(() => copied.at(-1)).toBe(commandOf('anchor', 'lab'))
  })

  it('names its repository and its command, also before it is pointed at', async () => {
    await openBadges(new TestDirectory([listing(A), ...several]), 'Acme/Anchor', B)
    expect(badges().map((badge) => badge.getAttribute('aria-label'))).toEqual([
      'Tools, plugin Acme/Anchor',
      `2 plugins, ${B}`,
    ])
    const copy = copyButton(A)
    await expect
      .poll(() => copy.title)
      .toBe(`Copy the install command of Acme/Anchor\n${commandOf('anchor')}\nA listing is not a security review.`)
  })

  it('copies the command of the root of several listings', async () => {
    await openBadges(new TestDirectory([listing(`${A}#one`), listing(A)]), A)
    expect(badges()[0]!.textContent).toBe('2 plugins')
    press(copyButton(A))
    await expect.poll(() => copied).toEqual([commandOf('anchor')])
  })

  it('opens the card to choose from where there are several listings and no root', async () => {
    await openBadges(new TestDirectory(several), B)
    expect(copyButton(B).getAttribute('aria-label')).toBe(`Choose an install command of ${B}`)
    press(copyButton(B))
    await expect.poll(() => openCard()?.querySelectorAll('.plugmark-row [aria-label^=Copy]').length).toBe(2)
    expect(document.activeElement).toBe(openCard())
    expect(copied).toEqual([])
  })

  it('has no copy button, and gives the reason, where nothing can be installed', async () => {
    await openBadges(new TestDirectory([listing(A, { install: null, npm: null })]), A)
    label(A)
    const action = badges()[0]!.lastElementChild!
    expect(action.getAttribute('role')).toBe('img')
    expect(action.getAttribute('aria-label')).toMatch(/^Cannot be installed with one command\. /)
  })

  it('copies no command whose install check failed, and asks for its record once', async () => {
    const directory = new TestDirectory([listing(A)], [record(A, { installCheck: 'failed' })])
    await openBadges(directory, A)
    for (let turn = 0; turn < 2; turn++) {
      press(copyButton(A))
      await expect.poll(() => openCard()?.textContent ?? '').toContain('Show the command anyway')
      pressKey(openCard()!, 'Escape')
      expect(openCard()).toBeNull()
    }
    expect(copied).toEqual([])
    expect(directory.requests.filter((url) => url.includes('/plugins?'))).toHaveLength(1)
  })

  it('copies from the card a command that failed its check', async () => {
    await openBadges(new TestDirectory([listing(A)], [record(A, { installCheck: 'failed' })]), A)
    press(copyButton(A))
    await expect.poll(() => openCard()?.querySelector('.plugmark-fold .plugmark-command button') ?? null).not.toBeNull()
    const copy = part('.plugmark-command button')
    press(copy)
    await expect.poll(() => copied).toEqual([commandOf('anchor')])
    await expect.poll(() => copy.classList.contains('plugmark-copied')).toBe(true)
  })

  it.each([
    ['the listing', [], 'The directory does not have this plugin any more.'],
    [
      'the command of the listing',
      [record(A, { install: null, installable: false })],
      'The directory has taken back this install command.',
    ],
  ])('opens the card instead where the directory does not have %s any more', async (_, records, why) => {
    await openBadges(new TestDirectory([listing(A)], records), A)
    press(copyButton(A))
    await expect.poll(() => openCard()?.textContent ?? '').toContain(why)
    expect(part('.plugmark-listing').textContent).toContain('Show the command anyway')
    expect(copied).toEqual([])
    expect(badges()[0]!.classList.contains('plugmark-copied')).toBe(false)
  })

  it('copies a command that needs an approval, and shows and announces what it needs', async () => {
    await openBadges(new TestDirectory([listing(A)], [record(A, { installCheck: 'needs-approval' })]), A)
    press(copyButton(A))
    await expect.poll(announced).toMatch(/^Copied: dsh plugin .* Needs approval: /)
    const note = document.querySelector('.plugmark-note')!
    expect(note.textContent).toContain('Needs approval')
    expect(getComputedStyle(note).position, 'it has its styles, though no card was open before').toBe('absolute')
    dispatchEvent(new PointerEvent('pointerdown'))
    expect(document.querySelector('.plugmark-note')).toBeNull()
  })

  it.each([
    ['refuses', () => Promise.reject(new Error('not here'))],
    ['returns false', () => Promise.resolve(false)],
  ])('opens the card with a command to select where the manager’s clipboard %s, too', async (_, setClipboard) => {
    replaceClipboard(true)
    await openList(new TestDirectory([listing(A)]), [A], { setClipboard })
    await expect.poll(() => badges().length).toBe(1)
    press(copyButton(A))
    await expect.poll(announced).toMatch(/^Could not copy\. .*: dsh plugin --profile web add /)
    press(part('.plugmark-command button'))
    await expect.poll(() => String(getSelection()).replaceAll(/\s+/g, ' ')).toBe(commandOf('anchor'))
  })

  it('is one tab stop, and the arrow keys lead to its copy button', async () => {
    await openBadges(new TestDirectory([listing(A)]), A)
    const first = label(A)
    first.focus()
    pressKey(first, 'ArrowRight')
    expect(document.activeElement).toBe(copyButton(A))
    pressKey(copyButton(A), 'ArrowLeft')
    expect(document.activeElement).toBe(first)
    expect([...badges()[0]!.children].map((child) => (child as HTMLElement).tabIndex)).toEqual([0, -1])
  })

  it('keeps its size and place when it gets its buttons', async () => {
    await openBadges(new TestDirectory([listing(A), listing(B)]), A, B)
    const [badge] = badges() as [HTMLElement]
    const before = badge.getBoundingClientRect()
    const row = badge.closest('article')!.getBoundingClientRect()
    label(A)
    expect(badge.getBoundingClientRect()).toEqual(before)
    expect(badge.closest('article')!.getBoundingClientRect()).toEqual(row)
  })

  it('draws its icons over an opaque hover colour, as themes with high contrast have it', async () => {
    document.documentElement.style.setProperty('--control-transparent-bgColor-hover', 'rgb(10, 20, 30)')
    await openBadges(new TestDirectory([listing(A)]), A)
    const opened = label(A)
    opened.setAttribute('aria-expanded', 'true')
    const { backgroundColor, backgroundImage } = getComputedStyle(opened)
    document.documentElement.style.removeProperty('--control-transparent-bgColor-hover')
    expect(backgroundColor).toBe('rgb(10, 20, 30)')
    expect(backgroundImage).toContain('url("data:image/webp')
  })

  it('has Chinese names for a user who reads Chinese', async () => {
    const app = await openTestApp(new TestDirectory([listing(A), ...several]))
    app.settings.change({ language: 'zh' })
    await app.index.refresh()
    showList(A, B)
    startPage(app)
    await expect.poll(() => badges().length).toBe(2)
    expect(badges().map((badge) => badge.getAttribute('aria-label'))).toEqual([`工具，插件 ${A}`, `2 个插件，${B}`])
    press(copyButton(A))
    await expect.poll(announced).toBe(`已复制：${commandOf('anchor')}`)
  })
})
