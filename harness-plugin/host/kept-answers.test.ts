import { expect, test } from 'vitest'
import { KeptAnswers } from './kept-answers.ts'

let now = 0
const kept = (max = 100) =>
  new KeptAnswers<string>({ ms: 1000, isKept: (text) => text !== 'failed', now: () => now, max })
function counted(answers: KeptAnswers<string>) {
  let asked = 0
  const read = (key: string, text: string) =>
    answers.read(key, async () => `${text} ${++asked}`.replace('failed 1', 'failed'))
  return { read, asked: () => asked }
}

test('asks once for all who ask at the same time, and again when the time is over', async () => {
  const { read } = counted(kept())
  expect(await Promise.all([read('a', 'x'), read('a', 'x')])).toEqual(['x 1', 'x 1'])
  now += 999
  expect(await read('a', 'x')).toBe('x 1')
  now += 1
  expect(await read('a', 'x')).toBe('x 2')
  // The clock was set back: how old the answer is, nobody knows.
  now -= 5000
  expect(await read('a', 'x')).toBe('x 3')
})

test('keeps no failure, and of more answers than it may keep the newest', async () => {
  const { read } = counted(kept(2))
  expect(await read('a', 'failed')).toBe('failed')
  expect(await read('a', 'x')).toBe('x 2')
  await read('b', 'x')
  await read('c', 'x')
  expect(await read('b', 'x')).toBe('x 3')
  expect(await read('a', 'x')).toBe('x 5')
})

test('keeps nothing of a request that was rejected', async () => {
  const answers = kept()
  await expect(answers.read('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await answers.read('a', async () => 'x')).toBe('x')
})
