import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { lastReports } from '../../base/report.ts'
import type { LinkTarget } from '../../github/links.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import type { LinkBadge } from '../../plugins/lookup.ts'
import { markLinks } from './marker.ts'

const LIST: PageKind = { name: 'topic', matches: () => true, selector: 'main a', linkStyle: 'list' }
const TEXT: PageKind = { ...LIST, name: 'text', linkStyle: 'prose' }
const BADGE: LinkBadge = { category: 'tools', count: 1, action: 'copy', isRoot: true }

const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `moth/part-${from + i}`)

/** The badges on the page, by the link before each. */
const marked = () => [...document.querySelectorAll('b')].map((badge) => badge.previousElementSibling!.textContent)

beforeEach(() => document.body.replaceChildren(document.createElement('main')))
afterEach(() => document.body.replaceChildren())

/** Creates a look-up that answers when the test says so: every repository is a plugin. */
function createLookup() {
  const known = new Map<string, LinkBadge>()
  const asked: { repositories: readonly string[]; answer: () => void; fail: () => void }[] = []
  return {
    asked,
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
function start(kind: PageKind, { lookup, reset, asked } = createLookup(), look = 'en dsh') {
  const onMarked = vi.fn()
  const page = new AbortController()
  const { requery } = markLinks(
    { kind, url: new URL(location.href), signal: page.signal },
    { lookup, look, createBadge: () => document.createElement('b'), onInserted: () => {}, onMarked },
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
  expect(marked()).toEqual(names(0, 100))
  expect(onMarked, 'of sixty it is not known yet').not.toHaveBeenCalled()

  asked[1]!.answer()
  await expect.poll(() => onMarked.mock.calls.length).toBe(1)
  expect(marked()).toEqual(names(0, 160))
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
  const before = [...document.querySelectorAll('b')]
  first.stop()
  const second = start(LIST, lookup)
  expect([...document.querySelectorAll('b')]).toEqual(before)
  second.stop()
  const third = start(LIST, lookup, 'zh dsh')
  expect([...document.querySelectorAll('b')].some((badge) => before.includes(badge))).toBe(false)
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
      if (node.nodeName !== 'B') continue
      insertions++
      ;(node as Element).remove()
    }
  })
  enemy.observe(document.body, { subtree: true, childList: true })
  lookup.asked[0]!.answer()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  enemy.disconnect()
  stop()
  expect(insertions).toBeLessThan(20)
  expect(lastReports().map(({ where }) => where)).toContain('badges: given up')
})
