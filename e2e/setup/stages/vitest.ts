import { runInFront } from './program.ts'
import { countedBy } from './report.ts'
import type { Tally } from './tally.ts'

/** The part of vitest's JSON report that is counted. */
export interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[]
}

/** A file that cannot even be loaded has no tests to fail: it counts as one. */
export function countVitest(report: VitestReport): Tally {
  const unloadable = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** One project of vitest.config.ts. */
export function runVitest(project: string, args: readonly string[]): Promise<Tally> {
  const reporters = (file: string) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return countedBy(
    (file) => runInFront({ package: 'vitest', args: ['run', '--project', project, ...reporters(file), ...args] }),
    countVitest,
  )
}
