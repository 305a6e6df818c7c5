import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LinkQueue } from './link-queue.ts'

/** Processing time of one link. ms */
const LINK_MS = 5

let now = 0
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Creates a queue of links, and counts how many each chunk processes. */
function queueOf(count: number) {
  const chunks = [0]
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const links = Array.from({ length: count }, (_, i) => ({ i }) as unknown as Element)
  const worker = {
    linksIn: () => links,
    processLink() {
      now += LINK_MS
      chunks[chunks.length - 1]!++
    },
    onChunk(isEmpty: boolean) {
      if (isEmpty) resolve()
      else chunks.push(0)
    },
  }
  const queue = new LinkQueue(worker, new AbortController().signal)
  vi.stubGlobal('document', { hidden: true })
  queue.addRoot({} as Element)
  return { queue, chunks, done }
}

it('yields to the page when a chunk has used up its time', async () => {
  const { queue, chunks, done } = queueOf(9)
  queue.flush()
  expect(chunks, 'the first chunk runs at once').toEqual([3, 0])
  await done
  expect(chunks, 'the others are longer: the page is laid out after each').toEqual([3, 5, 1])
})

it('continues in one chain of tasks after a flush, although a frame was requested before', async () => {
  const { queue, chunks, done } = queueOf(12)
  queue.addLink({} as Element)
  queue.flush()
  await done
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(chunks).toEqual([3, 5, 5])
})

it('processes everything in one task on finish', () => {
  const { queue, chunks } = queueOf(50)
  queue.finish()
  expect(chunks).toEqual([50])
})
