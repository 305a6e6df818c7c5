import { expect, test } from 'vitest'
import { batchRows } from './batch-rows.ts'
import type { Appended } from './measure.ts'

/** Three rounds of two batches with a tick each, which took so long; the second is disturbed. */
function rounds(batchMs: number, tickMs: number): Appended[] {
  return [0, 7, 1].map((moreMs) => {
    const used = { batches: [batchMs, batchMs + moreMs], ticks: [tickMs + moreMs, tickMs] }
    return { ms: used, ownMs: used, medianMs: 5, longestMs: 9, naiveIndexMs: 42 + moreMs }
  })
}

const given = { what: 'in turns', rhythm: { everyMs: 200, ticks: 1 }, together: 1 }
const measured = { plugmark: rounds(13, 8), naive: rounds(14, 9), none: rounds(10, 5), drawn: rounds(12, 7) }
const size = { size: 20_000, lookUpMs: 35 }

test('what a script costs a batch is its own, of the ticks only what badges alone do not cost', () => {
  const [first] = batchRows({ ...given, rate: 1 }, measured, size)
  expect(first).toMatchObject({ value: 3 + 1, target: 4, against: { value: 4 + 4 } })
})

test('the limit is as many times as much as the machine is slower', () => {
  const paces = batchRows({ ...given, rate: 1 }, measured, size).flatMap(({ pace }) => pace ?? [])
  expect(paces).toEqual([42 / 35, 42 / 35, 43 / 35])
  const [faster] = batchRows({ ...given, rate: 1 }, measured, { ...size, lookUpMs: 60 })
  expect(faster!.pace).toBe(1)
})

test('a processor made slower decides nothing of it', () => {
  const rows = batchRows({ ...given, rate: 4 }, measured, size)
  expect(rows.filter(({ target }) => target !== undefined).map(({ what }) => what)).toEqual([
    '  to the badge',
    '  to the badge, slowest batch',
  ])
})
