import { rm } from 'node:fs/promises'
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
  readonly errors: readonly unknown[]
}

/** A test that passed only when it was repeated did not pass. */
export function countPlaywright({ stats, errors }: PlaywrightReport): Tally {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  }
}

/**
 * Playwright empties its output folder when it starts, so a run has one of its own. What failed leaves its trace there;
 * a run without failures leaves nothing.
 */
export async function runPlaywright(args: readonly string[]): Promise<Tally> {
  const output = `test-results/${process.pid}`
  const options = ['--config', 'e2e/playwright.config.ts', '--reporter=list,json', '--output', output]
  const program = { package: 'playwright', args: ['test', ...options, ...args] }
  const tally = await countedBy((file) => runInFront(program, { PLAYWRIGHT_JSON_OUTPUT_FILE: file }), countPlaywright)
  if (tally.failed === 0) await rm(output, { recursive: true, force: true })
  return tally
}
