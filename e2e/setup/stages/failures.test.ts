import { expect, test } from 'vitest'
import { failureText } from './failures.ts'

test('each is told with the beginning of what its runner says, without colours', () => {
  const message = ['\u001b[31mexpected 1 to be 0\u001b[39m', ...Array.from({ length: 40 }, (_, i) => `at ${i}`)].join(
    '\n',
  )
  const text = failureText([
    { test: 'a.test.ts › adds up', message },
    { test: 'b.test.ts', message: 'no such module\n' },
  ])
  const lines = text.split('\n')
  expect(lines.slice(0, 3)).toEqual(['✗ a.test.ts › adds up', '    expected 1 to be 0', '    at 0'])
  expect(lines.slice(-2)).toEqual(['✗ b.test.ts', '    no such module'])
  expect(lines.length).toBeLessThan(20)
})

test('of many the first are told, and how many more there are', () => {
  const failures = Array.from({ length: 25 }, (_, i) => ({ test: `test ${i}`, message: 'no' }))
  expect(failureText(failures).split('\n').slice(-2)).toEqual(['    no', 'and 15 more, above'])
})
