import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PageKind } from '../github/page-kinds.ts'
import type { Target } from '../github/target.ts'
import { createMarker } from './marker.ts'

const LIST: PageKind = { name: 'topic', matches: () => true, selector: 'main a', linkStyle: 'list' }

const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `moth/part-${from + i}`)

/** The badges on the page, by the link before each. */
const marked = () => [...document.querySelectorAll('b')].map((badge) => badge.previousElementSibling!.textContent)

beforeEach(() => document.body.replaceChildren(document.createElement('main')))
afterEach(() => document.body.replaceChildren())

/** Every look-up waits until the test answers it; all that is asked for is a plugin. */
function marker() {
  const asked: { targets: readonly Target[]; answer: () => void; fail: () => void }[] = []
  const onKnown = vi.fn()
  const made = createMarker<string>({
    glance: () => undefined,
    lookUp(targets) {
      const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<Target, string>>()
      const answer = () => resolve(new Map(targets.map((target) => [target, target])))
      asked.push({ targets, answer, fail: () => reject(new Error('There is no copy.')) })
      return promise
    },
    createBadge: () => document.createElement('b'),
    onMarked: () => {},
    onKnown,
  })
  return { ...made, asked, onKnown }
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

it('looks up forty at a time, and marks what was found before it asks for more', async () => {
  add([...names(0, 60), ...names(0, 20)])
  const { start, stop, asked, onKnown } = marker()
  start(LIST)
  expect(asked.map(({ targets }) => targets)).toEqual([names(0, 40)])

  asked[0]!.answer()
  await expect.poll(() => asked.length).toBe(2)
  expect(asked[1]!.targets).toEqual(names(40, 60))
  expect(marked()).toEqual([...names(0, 40), ...names(0, 20)])
  expect(onKnown, 'of twenty it is not known yet').not.toHaveBeenCalled()

  asked[1]!.answer()
  await expect.poll(() => onKnown.mock.calls.length).toBe(1)
  expect(marked()).toEqual([...names(0, 60), ...names(0, 20)])
  expect(asked).toHaveLength(2)
  stop()
})

it('asks for what comes meanwhile once the answer is there', async () => {
  add(names(0, 1))
  const { start, stop, asked, onKnown } = marker()
  start(LIST)
  add(names(1, 2))
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  expect(asked).toHaveLength(1)
  asked[0]!.answer()
  await expect.poll(() => asked.map(({ targets }) => targets)).toEqual([names(0, 1), names(1, 2)])
  expect(onKnown).not.toHaveBeenCalled()
  asked[1]!.answer()
  await expect.poll(marked).toEqual(names(0, 2))
  stop()
})

it('leaves what cannot be looked up as it is, until it is to ask again', async () => {
  add(names(0, 90))
  const { start, stop, askAgain, asked } = marker()
  start(LIST)
  asked[0]!.answer()
  await expect.poll(() => asked.length).toBe(2)
  asked[1]!.fail()
  add(names(90, 91))
  await expect.poll(() => asked[2]?.targets).toEqual(names(90, 91))
  asked[2]!.answer()
  await expect.poll(marked).toEqual([...names(0, 40), ...names(90, 91)])

  askAgain()
  await expect.poll(() => asked[3]?.targets).toEqual(names(0, 40))
  stop()
})
