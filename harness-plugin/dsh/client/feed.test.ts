import { afterEach, expect, test, vi } from 'vitest'
import type { JobState, StoreEvent } from '../../protocol/index.ts'
import { aJob } from '../../view/testing.ts'
import type { EventBatch, EventsInput } from '../harness-channel.ts'
import { Feed } from './harness-bridge.ts'

const RUN = '0b0a7a1e-6d1f-4a53-9d62-0d1f3a0e1b2c'
const told = (change: Partial<EventBatch> = {}): EventBatch => ({
  run: RUN,
  next: 0,
  events: [],
  upgrade: null,
  updates: 0,
  missed: false,
  ...change,
})
const job = (change: Partial<JobState>): StoreEvent => ({ type: 'job', job: aJob(change) })

let closing = new AbortController()
afterEach(() => {
  closing.abort()
  closing = new AbortController()
  vi.unstubAllGlobals()
})

/** Creates a host for which the test answers one request after the other. */
function aHost({ seen = true } = {}) {
  const questions: { input: EventsInput; signal: AbortSignal; answer(told: EventBatch): void; refuse(): void }[] = []
  let next = Promise.withResolvers<void>()
  let onSeen = () => {}
  const feed = new Feed({
    signal: closing.signal,
    isSeen: () => seen,
    onSeen: (listener) => {
      onSeen = listener
    },
    ask: (input, signal) =>
      new Promise((answer, reject) => {
        signal.addEventListener('abort', () => reject(new Error('gone')))
        questions.push({ input, signal, answer, refuse: () => reject(new Error('no answer')) })
        next.resolve()
        next = Promise.withResolvers()
      }),
  })
  return {
    feed,
    questions,
    async asked(count: number) {
      while (questions.length < count) await next.promise
      return questions[count - 1]!
    },
    see(now: boolean) {
      seen = now
      onSeen()
    },
  }
}

test('continues each request from the end of the last answer', async () => {
  const { feed, asked } = aHost()
  const heard: StoreEvent[] = []
  feed.subscribe((event) => heard.push(event))
  const first = await asked(1)
  expect(first.input).toEqual({ run: null, from: 0, wait: true })
  first.answer(told({ next: 7 }))
  await feed.started
  const second = await asked(2)
  expect(second.input).toEqual({ run: RUN, from: 7, wait: true })
  second.answer(told({ next: 8, events: [job({ id: 'a' })] }))
  expect((await asked(3)).input.from).toBe(8)
  expect(heard).toHaveLength(1)
  expect(feed.generation.getSnapshot()).toBe(0)
})

test('hears all events of an answer although a listener fails', async () => {
  const { feed, asked } = aHost()
  const report = vi.fn()
  vi.stubGlobal('reportError', report)
  const heard: StoreEvent[] = []
  feed.subscribe(() => {
    throw new Error('of a screen')
  })
  feed.subscribe((event) => heard.push(event))
  ;(await asked(1)).answer(told({ next: 2, events: [job({ id: 'a' }), job({ id: 'b' })] }))
  expect((await asked(2)).input.from).toBe(2)
  expect(heard).toHaveLength(2)
  expect(report).toHaveBeenCalledTimes(2)
})

test('counts a new generation when the page missed events', async () => {
  const { feed, asked } = aHost()
  ;(await asked(1)).answer(told())
  ;(await asked(2)).answer(told({ missed: true, next: 3 }))
  await asked(3)
  expect(feed.generation.getSnapshot()).toBe(1)
})

test('does not ask for the end of a job that it missed while the page is hidden', async () => {
  const { asked, see, questions } = aHost()
  ;(await asked(1)).answer(told())
  ;(await asked(2)).answer(told({ next: 1, events: [job({ state: 'running' })] }))
  ;(await asked(3)).answer(told({ missed: true, next: 9 }))
  await asked(4)
  see(false)
  await new Promise((resolve) => setImmediate(resolve))
  see(true)
  await asked(5)
  expect(questions).toHaveLength(5)
})

test('aborts the request of a hidden page, and continues when the page is visible again', async () => {
  const { asked, see, questions } = aHost()
  ;(await asked(1)).answer(told({ next: 4 }))
  const waiting = await asked(2)
  see(false)
  expect(waiting.signal.aborted).toBe(true)
  see(true)
  expect((await asked(3)).input).toEqual({ run: RUN, from: 4, wait: true })
  expect(questions).toHaveLength(3)
})

test('reads the position once for a page that was never visible, and sends no more requests', async () => {
  const { asked, questions, feed } = aHost({ seen: false })
  const first = await asked(1)
  expect(first.input.wait).toBe(false)
  first.answer(told())
  await feed.started
  expect(questions).toHaveLength(1)
})

test('resolves its start even without an answer', async () => {
  const { feed, asked } = aHost()
  ;(await asked(1)).refuse()
  await feed.started
  expect(feed.generation.getSnapshot()).toBe(0)
})
