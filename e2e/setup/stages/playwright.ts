import { rm } from 'node:fs/promises'
import type { Failure } from './failures.ts'
import { runInFront } from './program.ts'
import { countedBy } from './report.ts'
import type { Tally } from './tally.ts'

/** The part of Playwright's JSON report that is counted. */
export interface PlaywrightReport {
  readonly stats: {
    readonly expected: number
    readonly unexpected: number
    readonly flaky: number
    readonly skipped: number
  }
  /** Failures outside a test: a file that cannot be loaded, a global set-up. */
  readonly errors: readonly PlaywrightError[]
  readonly suites: readonly PlaywrightSuite[]
}

interface PlaywrightError {
  readonly message?: string
}

/** A file, or a group in one. */
interface PlaywrightSuite {
  readonly title: string
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly {
    readonly title: string
    readonly tests: readonly {
      readonly status: string
      readonly results: readonly { readonly errors: readonly PlaywrightError[] }[]
    }[]
  }[]
}

/** A test that passed only when it was repeated did not pass. */
export function countPlaywright({ stats, errors, suites }: PlaywrightReport): Tally {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: [
      ...errors.map(({ message = '' }) => ({ test: 'outside a test', message })),
      ...suites.flatMap((suite) => failuresOf(suite, [])),
    ],
  }
}

function failuresOf(suite: PlaywrightSuite, above: readonly string[]): Failure[] {
  const path = [...above, suite.title]
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => ({
        test: [...path, title].join(' › '),
        message: results.flatMap(({ errors }) => errors.map(({ message = '' }) => message)).join('\n'),
      })),
  )
  return [...own, ...(suite.suites ?? []).flatMap((inner) => failuresOf(inner, path))]
}

/**
 * Playwright empties its output folder when it starts, so a run has one of its own. What failed leaves its trace there;
 * a run without failures leaves nothing.
 */
export async function runPlaywright(args: readonly string[]): Promise<Tally> {
  const output = `test-results/${process.pid}`
  const options = ['--reporter=list,json', '--output', output]
  const program = { package: 'playwright', args: ['test', ...options, ...args] }
  const tally = await countedBy((file) => runInFront(program, { PLAYWRIGHT_JSON_OUTPUT_FILE: file }), countPlaywright)
  if (tally.failed === 0) await rm(output, { recursive: true, force: true })
  return tally
}
