import { relative } from 'node:path'
import type { Failure } from './failures.ts'
import { runInFront } from './program.ts'
import { countedBy } from './report.ts'
import type { Tally } from './tally.ts'

/** The part of vitest's JSON report that is counted. */
export interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly VitestFile[]
}

interface VitestFile {
  /** Its whole path. */
  readonly name: string
  readonly status: string
  /** Why it could not be loaded. */
  readonly message: string
  readonly assertionResults: readonly {
    readonly status: string
    readonly fullName: string
    readonly failureMessages: readonly string[]
  }[]
}

/** A file that cannot even be loaded has no tests to fail: it counts as one. */
export function countVitest(report: VitestReport): Tally {
  const unloadable = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(failuresOf),
  }
}

function failuresOf(file: VitestFile): Failure[] {
  const name = relative(process.cwd(), file.name)
  if (file.status === 'failed' && file.assertionResults.length === 0) return [{ test: name, message: file.message }]
  return file.assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ test: `${name} › ${fullName}`, message: failureMessages.join('\n') }))
}

/** One project of vitest.config.ts. */
export function runVitest(project: string, args: readonly string[]): Promise<Tally> {
  const reporters = (file: string) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return countedBy(
    (file) => runInFront({ package: 'vitest', args: ['run', '--project', project, ...reporters(file), ...args] }),
    countVitest,
  )
}
