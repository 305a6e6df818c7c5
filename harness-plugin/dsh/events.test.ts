import { expect, test } from 'vitest'
import type { StoreEvent } from '../host/index.ts'
import { answerEvents, createEventLog } from './page-connection.ts'

const event = (job: string): StoreEvent => ({ type: 'output', job, from: 0, lines: [] })
const jobs = (events: readonly StoreEvent[]) => events.map((told) => (told.type === 'output' ? told.job : ''))
const stays = new AbortController().signal

test('sends a page its position first, and then later events', async () => {
  const log = createEventLog()
  log.push(event('before'))
  const start = await log.read({ run: null, from: 0, wait: true }, stays)
  expect(start).toMatchObject({ events: [], missed: false })
  log.push(event('a'))
  log.push(event('b'))
  const told = await log.read({ run: start.run, from: start.next, wait: true }, stays)
  expect(jobs(told.events)).toEqual(['a', 'b'])
  expect(await log.read({ run: start.run, from: told.next, wait: false }, stays)).toMatchObject({ events: [] })
})

test('answers a waiting page at once when the number of updates changes', async () => {
  const log = createEventLog()
  const { run, next, updates } = await log.read({ run: null, from: 0, wait: false }, stays)
  expect(updates).toBe(0)
  const waiting = log.read({ run, from: next, wait: true }, stays)
  log.setUpdates(2)
  expect(await waiting).toMatchObject({ updates: 2, events: [], missed: false })
})

test('answers a page at once that asks after the number of updates has changed', async () => {
  const log = createEventLog({ waitMs: 500 })
  const { run, next } = await log.read({ run: null, from: 0, wait: false }, stays)
  log.setUpdates(2)
  const told = await log.read({ run, from: next, wait: true }, stays)
  expect(told).toMatchObject({ updates: 2, events: [], missed: false })
  expect(told.next).toBeGreaterThan(next)
  log.setUpdates(2)
  expect(await log.read({ run, from: told.next, wait: true }, stays)).toMatchObject({ next: told.next })
})

test('holds a request until the next event, and includes events right after it', async () => {
  const log = createEventLog()
  const { run, next } = await log.read({ run: null, from: 0, wait: false }, stays)
  const both = [1, 2].map(() => log.read({ run, from: next, wait: true }, stays))
  log.push(event('a'))
  log.push(event('b'))
  for (const told of await Promise.all(both)) expect(jobs(told.events)).toEqual(['a', 'b'])
})

test('ends a request without events at its time limit, when its page closes, and when the harness ends', async () => {
  const briefly = createEventLog({ waitMs: 5 })
  const start = await briefly.read({ run: null, from: 0, wait: false }, stays)
  expect(await briefly.read({ run: start.run, from: 0, wait: true }, stays)).toMatchObject({ events: [] })

  const log = createEventLog()
  const { run } = await log.read({ run: null, from: 0, wait: false }, stays)
  const page = new AbortController()
  const gone = log.read({ run, from: 0, wait: true }, page.signal)
  page.abort()
  expect(await gone).toMatchObject({ events: [], missed: false })
  const ended = log.read({ run, from: 0, wait: true }, stays)
  log.close()
  expect(await ended).toMatchObject({ events: [] })
  expect(await log.read({ run, from: 0, wait: true }, stays)).toMatchObject({ events: [] })
})

test('tells a page that it missed events', async () => {
  const log = createEventLog()
  const { run } = await log.read({ run: null, from: 0, wait: false }, stays)
  for (let n = 0; n <= 2000; n++) log.push(event(`${n}`))
  const behind = await log.read({ run, from: 0, wait: true }, stays)
  expect(behind).toMatchObject({ missed: true, events: [], next: 2001 })
  const near = await log.read({ run, from: 1990, wait: true }, stays)
  expect(jobs(near.events)).toEqual(Array.from({ length: 11 }, (_, n) => `${1990 + n}`))
  expect(await createEventLog().read({ run, from: 0, wait: true }, stays)).toMatchObject({ missed: true })
})

test('answers only valid requests of a page', async () => {
  const asks = { run: null, from: 3, wait: false }
  const answer = (frame: unknown) => answerEvents(createEventLog(), frame, stays)
  expect(await answer(asks)).toMatchObject({ ok: true, value: { events: [] } })
  const others = [null, 'x', [null, 3, true], {}, { ...asks, more: 1 }, { ...asks, run: 1 }, { ...asks, wait: 'yes' }]
  const places = [-1, 0.5, Number.NaN, '3', null].map((from) => ({ ...asks, from }))
  for (const frame of [...others, ...places])
    expect(await answer(frame), JSON.stringify(frame)).toMatchObject({ ok: false, code: 'malformed' })
})

test('counts a page as open while it waits, and for a while after its request', async () => {
  let now = 0
  const log = createEventLog({ now: () => now })
  expect(log.hasPage()).toBe(false)
  const { run, next } = await log.read({ run: null, from: 0, wait: false }, stays)
  expect(log.hasPage()).toBe(true)
  now = 10_000
  expect(log.hasPage()).toBe(false)
  const told = log.read({ run, from: next, wait: true }, stays)
  now = 60_000
  expect(log.hasPage()).toBe(true)
  log.push(event('a'))
  await told
  expect(log.hasPage()).toBe(false)
})
