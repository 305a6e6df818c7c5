import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { collectChanges } from './mutation-queue.ts'

/** Of a machine on which nothing is quick: ms that one link takes. */
const LINK_MS = 10

let now = 0
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Works on so many links; tells how many were worked on in each piece. */
async function piecesOf(count: number): Promise<number[]> {
  const pieces = [0]
  const { promise, resolve } = Promise.withResolvers<void>()
  const { workOn } = collectChanges({
    linksOf: () => [],
    each() {
      now += LINK_MS
      pieces[pieces.length - 1]!++
    },
    paused: () => void pieces.push(0),
    done: resolve,
  })
  workOn({ links: Array.from({ length: count }, (_, i) => ({ i }) as unknown as Element) })
  await promise
  return pieces.slice(0, -1)
}

it('works on thirty links at once, however long it takes', async () => {
  expect(await piecesOf(30)).toEqual([30])
})

it('works on many a few at a time, until few are left', async () => {
  expect(await piecesOf(35)).toEqual([2, 2, 31])
})
