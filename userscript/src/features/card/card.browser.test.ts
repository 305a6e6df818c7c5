import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../app.ts'
import {
  badges,
  copyButton,
  label,
  listing,
  openCard,
  openTestApp,
  record,
  showList,
  startPage,
  TestDirectory,
} from '../../testing.ts'

const A = 'acme/anchor'
const B = 'acme/beacon'

let ends: (() => void)[] = []
let copied: string[] = []
const { clipboard } = navigator

beforeEach(() => {
  copied = []
  // A test page has no permission to write to the clipboard of the machine.
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: {
      async write([item]: ClipboardItem[]) {
        copied.push(await (await item!.getType('text/plain')).text())
      },
      writeText: async (text: string) => void copied.push(text),
    },
  })
})
afterEach(() => {
  for (const end of ends) end()
  ends = []
  document.body.replaceChildren()
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard })
})

async function show(directory: TestDirectory, ...repositories: string[]): Promise<App> {
  const app = await openTestApp(directory)
  await app.index.refresh()
  showList(...repositories)
  const { end } = startPage(app)
  ends.push(end)
  await expect.poll(() => badges().length).toBe(repositories.length)
  return app
}

const press = (button: Element) => button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))

describe('Copy on a badge', () => {
  it('leaves the clipboard to the plugin that was pressed last', async () => {
    const directory = new TestDirectory([listing(A), listing(B)])
    const late = Promise.withResolvers<void>()
    directory.onRequest = (url) => (url.search.includes('anchor') ? late.promise : undefined)
    await show(directory, A, B)
    press(copyButton(A))
    press(copyButton(B))
    await expect.poll(() => copied).toEqual(['dsh plugin --profile web add beacon'])
    late.resolve()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(copied).toEqual(['dsh plugin --profile web add beacon'])
    expect(copyButton(A).closest('.plugmark-copied'), 'no tick for what was not copied').toBeNull()
  })

  it('leaves the clipboard to a command of a card that was copied later', async () => {
    const directory = new TestDirectory([listing(A), listing(B)])
    const late = Promise.withResolvers<void>()
    directory.onRequest = (url) => (url.search.includes('anchor') ? late.promise : undefined)
    await show(directory, A, B)
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
    await show(directory, A)
    press(copyButton(A))
    await asked.promise
    for (const end of ends) end()
    document.body.innerHTML = '<main><input></main>'
    document.querySelector('input')!.focus()
    late.resolve()
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(openCard()).toBeNull()
    expect(document.activeElement?.localName).toBe('input')
  })
})

describe('a card', () => {
  it('does not open after its page has ended, for a pointer that rested on a badge before', async () => {
    await show(new TestDirectory([listing(A)]), A)
    const badge = label(A)
    badge.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
    for (const end of ends) end()
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(openCard()).toBeNull()
  })

  it('has one link to the page of the directory, however often its details are asked for', async () => {
    const directory = new TestDirectory([listing(A)])
    let failures = 3
    directory.onRequest = async (url) => {
      if (!url.pathname.endsWith('/index') && failures-- > 0) throw new Error('down')
    }
    await show(directory, A)
    press(label(A))
    for (let retry = 0; retry < 3; retry++) {
      await expect.poll(() => openCard()?.querySelector('[data-plugmark-part=retry]') ?? null).not.toBeNull()
      const before = directory.requests.length
      press(openCard()!.querySelector('[data-plugmark-part=retry]')!)
      await expect.poll(() => directory.requests.length).toBeGreaterThan(before)
    }
    await expect.poll(() => openCard()?.textContent).toContain('Licence MIT')
    const links = [...openCard()!.querySelectorAll<HTMLAnchorElement>('.plugmark-links a')]
    expect(links.map(({ href }) => href)).toEqual([
      'https://directory.example/plugins/acme-anchor',
      `${location.origin}/${A}`,
    ])
  })

  it('shows the record of its own listing where another differs only in the case of its path', async () => {
    const [lower, upper] = [`${A}#pkg`, `${A}#Pkg`]
    const rows = [listing(lower, { npm: 'lower', install: null }), listing(upper, { npm: 'upper', install: null })]
    const flagged = record(upper, {
      install: null,
      installable: false,
      riskFlags: ['terminal'],
      summary: 'The upper one.',
    })
    const plain = record(lower, { install: null, installable: false, summary: 'The lower one.' })
    const directory = new TestDirectory(rows, [flagged, plain])
    const app = await openTestApp(directory)
    expect((await app.directory.records.get(lower))?.summary).toBe('The lower one.')
    expect((await app.directory.records.get(upper))?.summary).toBe('The upper one.')
  })

  it('opens at a click without a pointer on a list that React hydrates', async () => {
    const app = await openTestApp(new TestDirectory([listing(A)]))
    await app.index.refresh()
    showList(A)
    const list = document.querySelector('main')!
    list.setAttribute('data-ssr', 'true')
    ends.push(startPage(app).end)
    list.classList.add('loaded')
    await expect.poll(() => badges().length).toBe(1)
    press(badges()[0]!)
    await expect.poll(openCard).not.toBeNull()
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
    const { end } = startPage(app)
    ends.push(end)
    await expect.poll(() => badges().length).toBe(1)
    await expect.poll(isAsBefore, { message: 'it makes room' }).not.toEqual(before)
    styled().href = '/wren-abbot/teapot'
    await expect.poll(() => badges().length).toBe(0)
    expect(isAsBefore()).toEqual(before)
  })
})
