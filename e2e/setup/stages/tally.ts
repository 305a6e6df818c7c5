import type { Failure } from './failures.ts'

/** What a stage, or a run of several, came to. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Those that the runner names; one that crashed names none. */
  readonly failures?: readonly Failure[]
}

export interface StageResult extends Tally {
  readonly stage: string
  readonly seconds: number
}

/**
 * What a runner's own counts mean once its exit code is known. A runner that failed without a failed test crashed, and
 * one that ran nothing proved nothing: both count as one failure.
 */
export function settle(counted: Tally, exitCode: number): Tally {
  const ran = counted.passed + counted.failed > 0
  const silent = counted.failed === 0 && (exitCode !== 0 || !ran)
  return silent ? { ...counted, failed: 1 } : counted
}

export function sum(tallies: readonly Tally[]): Tally {
  const total = (key: 'passed' | 'failed' | 'skipped') => tallies.reduce((count, tally) => count + tally[key], 0)
  return {
    passed: total('passed'),
    failed: total('failed'),
    skipped: total('skipped'),
    failures: tallies.flatMap(({ failures = [] }) => failures),
  }
}

/** The last line of a run; other programs read it. */
export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** One line a stage, in columns. */
export function table(results: readonly StageResult[]): string {
  const rows = results.map((result) => [result.stage, lastLine(result), `${result.seconds.toFixed(1)} s`] as const)
  const width = (column: 0 | 1 | 2) => Math.max(...rows.map((row) => row[column].length))
  return rows
    .map(([stage, line, time]) => `${stage.padEnd(width(0))}  ${line.padEnd(width(1))}  ${time.padStart(width(2))}`)
    .join('\n')
}
