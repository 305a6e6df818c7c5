import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { countPlaywright, countVitest, failureLines, lastLine } from './counts.ts'

test('the last line names skipped tests only if there are any', () => {
  expect(lastLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(lastLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped')
})

test('a test file that vitest cannot load counts as a failure, and failures are named', () => {
  const passed = { status: 'passed', fullName: 'adds up', failureMessages: [] }
  const failed = { status: 'failed', fullName: 'a store is empty', failureMessages: ['Error: it has 3 rows'] }
  const report = {
    numPassedTests: 3,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [
      { name: resolve('a.test.ts'), status: 'passed', message: '', assertionResults: [passed, passed] },
      { name: resolve('b.test.ts'), status: 'failed', message: '', assertionResults: [passed, failed] },
      { name: resolve('c.test.ts'), status: 'failed', message: 'Cannot find d.ts', assertionResults: [] },
    ],
  }
  const failures = [
    { name: 'b.test.ts › a store is empty', message: 'Error: it has 3 rows' },
    { name: 'c.test.ts', message: 'Cannot find d.ts' },
  ]
  expect(countVitest(report)).toEqual({ passed: 3, failed: 2, skipped: 2, failures })
})

test('a load error of Playwright counts as a failure, and failures are named', () => {
  const report = {
    stats: { expected: 7, unexpected: 1, skipped: 2 },
    errors: [{ message: 'no browser' }],
    suites: [
      {
        title: 'card.spec.ts',
        specs: [{ title: 'opens', ok: true, tests: [{ results: [{ errors: [] }] }] }],
        suites: [
          {
            title: 'in Chinese',
            specs: [{ title: 'opens', ok: false, tests: [{ results: [{ errors: [{ message: 'time is over' }] }] }] }],
          },
        ],
      },
    ],
  }
  const failures = [
    { name: 'outside a test', message: 'no browser' },
    { name: 'card.spec.ts › in Chinese › opens', message: 'time is over' },
  ]
  expect(countPlaywright(report)).toEqual({ passed: 7, failed: 2, skipped: 2, failures })
})

test('each failure is listed with the first lines of its message, and with fewer lines when there are many', () => {
  const message = `\u001b[31mError: no rows\u001b[39m\n\n    at (node_modules/a.js:1)\n${'at a line\n'.repeat(40)}`
  const [name, first, ...more] = failureLines([{ name: 'store.spec.ts › opens', message }])
  expect([name, first]).toEqual(['✗ store.spec.ts › opens', '    Error: no rows'])
  expect(more).toHaveLength(14)
  const many = failureLines(Array.from({ length: 200 }, () => ({ name: 'store.spec.ts › opens', message })))
  expect(many).toHaveLength(200 * 4)
})
