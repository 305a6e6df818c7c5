import { expect, test } from 'vitest'
import { busyMs, partsOf, sumMs, type Trace } from './trace.ts'

const task = (at: number, ms: number) => ({ at, ms, ownMs: ms })
const trace: Trace = {
  tasks: [task(0, 5), task(10, 4), task(20, 8), task(30, 1), task(41, 2)],
  marks: new Map([
    ['start', [12]],
    ['batch', [12, 29, 40]],
  ]),
}

test('a task in which a mark was set belongs to what begins with it', () => {
  expect(busyMs(trace, 'start')).toBe(15)
  expect(partsOf(trace, 'batch').map(sumMs)).toEqual([12, 1, 2])
})

test('what never began is not measured', () => {
  expect(() => busyMs(trace, 'end')).toThrow('never came to end')
  expect(() => partsOf(trace, 'end')).toThrow('never came to end')
})
