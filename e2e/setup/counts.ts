import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Result of a stage. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly Failure[]
}

export interface Failure {
  /** File and title of the test. */
  readonly name: string
  /** Lines that say why. */
  readonly message: string
}

/** The part of vitest's JSON report that `countVitest` reads. */
export interface VitestReport {
  readonly numPassedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    /** Absolute path of the file. */
    readonly name: string
    readonly status: string
    /** Why the file cannot be loaded. */
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

export function countVitest(report: VitestReport): Counts {
  const failures = report.testResults.flatMap(({ name: path, status, message, assertionResults }) => {
    const name = relative('.', path)
    // A file that cannot be loaded has no tests.
    if (assertionResults.length === 0) return status === 'failed' ? [{ name, message }] : []
    return assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({ name: `${name} › ${test.fullName}`, message: test.failureMessages.join('\n') }))
  })
  const { numPassedTests: passed, numPendingTests, numTodoTests } = report
  return { passed, failed: failures.length, skipped: numPendingTests + numTodoTests, failures }
}

/** The part of Playwright's JSON report that `countPlaywright` reads. */
export interface PlaywrightReport {
  readonly stats: Readonly<Record<'expected' | 'unexpected' | 'skipped', number>>
  /** Failures outside a test: a file that cannot be loaded, a global set-up. */
  readonly errors: readonly { readonly message?: string }[]
  readonly suites: readonly PlaywrightSuite[]
}

interface PlaywrightSuite {
  readonly title: string
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly {
    readonly title: string
    readonly ok: boolean
    readonly tests: readonly {
      readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[]
    }[]
  }[]
}

export function countPlaywright({ stats, errors, suites }: PlaywrightReport): Counts {
  const failuresOf = (suite: PlaywrightSuite, above: string): Failure[] => [
    ...suite.specs
      .filter(({ ok }) => !ok)
      .map(({ title, tests }) => {
        const found = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
        return { name: `${above}${suite.title} › ${title}`, message: found.map(({ message }) => message).join('\n') }
      }),
    ...(suite.suites ?? []).flatMap((inner) => failuresOf(inner, `${above}${suite.title} › `)),
  ]
  return {
    passed: stats.expected,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    failures: [
      ...errors.map(({ message = '' }) => ({ name: 'outside a test', message })),
      ...suites.flatMap((suite) => failuresOf(suite, '')),
    ],
  }
}

/** Lines of all messages together: a CI may show only the end of its log. */
const MESSAGE_LINES = 90
/** Most lines of one message. */
const LINES = 15

/** Returns each failure with the first lines of its message. */
export function failureLines(failures: readonly Failure[]): string[] {
  const most = Math.max(3, Math.min(LINES, Math.floor(MESSAGE_LINES / failures.length)))
  return failures.flatMap(({ name, message }) => {
    const lines = stripVTControlCharacters(message).split('\n')
    const said = lines.filter((line) => line.trim() !== '' && !/^\s+at .*node_modules/.test(line)).slice(0, most)
    return [`✗ ${name}`, ...said.map((line) => `    ${line.slice(0, 200)}`)]
  })
}

/** The last line of `npm test`; other programs read it. */
export const lastLine = ({ passed, failed, skipped }: Omit<Counts, 'failures'>): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
