import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { LinkTarget } from '../github/links.ts'
import type { PageKind } from '../github/page-kinds.ts'
import type { LinkBadge } from '../plugins/lookup.ts'
import { createMarker } from './marker.ts'

const LIST: PageKind = { name: 'topic', matches: () => true, selector: 'main a', linkStyle: 'list' }
const TEXT: PageKind = { ...LIST, name: 'text', linkStyle: 'prose' }
const BADGE: LinkBadge = { category: 'tools', count: 1, action: 'copy', isRoot: true }

const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `moth/part-${from + i}`)

/** The badges on the page, by the link before each. */
const marked = () => [...document.querySelectorAll('b')].map((badge) => badge.previousElementSibling!.textContent)

beforeEach(() => document.body.replaceChildren(document.createElement('main')))
afterEach(() => document.body.replaceChildren())

/** A marker whose look-ups each wait until the test answers: all that is asked for is a plugin. */
function marker() {
  const asked: { repositories: readonly string[]; answer: () => void; fail: () => void }[] = []
  const onMarked = vi.fn()
  const made = createMarker({
    lookup: {
      badgeSync: () => undefined,
      badges(targets: readonly LinkTarget[]) {
        const { promise, resolve, reject } = Promise.withResolvers<Map<string, LinkBadge>>()
        asked.push({
          repositories: targets.map(({ repository }) => repository),
          answer: () => resolve(new Map(targets.map(({ key }) => [key, BADGE]))),
          fail: () => reject(new Error('There is no index yet.')),
        })
        return promise
      },
    },
    badges: { create: () => document.createElement('b'), hideOverflowing: () => {} },
    onMarked,
  })
  return { ...made, asked, onMarked }
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

it('looks up a hundred links at a time, and marks what was found before it asks for more', async () => {
  add(names(0, 160))
  const { start, stop, asked, onMarked } = marker()
  start(LIST)
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

it('asks for what comes meanwhile once the answer is there', async () => {
  add(names(0, 1))
  const { start, stop, asked, onMarked } = marker()
  start(LIST)
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

it('leaves what cannot be looked up as it is, until it is to ask again', async () => {
  add(names(0, 190))
  const { start, stop, requery, asked } = marker()
  start(LIST)
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

it('replaces badges that are to be rendered again once their answers are there', async () => {
  add(names(0, 2))
  const { start, stop, rerender, asked } = marker()
  start(LIST)
  asked[0]!.answer()
  await expect.poll(marked).toEqual(names(0, 2))
  const before = [...document.querySelectorAll('b')]
  rerender()
  await expect.poll(() => asked.length).toBe(2)
  asked[1]!.answer()
  await expect.poll(() => [...document.querySelectorAll('b')].some((badge) => before.includes(badge))).toBe(false)
  expect(marked()).toEqual(names(0, 2))
  stop()
})

it('looks at every link again where the page shown next is of another repository', async () => {
  const { href } = location
  const { start, stop, asked } = marker()
  const [one, two] = names(0, 2) as [string, string]
  add([one, two])
  history.replaceState(null, '', `/${one}/issues/1`)
  start(TEXT)
  asked[0]!.answer()
  await expect.poll(marked).toEqual([two])

  history.replaceState(null, '', `/${two}/issues/1`)
  start(TEXT)
  await expect.poll(() => asked[1]?.repositories).toEqual([one])
  asked[1]!.answer()
  await expect.poll(marked).toEqual([one])
  stop()
  history.replaceState(null, '', href)
})
