import { expect, test } from 'vitest'
import { benchTable } from './table.ts'

test('columns line up, and a missed target is marked', () => {
  const table = benchTable([
    { what: 'index, warm', value: 4.2, unit: 'ms', target: 5 },
    { what: 'index', value: 61_440, unit: 'bytes', target: 61_000 },
    { what: 'look-up', value: 12.4, unit: 'ms', against: { what: 'the floor', value: 6.2 } },
  ])
  expect(table.split('\n')).toEqual([
    'index, warm       4.20 ms          ≤ 5.00 ms',
    'index        61,440 bytes  over 61,000 bytes',
    'look-up             12 ms                     2.00 × the floor  6.20 ms',
  ])
})

test('on a slower machine a target is as many times as much, and says so where it is needed', () => {
  const row = { what: 'batch', unit: 'ms', target: 4, pace: 1.25 } as const
  const table = benchTable([3.9, 4.9, 5.1].map((value) => ({ ...row, value })))
  expect(table.split('\n')).toEqual([
    'batch  3.90 ms            ≤ 4.00 ms',
    'batch  4.90 ms     ≤ 1.25 × 4.00 ms',
    'batch  5.10 ms  over 1.25 × 4.00 ms',
  ])
})

test('what takes nothing is no measure', () => {
  const table = benchTable([{ what: 'work', value: 4.2, unit: 'ms', against: { what: 'none', value: 0 } }])
  expect(table).toBe('work  4.20 ms    beside none  0.00 ms')
})

test('nothing measured is nothing', () => {
  expect(benchTable([])).toBe('')
})
