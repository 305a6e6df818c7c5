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

test('what takes nothing is no measure', () => {
  const table = benchTable([{ what: 'work', value: 4.2, unit: 'ms', against: { what: 'none', value: 0 } }])
  expect(table).toBe('work  4.20 ms    beside none  0.00 ms')
})

test('nothing measured is nothing', () => {
  expect(benchTable([])).toBe('')
})
