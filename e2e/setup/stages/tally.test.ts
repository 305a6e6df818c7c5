import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countPlaywright } from './playwright.ts'
import { lastLine, settle, sum, table } from './tally.ts'
import { countVitest } from './vitest.ts'

const none = { passed: 0, failed: 0, skipped: 0 }

test('the last line names what was skipped only when something was', () => {
  expect(lastLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(lastLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped')
})

test('a runner that passed counts as it counted', () => {
  expect(settle({ passed: 3, failed: 0, skipped: 1 }, 0)).toEqual({ passed: 3, failed: 0, skipped: 1 })
})

test('failed tests are counted once', () => {
  expect(settle({ passed: 3, failed: 2, skipped: 0 }, 1)).toEqual({ passed: 3, failed: 2, skipped: 0 })
})

test('a runner that fails without a failed test is a failure', () => {
  expect(settle({ passed: 3, failed: 0, skipped: 0 }, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 })
})

test('a runner that ran nothing is a failure, also when all it has was skipped', () => {
  expect(settle(none, 0)).toEqual({ ...none, failed: 1 })
  expect(settle({ ...none, skipped: 4 }, 0)).toEqual({ passed: 0, failed: 1, skipped: 4 })
})

test('tallies add up', () => {
  const failure = { test: 'a', message: 'b' }
  expect(
    sum([
      { passed: 1, failed: 2, skipped: 3, failures: [failure] },
      { passed: 10, failed: 20, skipped: 30 },
    ]),
  ).toEqual({ passed: 11, failed: 22, skipped: 33, failures: [failure] })
})

test('the table lines up', () => {
  const rows = table([
    { stage: 'types', passed: 2, failed: 0, skipped: 0, seconds: 8.04 },
    { stage: 'e2e', passed: 21, failed: 1, skipped: 0, seconds: 121 },
  ])
  expect(rows.split('\n')).toEqual(['types  2 passed, 0 failed     8.0 s', 'e2e    21 passed, 1 failed  121.0 s'])
})

test('a test file that vitest could not load is a failure, and what failed is named', () => {
  const passed = { status: 'passed', fullName: 'adds up', failureMessages: [] }
  const failed = { status: 'failed', fullName: 'a store is empty', failureMessages: ['expected 1 to be 0'] }
  const file = (name: string, status: string) => ({ name: join(process.cwd(), name), status, message: '' })
  const report = {
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [
      { ...file('a.test.ts', 'passed'), assertionResults: [passed, passed] },
      { ...file('b/b.test.ts', 'failed'), assertionResults: [passed, failed] },
      { ...file('c.test.ts', 'failed'), message: 'no such module', assertionResults: [] },
    ],
  }
  expect(countVitest(report)).toEqual({
    passed: 5,
    failed: 2,
    skipped: 2,
    failures: [
      { test: 'b/b.test.ts › a store is empty', message: 'expected 1 to be 0' },
      { test: 'c.test.ts', message: 'no such module' },
    ],
  })
})

test("Playwright's flaky tests and load errors are failures, and named", () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    tests: [{ status, results: messages.map((message) => ({ errors: [{ message }] })) }],
  })
  const report = {
    stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 2 },
    errors: [{ message: 'no browser' }],
    suites: [
      {
        title: 'card.spec.ts',
        specs: [spec('opens', 'expected'), spec('closes', 'flaky', 'too late')],
        suites: [{ title: 'in Chinese', specs: [spec('opens', 'unexpected', 'not open')] }],
      },
    ],
  }
  expect(countPlaywright(report)).toEqual({
    passed: 7,
    failed: 3,
    skipped: 2,
    failures: [
      { test: 'outside a test', message: 'no browser' },
      { test: 'card.spec.ts › closes', message: 'too late' },
      { test: 'card.spec.ts › in Chinese › opens', message: 'not open' },
    ],
  })
})
