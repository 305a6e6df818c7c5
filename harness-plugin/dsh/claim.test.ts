import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claim } from './claim.ts'

const SHOP = 'dsh-plugin-plugmark'
const FORK = 'a-fork-of-it'
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Copies in one process, and which of them serve. */
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

test('the copy that is loaded first serves, and knows of the others', () => {
  const { serving, load } = aProcess()
  const first = load(SHOP)
  const second = load(FORK)
  expect(serving).toEqual([SHOP])
  expect([first.isServing(), second.isServing()]).toEqual([true, false])
  expect(first.others()).toEqual([FORK])
  second.unload()
  expect(first.others()).toEqual([])
})

test('the one that serves goes on when it is loaded again, and no other takes its place', () => {
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

test('when the one that serves leaves, the next takes its place once it is gone, and only that one', () => {
  const { serving, load } = aProcess()
  const first = load(SHOP)
  load(FORK)
  load('another-fork')
  first.unload()
  expect(serving).toEqual([])
  vi.runAllTimers()
  expect(serving).toEqual([FORK])
  // It was slow to be loaded again.
  load(SHOP)
  vi.runAllTimers()
  expect(serving).toEqual([FORK])
})

test('a copy that stood back and left takes nobody’s place', () => {
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
