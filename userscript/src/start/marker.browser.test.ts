import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lastReports } from '../base/report.ts'
import { focusPlugin } from '../features/keyboard/keyboard.ts'
import type { LinkTarget } from '../github/links.ts'
import type { PageKind } from '../github/page-kinds.ts'
import type { Locale } from '../i18n/index.ts'
import { startWords } from '../i18n/start-words.ts'
import { pluginLinks } from './badge.ts'
import { watchDocument } from './document-changes.ts'
import { markPage } from './marker.ts'
import type { LinkBadge } from './stored-badges.ts'

const LIST: PageKind = { name: 'topic', selector: 'main a', linkStyle: 'list' }
const TEXT: PageKind = { ...LIST, name: 'text', linkStyle: 'prose' }
const BADGE: LinkBadge = { category: 'tools', count: 1, action: 'copy', isRoot: true }

const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `moth/part-${from + i}`)

let rowHeightPx = 2

/** The badges on the page, by the link before each. */
const marked = () =>
  [...document.querySelectorAll('[data-plugmark-badge]')].map((badge) => badge.previousElementSibling!.textContent)

beforeEach(() => {
  rowHeightPx = 2
  document.body.replaceChildren(document.createElement('main'))
})
afterEach(() => document.body.replaceChildren())

/** Creates a look-up that answers when the test says so: every repository is a plugin. */
function createLookup() {
  const known = new Map<string, LinkBadge>()
  const asked: { repositories: readonly string[]; answer: () => void; fail: () => void }[] = []
  return {
    asked,
    know: (key: string) => known.set(key, BADGE),
    reset: () => known.clear(),
    lookup: {
      badgeSync: ({ key }: LinkTarget) => known.get(key),
      badges(targets: readonly LinkTarget[]) {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        asked.push({
          repositories: targets.map(({ repository }) => repository),
          answer() {
            for (const { key } of targets) known.set(key, BADGE)
            resolve()
          },
          fail: () => reject(new Error('There is no index yet.')),
        })
        return promise
      },
    },
  }
}

/** Marks the page. `stop` has the effect of a navigation to another page. */
function start(
  kind: PageKind,
  { lookup, reset, asked }: Omit<ReturnType<typeof createLookup>, 'know'> = createLookup(),
  locale: Locale = 'en',
) {
  const onMarked = vi.fn()
  const page = new AbortController()
  const { signal } = page
  const marked = new EventTarget()
  marked.addEventListener('marked', onMarked)
  const requery = markPage(
    {
      kind,
      url: new URL(location.href),
      repository: null,
      package: null,
      isPaused: false,
      changes: watchDocument(signal),
      marked,
      signal,
    },
    { words: startWords(locale), cli: 'dsh', lookup },
  )
  const requeryAll = () => {
    reset()
    requery()
  }
  return { requery: requeryAll, asked, onMarked, stop: () => page.abort() }
}

function add(repositories: readonly string[]): void {
  for (const name of repositories) {
    const link = document.createElement('a')
    link.setAttribute('href', `/${name}`)
    link.textContent = name
    const row = document.createElement('p')
    // All are near the window, unless a test makes the rows higher.
    row.style.cssText = `margin: 0; height: ${rowHeightPx}px; font: 2px/2px serif`
    row.append(link)
    document.querySelector('main')!.append(row)
  }
}

it('looks up a hundred links at a time, and marks those found before the next look-up', async () => {
  add(names(0, 160))
  const { stop, asked, onMarked } = start(LIST)
  await expect.poll(() => asked.map(({ repositories }) => repositories)).toEqual([names(0, 100)])

  asked[0]!.answer()
  await expect.poll(() => asked.length).toBe(2)
  expect(asked[1]!.repositories).toEqual(names(100, 160))
  await expect.poll(marked).toEqual(names(0, 100))
  expect(onMarked, 'of sixty it is not known yet').not.toHaveBeenCalled()

  asked[1]!.answer()
  await expect.poll(() => onMarked.mock.calls.length).toBe(1)
  await expect.poll(marked).toEqual(names(0, 160))
  expect(asked).toHaveLength(2)
  stop()
})

it('looks up links that were added meanwhile once the answer has arrived', async () => {
  add(names(0, 1))
  const { stop, asked, onMarked } = start(LIST)
  add(names(1, 2))
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  expect(asked).toHaveLength(1)
  asked[0]!.answer()
  await expect.poll(() => asked.map(({ repositories }) => repositories)).toEqual([names(0, 1), names(1, 2)])
  expect(onMarked).not.toHaveBeenCalled()
  asked[1]!.answer()
  await expect.poll(marked).toEqual(names(0, 2))
  stop()
})

it('looks up links again a second after their look-up failed, and counts the page meanwhile', async () => {
  add(names(0, 2))
  const { stop, asked, onMarked } = start(LIST)
  await expect.poll(() => asked.length).toBe(1)
  asked[0]!.fail()
  await expect.poll(() => onMarked.mock.calls.length).toBe(1)
  expect(asked).toHaveLength(1)
  await expect.poll(() => asked.length).toBe(2)
  asked[1]!.answer()
  await expect.poll(marked).toEqual(names(0, 2))
  stop()
})

it('looks up links whose look-up failed at a requery', async () => {
  add(names(0, 190))
  const { stop, requery, asked } = start(LIST)
  await expect.poll(() => asked.length).toBe(1)
  asked[0]!.answer()
  await expect.poll(() => asked.length).toBe(2)
  asked[1]!.fail()
  add(names(190, 191))
  await expect.poll(() => asked[2]?.repositories).toEqual(names(190, 191))
  asked[2]!.answer()
  await expect.poll(marked).toEqual([...names(0, 100), ...names(190, 191)])

  requery()
  await expect.poll(() => asked[3]?.repositories).toEqual(names(0, 100))
  stop()
})

it('renders badges again for another language or program, and keeps them otherwise', async () => {
  add(names(0, 2))
  const lookup = createLookup()
  const first = start(LIST, lookup)
  lookup.asked[0]!.answer()
  await expect.poll(marked).toEqual(names(0, 2))
  const before = [...document.querySelectorAll('[data-plugmark-badge]')]
  first.stop()
  const second = start(LIST, lookup)
  expect([...document.querySelectorAll('[data-plugmark-badge]')]).toEqual(before)
  second.stop()
  const third = start(LIST, lookup, 'zh')
  expect([...document.querySelectorAll('[data-plugmark-badge]')].some((badge) => before.includes(badge))).toBe(false)
  expect(marked()).toEqual(names(0, 2))
  third.stop()
})

it('evaluates every link again when the next page belongs to another repository', async () => {
  const { href } = location
  const [one, two] = names(0, 2) as [string, string]
  add([one, two])
  const lookup = createLookup()
  history.replaceState(null, '', `/${one}/issues/1`)
  const first = start(TEXT, lookup)
  lookup.asked[0]!.answer()
  await expect.poll(marked).toEqual([two])
  first.stop()

  history.replaceState(null, '', `/${two}/issues/1`)
  const second = start(TEXT, lookup)
  expect(lookup.asked[1]?.repositories).toEqual([one])
  lookup.asked[1]!.answer()
  await expect.poll(marked).toEqual([one])
  second.stop()
  history.replaceState(null, '', href)
})

it('gives up on a badge that another script keeps removing, and reports it', async () => {
  add(names(0, 2))
  const lookup = createLookup()
  const { stop } = start(LIST, lookup)
  let insertions = 0
  const enemy = new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element) || !node.hasAttribute('data-plugmark-badge')) continue
      insertions++
      node.remove()
    }
  })
  enemy.observe(document.body, { subtree: true, childList: true })
  lookup.asked[0]!.answer()
  await expect.poll(() => lastReports().map(({ where }) => where)).toContain('badges: given up')
  await new Promise((resolve) => setTimeout(resolve, 500))
  enemy.disconnect()
  stop()
  expect(insertions).toBeLessThan(20)
})

describe('on a long page', () => {
  const screens = (count: number) => count * innerHeight
  const isMarked = (row: number) => marked().includes(`moth/part-${row}`)
  /** 200 rows, ten on each screen. */
  function startLong() {
    rowHeightPx = innerHeight / 10
    add(names(0, 200))
    const lookup = createLookup()
    for (const key of names(0, 200)) lookup.know(key)
    return start(LIST, lookup)
  }
  afterEach(() => scrollTo(0, 0))

  it('looks up every link at once, and inserts badges only near the window', async () => {
    const { stop, onMarked } = startLong()
    await expect.poll(() => onMarked.mock.calls.length).toBe(1)
    expect(pluginLinks(LIST), 'all are counted').toHaveLength(200)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    expect(isMarked(0)).toBe(true)
    expect(isMarked(120)).toBe(false)
    stop()
  })

  it('inserts a badge before its link comes into view', async () => {
    const { stop } = startLong()
    for (let screen = 1; screen < 18; screen++) {
      scrollTo(0, screens(screen))
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      const seen = Array.from({ length: 10 }, (_, at) => screen * 10 + at)
      await expect.poll(() => seen.every(isMarked)).toBe(true)
      await expect.poll(() => isMarked(Math.min(199, screen * 10 + 25))).toBe(true)
    }
    stop()
  })

  it('has the badges of a part of the page to which the user jumps in the frame that shows it', async () => {
    const { stop } = startLong()
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))
    expect(isMarked(155)).toBe(false)
    scrollTo(0, screens(15))
    // Scroll events come before the callbacks of a frame, which come before its paint.
    await new Promise((resolve) => requestAnimationFrame(resolve))
    expect(isMarked(155)).toBe(true)
    stop()
  })

  it('keeps the place of what the user reads when badges are inserted above it', async () => {
    const { stop } = startLong()
    scrollTo(0, screens(15))
    await expect.poll(() => isMarked(155)).toBe(true)
    const link = document.querySelector('a[href="/moth/part-155"]')!
    const before = link.getBoundingClientRect().top
    await expect.poll(() => isMarked(131)).toBe(true)
    expect(link.getBoundingClientRect().top).toBe(before)
    stop()
  })

  it('inserts all badges before the page is printed', () => {
    const { stop } = startLong()
    dispatchEvent(new Event('beforeprint'))
    expect(marked()).toEqual(names(0, 200))
    stop()
  })

  it('inserts the badge of a link that the user goes to by key', async () => {
    const { stop, onMarked } = startLong()
    await expect.poll(() => onMarked.mock.calls.length).toBe(1)
    expect(isMarked(199)).toBe(false)
    focusPlugin(-1, LIST)
    expect(isMarked(199)).toBe(true)
    stop()
  })

  it('inserts no badge at a link whose address has changed meanwhile', async () => {
    const { stop } = startLong()
    document.querySelector('a[href="/moth/part-150"]')!.setAttribute('href', '/moth/unknown')
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    dispatchEvent(new Event('beforeprint'))
    expect(marked()).not.toContain('moth/part-150')
    expect(marked()).toContain('moth/part-151')
    stop()
  })
})
