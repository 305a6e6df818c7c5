import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claim } from './claim.ts'

const SHOP = 'dsh-plugin-plugmark'
const FORK = 'a-fork-of-it'
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates copies in one process, and records the ones that serve. */
function aProcess() {
  const scope = {}
  const serving: string[] = []
  return {
    serving,
    load(name: string) {
      let others: () => readonly string[] = () => []
      const { release, isServing } = claim(
        name,
        (given) => {
          others = given
          serving.push(name)
        },
        scope,
      )
      return {
        isServing,
        others: () => others(),
        unload() {
          if (serving.includes(name)) serving.splice(serving.indexOf(name), 1)
          release()
        },
      }
    },
  }
}

test('serves from the copy that was loaded first, which knows the others', () => {
  const { serving, load } = aProcess()
  const first = load(SHOP)
  const second = load(FORK)
  expect(serving).toEqual([SHOP])
  expect([first.isServing(), second.isServing()]).toEqual([true, false])
  expect(first.others()).toEqual([FORK])
  second.unload()
  expect(first.others()).toEqual([])
})

test('keeps the serving copy when it is reloaded', () => {
  const { serving, load } = aProcess()
  const first = load(SHOP)
  load(FORK)
  first.unload()
  vi.advanceTimersByTime(900)
  const again = load(SHOP)
  vi.runAllTimers()
  expect(serving).toEqual([SHOP])
  expect(again.others()).toEqual([FORK])
})

test('activates only the next copy after the serving one has left', () => {
  const { serving, load } = aProcess()
  const first = load(SHOP)
  load(FORK)
  load('another-fork')
  first.unload()
  expect(serving).toEqual([])
  vi.runAllTimers()
  expect(serving).toEqual([FORK])
  // The copy was reloaded too late.
  load(SHOP)
  vi.runAllTimers()
  expect(serving).toEqual([FORK])
})

test('never activates an inactive copy that has left', () => {
  const { serving, load } = aProcess()
  const first = load(SHOP)
  const second = load(FORK)
  first.unload()
  second.unload()
  vi.runAllTimers()
  expect(serving).toEqual([])
  load(FORK)
  expect(serving).toEqual([FORK])
})
