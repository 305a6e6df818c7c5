import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settle, type Tally } from './tally.ts'

/**
 * Runs a test runner that writes a JSON report, and counts from it. Without a report the runner crashed.
 *
 * @param run gets the file to write to; resolves to the runner's exit code
 * @param count reads the report
 */
export async function countedBy<Report>(
  run: (file: string) => Promise<number>,
  count: (report: Report) => Tally,
): Promise<Tally> {
  const directory = await mkdtemp(join(tmpdir(), 'plugmark-report-'))
  try {
    const file = join(directory, 'report.json')
    const exitCode = await run(file)
    const text = await readFile(file, 'utf8').catch(() => null)
    return settle(text === null ? { passed: 0, failed: 0, skipped: 0 } : count(JSON.parse(text)), exitCode)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
