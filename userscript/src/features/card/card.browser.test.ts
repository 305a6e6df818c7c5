import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lastReports } from '../../base/report.ts'
import {
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

describe('a card', () => {
  it('leaves the console of the page alone where it cannot be shown', async () => {
    const rejected: unknown[] = []
    const onRejection = (event: PromiseRejectionEvent) => {
      event.preventDefault()
      rejected.push(event.reason)
    }
    addEventListener('unhandledrejection', onRejection)
    vi.spyOn(HTMLElement.prototype, 'showPopover').mockImplementation(() => {
      throw new DOMException('not here', 'InvalidStateError')
    })
    await openBadges(new TestDirectory([listing(A)]), A)
    press(label(A))
    await expect.poll(() => lastReports().map(({ where }) => where)).toContain('card')
    await new Promise((resolve) => setTimeout(resolve))
    vi.restoreAllMocks()
    removeEventListener('unhandledrejection', onRejection)
    expect(rejected).toEqual([])
  })

  it('does not open after its page has ended, for a pointer that rested on a badge before', async () => {
    const { end } = await openBadges(new TestDirectory([listing(A)]), A)
    const badge = label(A)
    badge.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
    end()
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(openCard()).toBeNull()
  })

  it('has one link to the page of the directory, however often its details are asked for', async () => {
    const directory = new TestDirectory([listing(A)])
    let failures = 3
    directory.onRequest = async (url) => {
      if (!url.pathname.endsWith('/index') && failures-- > 0) throw new Error('down')
    }
    await openBadges(directory, A)
    press(label(A))
    for (let retry = 0; retry < 3; retry++) {
      await expect.poll(() => openCard()?.textContent).toContain('Plugin directory not reachable.')
      const before = directory.requests.length
      press(openCard()!.querySelector('[data-plugmark-part=retry]')!)
      await expect.poll(() => directory.requests.length).toBeGreaterThan(before)
    }
    await expect.poll(() => openCard()?.textContent).toContain('Licence MIT')
    const links = [...openCard()!.querySelectorAll<HTMLAnchorElement>('.plugmark-links a')]
    expect(links.map(({ href }) => href)).toEqual(['https://directory.example/plugins/acme-anchor'])
  })

  it('shows the record of its own listing where another differs only in the case of its path', async () => {
    const [lower, upper] = [`${A}#pkg`, `${A}#Pkg`]
    const rows = [listing(lower, { npm: 'lower', install: null }), listing(upper, { npm: 'upper', install: null })]
    const flagged = record(upper, {
      install: null,
      installable: false,
      riskFlags: ['terminal surface'],
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
    startPage(app)
    list.classList.add('loaded')
    await expect.poll(() => badges().length).toBe(1)
    press(badges()[0]!)
    await expect.poll(openCard).not.toBeNull()
  })
})

describe('the content of a card', () => {
  const OPTION = {
    label: 'From its repository',
    cmd: `dsh plugin --profile web add github:${A}`,
    note: 'For the newest.',
  }

  it('shows what the directory knows, and marks other ways to install as not checked', async () => {
    const details = {
      pushedAt: '2025-11-12T12:00:00.000Z',
      riskFlags: ['terminal surface'],
      installOptions: [OPTION],
      installCheckedAt: new Date().toISOString(),
    }
    await openBadges(new TestDirectory([listing(A)], [record(A, details)]), A)
    press(label(A))
    await expect.poll(() => openCard()?.textContent ?? '').toContain('Install check passed')
    expect(openCard()!.textContent).toContain('Licence MITUpdated 12 Nov 2025')
    expect(part('.plugmark-flag').textContent).toContain('Terminal access')
    expect(part('code').textContent).toBe(commandOf('anchor'))
    const other = [...openCard()!.querySelectorAll('.plugmark-other')].at(-1)!
    expect(other.querySelector('code')!.textContent).toBe(OPTION.cmd)
    expect(other.textContent).toContain('The install check did not run this command.')
  })

  it('offers Plugmark’s own command, which tries it first, unless the directory doubts that it installs', async () => {
    const [c, part] = ['acme/compass', `${B}#tray`]
    const records = [record(A), record(part), record(c, { installCheck: 'failed' })]
    const rows = [A, part, c].map((name) => listing(name))
    const { app } = await openBadges(new TestDirectory(rows, records), A, B, c)
    app.settings.change({ profile: 'desk' })
    const commands = () => [...openCard()!.querySelectorAll('code')].map(({ textContent }) => textContent)
    press(label(A))
    await expect.poll(commands).toEqual([commandOf('anchor', 'desk'), `plugmark install ${A} --profile desk`])
    press(label(B))
    await expect.poll(commands).toEqual([commandOf('tray', 'desk'), 'plugmark install tray --profile desk'])
    press(label(c))
    await expect.poll(() => openCard()!.textContent).toContain('Does not install')
    expect(commands()).toEqual([commandOf('compass', 'desk')])
  })

  it('has the name that the store, too, has for a plugin', async () => {
    await openBadges(new TestDirectory([listing(A, { npm: '@acme/dropped-anchor' })]), A)
    press(label(A))
    await expect.poll(() => openCard()?.textContent).toMatch(/^dropped-anchoracme\/anchor · Tools/)
  })

  it('is complete without the directory, and says that it cannot be reached', async () => {
    const directory = new TestDirectory([listing(A)])
    await openBadges(directory, A)
    directory.onRequest = () => Promise.reject(new Error('down'))
    press(label(A))
    await expect.poll(() => openCard()?.querySelector('.plugmark-unreachable') ?? null).not.toBeNull()
    press(part('.plugmark-command button'))
    await expect.poll(() => copied).toEqual([commandOf('anchor')])
    directory.onRequest = () => undefined
    press(part('[data-plugmark-part=retry]'))
    await expect.poll(() => openCard()!.textContent).toContain('Installs')
  })

  it('shows one of several listings in full, and exchanges it for another', async () => {
    const rows = [listing(A), listing(`${A}#tray`), listing(`${A}#hook`, { install: null, npm: null })]
    await openBadges(new TestDirectory(rows), A)
    press(label(A))
    await expect.poll(() => openCard()?.textContent ?? '').toContain('2 more plugins in this repository')
    expect(part('code').textContent).toBe(commandOf('anchor'))
    press(part('.plugmark-row button'))
    expect(part('code').textContent).toBe(commandOf('tray'))
    const source = [...openCard()!.querySelectorAll('a')].find(({ textContent }) => textContent === 'Source')
    expect(source!.pathname, 'which is not where the link before the badge leads').toBe(`/${A}/tree/HEAD/tray`)
    await expect.poll(() => openCard()!.textContent).toContain('Summary of acme/anchor#tray.')
  })

  it('is the list of the plugins of a repository that is none itself, and shows a chosen one in full', async () => {
    const rows = [listing(`${A}#tray`), listing(`${A}#hook`), listing(`${A}#bell`, { install: null, npm: null })]
    const directory = new TestDirectory(rows)
    await openBadges(directory, A)
    press(label(A))
    await expect.poll(() => openCard()?.textContent ?? '').toContain('3 plugins in this repository')
    const copies = [...openCard()!.querySelectorAll<HTMLElement>('.plugmark-row [aria-label^=Copy]')]
    expect(copies.map(({ title }) => title)).toEqual([commandOf('tray'), commandOf('hook')])
    expect(directory.requests.filter((url) => url.includes('/plugins?'))).toEqual([])
    press(copies[1]!)
    await expect.poll(() => copied).toEqual([commandOf('hook')])
    expect(copies[1]!.classList.contains('plugmark-copied')).toBe(true)
    expect(part('.plugmark-listing'), 'none of them stands for the repository').toBeNull()
    press(openCard()!.querySelectorAll<HTMLElement>('.plugmark-row .plugmark-link')[1]!)
    expect(part('.plugmark-listing code').textContent).toBe(commandOf('hook'))
    await expect.poll(() => openCard()!.textContent).toContain('Summary of acme/anchor#hook.')
    expect(openCard()!.textContent).toContain('2 more plugins in this repository')
  })

  it('copies from a line, as from a badge, only what has not failed its install check', async () => {
    const names = [`${A}#tray`, `${A}#hook`]
    const records = [record(names[0]!, { installCheck: 'failed' }), record(names[1]!)]
    await openBadges(
      new TestDirectory(
        names.map((name) => listing(name)),
        records,
      ),
      A,
    )
    press(label(A))
    await expect.poll(() => openCard()?.querySelector('.plugmark-row [aria-label^=Copy]') ?? null).not.toBeNull()
    press(part('.plugmark-row [aria-label^=Copy]'))
    await expect.poll(() => openCard()!.textContent).toContain('Show the command anyway')
    expect(copied).toEqual([])
  })

  it('repeats neither what the badge has said nor what the command says', async () => {
    const installOptions = [{ label: 'npm', cmd: commandOf('anchor'), note: 'Installs the published package.' }]
    await openBadges(new TestDirectory([listing(A)], [record(A, { installOptions })]), A)
    press(label(A))
    await expect.poll(() => openCard()?.textContent).toContain('Licence MIT')
    expect(openCard()!.textContent).not.toMatch(/Plugin for DeepSeek Harness|Installs the published package/)
  })

  it('leads to the settings only where the manager has no menu that does', async () => {
    const { app } = await openBadges(new TestDirectory([listing(A)]), A)
    press(label(A))
    await expect.poll(() => openCard()?.querySelector('[data-plugmark-part=settings]') ?? null).not.toBeNull()
    Object.assign(app.menu, { isOffered: true })
    pressKey(openCard()!, 'Escape')
    press(label(A))
    await expect.poll(() => openCard()?.textContent).toContain('Licence MIT')
    expect(openCard()!.querySelector('[data-plugmark-part=settings]')).toBeNull()
  })

  it('shows the command of a line in full where it cannot be copied', async () => {
    replaceClipboard(true)
    await openBadges(new TestDirectory([listing(`${A}#tray`), listing(`${A}#hook`)]), A)
    press(label(A))
    await expect.poll(() => openCard()?.querySelector('.plugmark-row [aria-label^=Copy]') ?? null).not.toBeNull()
    press(part('.plugmark-row [aria-label^=Copy]'))
    await expect.poll(() => openCard()!.querySelector('.plugmark-listing code')?.textContent).toBe(commandOf('tray'))
  })

  it('warns of an install check that is older than three months', async () => {
    const at = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString()
    const check = (name: string, days: number) => record(name, { installCheckedAt: at(days) })
    await openBadges(new TestDirectory([listing(A), listing(B)], [check(A, 10), check(B, 200)]), A, B)
    press(label(A))
    await expect.poll(() => part('.plugmark-good')?.textContent).toBe('Install check passed 10 days ago')
    press(label(B))
    await expect.poll(() => part('.plugmark-caution')?.textContent).toBe('Install check passed 6 months ago')
    expect(part('.plugmark-good')).toBeNull()
  })

  it('folds a failed command until newer details say that it passes', async () => {
    const directory = new TestDirectory([listing(A)], [record(A, { installCheck: 'failed' })])
    const { app, end } = await openBadges(directory, A)
    await app.directory.records.get(A)
    end()
    const { now } = Date
    Date.now = () => now() + 25 * 3_600_000
    try {
      await openBadges(directory, A)
      const late = Promise.withResolvers<void>()
      directory.onRequest = () => late.promise
      directory.records = [record(A)]
      press(label(A))
      await expect.poll(() => openCard()?.querySelector('.plugmark-fold') ?? null).not.toBeNull()
      expect(part('.plugmark-listing').textContent).toContain('Show the command anyway')
      late.resolve()
      await expect.poll(() => openCard()!.textContent).not.toContain('Show the command anyway')
    } finally {
      Date.now = now
    }
  })

  it('keeps the focus when its command is folded meanwhile, and returns it to the badge', async () => {
    const directory = new TestDirectory([listing(A)], [record(A, { installCheck: 'failed' })])
    const late = Promise.withResolvers<void>()
    directory.onRequest = (url) => (url.pathname.endsWith('/index') ? undefined : late.promise)
    await openBadges(directory, A)
    label(A).focus()
    press(label(A))
    await expect.poll(openCard).not.toBeNull()
    part('.plugmark-command button').focus()
    late.resolve()
    await expect.poll(() => openCard()!.textContent).toContain('Does not install')
    expect(openCard()!.contains(document.activeElement)).toBe(true)
    pressKey(document.activeElement!, 'Escape')
    expect(document.activeElement).toBe(label(A))
  })
})

describe('a card that the pointer opened', () => {
  const point = (target: Element, type = 'pointerover') =>
    target.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'mouse' }))
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  it('opens under one that rests, not under one that passes, and closes when it leaves', async () => {
    await openBadges(new TestDirectory([listing(A), listing(B)]), A, B)
    point(label(A))
    point(label(A), 'pointerout')
    await wait(500)
    expect(openCard()).toBeNull()
    point(label(B))
    await expect.poll(openCard).not.toBeNull()
    point(label(B), 'pointerout')
    await expect.poll(openCard).toBeNull()
  })

  it('stays while the focus is in it, though the pointer rests on another badge', async () => {
    await openBadges(new TestDirectory([listing(A), listing(B)]), A, B)
    point(label(A))
    await expect.poll(openCard).not.toBeNull()
    part('.plugmark-command button').focus()
    point(label(A), 'pointerout')
    point(label(B))
    await wait(700)
    expect(openCard()?.getAttribute('aria-label')).toBe(A)
  })

  it('closes with its row', async () => {
    await openBadges(new TestDirectory([listing(A)]), A)
    press(label(A))
    await expect.poll(openCard).not.toBeNull()
    document.querySelector('article')!.style.display = 'none'
    await expect.poll(openCard).toBeNull()
  })
})

describe('a card, where things are missing', () => {
  const marked = () => badges().map((badge) => badge.getAttribute('data-plugmark-badge'))

  it('has its badge although the database does not answer, and keeps it when nothing can be read or fetched', async () => {
    const directory = new TestDirectory([listing(A)])
    await (await openTestApp(directory)).index.refresh()
    const { open } = IDBFactory.prototype
    IDBFactory.prototype.open = () => {
      throw new DOMException('The disk is gone.', 'UnknownError')
    }
    directory.onRequest = () => Promise.reject(new Error('down'))
    try {
      const app = await openTestApp(directory)
      showList(A, 'wren-abbot/teapot')
      startPage(app)
      expect(marked()).toEqual([A])
      const copy = copyButton(A)
      copy.focus()
      press(copy)
      await expect.poll(() => document.querySelector('.plugmark-dialog')).not.toBeNull()
      expect(marked(), 'nothing tells that it is not listed').toEqual([A])
    } finally {
      IDBFactory.prototype.open = open
    }
  })

  it('is not opened by the badge of a repository that the index no longer has, which is removed', async () => {
    const directory = new TestDirectory([listing(A), listing(B)])
    const { app } = await openBadges(directory, A, B)
    directory.listings = [listing(B)]
    directory.generated = new Date(Date.now() + 1000).toISOString()
    // As after a refresh that could not write the badges.
    await app.directory.index.refresh({ force: true })
    app.lookup.reset()
    const badge = label(A)
    badge.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
    await expect.poll(marked).toEqual([B])
  })

  it('opens after the stored list was deleted, and the next page requests it again', async () => {
    const directory = new TestDirectory([listing(A)])
    const { app } = await openBadges(directory, A)
    await app.index.clear()
    const before = directory.requests.length
    press(label(A))
    await expect.poll(openCard).not.toBeNull()
    expect(directory.requests.length).toBeGreaterThan(before)
  })

  it('a card can be used in a modal dialog of the page, and Escape closes only the card', async () => {
    const app = await openTestApp(new TestDirectory([listing(A)]))
    await app.index.refresh()
    showList(A)
    const dialog = document.createElement('dialog')
    dialog.append(document.querySelector('main')!)
    document.body.append(dialog)
    dialog.showModal()
    startPage(app)
    await expect.poll(() => badges().length).toBe(1)
    press(label(A))
    await expect.poll(() => dialog.contains(openCard())).toBe(true)
    pressKey(openCard()!, 'Escape')
    expect(openCard()).toBeNull()
    expect(dialog.open).toBe(true)
  })

  it('is in Chinese for a user who reads Chinese', async () => {
    const { app } = await openList(new TestDirectory([listing(A)], [record(A, { summaryZh: '记录锚地。' })]), [A])
    app.settings.change({ language: 'zh' })
    press(label(A))
    await expect.poll(() => openCard()?.textContent ?? '').toContain('可以安装')
    expect(openCard()!.textContent).toContain('记录锚地。')
    expect(openCard()!.textContent).toContain('被收录不代表已通过安全审查。')
  })
})
