import { relative } from 'node:path'

/** Result of a stage. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** File and title of each failed test. */
  readonly failures: readonly string[]
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
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

export function countVitest(report: VitestReport): Counts {
  const failures = report.testResults.flatMap(({ name: path, status, assertionResults }) => {
    const name = relative('.', path)
    // A file that cannot be loaded has no tests.
    if (assertionResults.length === 0) return status === 'failed' ? [name] : []
    return assertionResults.filter((test) => test.status === 'failed').map((test) => `${name} › ${test.fullName}`)
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
  readonly specs: readonly { readonly title: string; readonly ok: boolean }[]
}

export function countPlaywright({ stats, errors, suites }: PlaywrightReport): Counts {
  const failuresOf = (suite: PlaywrightSuite, above: string): string[] => [
    ...suite.specs.filter(({ ok }) => !ok).map(({ title }) => `${above}${suite.title} › ${title}`),
    ...(suite.suites ?? []).flatMap((inner) => failuresOf(inner, `${above}${suite.title} › `)),
  ]
  return {
    passed: stats.expected,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    failures: [...errors.map(({ message = '' }) => message), ...suites.flatMap((suite) => failuresOf(suite, ''))],
  }
}

/** The last line of `npm test`; other programs read it. */
export const lastLine = ({ passed, failed, skipped }: Omit<Counts, 'failures'>): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
