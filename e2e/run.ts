import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHome } from './harness/home.ts'
import { startHarness } from './harness/running.ts'
import { type HarnessVersion, missingHarness } from './harness/versions.ts'

/**
 * Set-up of a run of Playwright: makes a folder that its workers share and find by the environment, and measures the
 * machine for their limits.
 */
export default async function beginRun(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-'))
  process.env.PLUGMARK_RUN = folder
  process.env.PLUGMARK_PACE ??= `${await measurePace()}`
  return () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

const MEASURED: HarnessVersion = '0.2.1-rc.2'
/** Time of its start on two quiet cores, in ms. */
const QUIET_MS = 1500

/**
 * Starts the harness once to measure this machine as it is now.
 *
 * @returns how much slower it is than two quiet cores, at least 1
 */
export async function measurePace(): Promise<number> {
  if (missingHarness(MEASURED) !== null) return 1
  const home = await createHome({ registry: 'http://127.0.0.1:9', version: MEASURED })
  const from = performance.now()
  const harness = await startHarness(home)
  const startMs = performance.now() - from
  await harness.close()
  await home.dispose()
  return Math.max(1, startMs / QUIET_MS)
}
