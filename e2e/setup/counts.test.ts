import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { countPlaywright, countVitest, lastLine } from './counts.ts'

test('the last line names skipped tests only if there are any', () => {
  expect(lastLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(lastLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped')
})

test('a test file that vitest cannot load counts as a failure, and failures are named', () => {
  const passed = { status: 'passed', fullName: 'adds up' }
  const report = {
    numPassedTests: 3,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [
      { name: resolve('a.test.ts'), status: 'passed', assertionResults: [passed, passed] },
      {
        name: resolve('b.test.ts'),
        status: 'failed',
        assertionResults: [passed, { status: 'failed', fullName: 'a store is empty' }],
      },
      { name: resolve('c.test.ts'), status: 'failed', assertionResults: [] },
    ],
  }
  const failures = ['b.test.ts › a store is empty', 'c.test.ts']
  expect(countVitest(report)).toEqual({ passed: 3, failed: 2, skipped: 2, failures })
})

test('a load error of Playwright counts as a failure, and failures are named', () => {
  const report = {
    stats: { expected: 7, unexpected: 1, skipped: 2 },
    errors: [{ message: 'no browser' }],
    suites: [
      {
        title: 'card.spec.ts',
        specs: [{ title: 'opens', ok: true }],
        suites: [{ title: 'in Chinese', specs: [{ title: 'opens', ok: false }] }],
      },
    ],
  }
  const failures = ['no browser', 'card.spec.ts › in Chinese › opens']
  expect(countPlaywright(report)).toEqual({ passed: 7, failed: 2, skipped: 2, failures })
})
