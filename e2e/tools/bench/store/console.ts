import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packKoishi } from '@plugmark/harness-plugin/build'
import { createCatalogue, generate } from '@plugmark/mock-api'
import { startMockServer } from '@plugmark/mock-api/node'
import type { Page } from 'playwright'
import { type Console, startConsole } from '../../../console/console.ts'

export interface KeptConsole extends AsyncDisposable {
  /** Starts the console over the copy it has; the directory is gone by then. */
  start(options?: { bare?: boolean }): Promise<Console>
  /** Resident memory of the console that downloaded it, once it had some seconds to let go of what that took. */
  readonly downloadedBytes: number
}

/** The least resident memory of ten seconds. */
export async function settled(console: Console): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let second = 0; second < 10; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    least = Math.min(least, await console.residentBytes())
  }
  return least
}

/** A console that has downloaded a catalogue of this size, and whose directory cannot be reached any more. */
export async function keptConsole(size: number, page: Page): Promise<KeptConsole> {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-bench-'))
  const { tarball } = await packKoishi({ outDir: folder })
  const api = await startMockServer({ catalogue: createCatalogue({ rows: generate(size) }) })
  const { PATH = '' } = process.env
  const start = ({ bare = false } = {}) =>
    startConsole({
      api: api.url,
      home: join(folder, 'home'),
      command: ['dsh'],
      env: { PATH, HOME: folder },
      tarball,
      directory: folder,
      bare,
    })

  const first = await start()
  await page.goto(`${first.url}/plugmark?q=is:all`)
  await page.getByRole('button', { name: 'Download the directory for offline use' }).click()
  await page.getByText(/^The whole directory is available offline, as of/).waitFor({ timeout: 300_000 })
  await page.close()
  const downloadedBytes = await settled(first)
  await first.close()
  await api.close()
  return {
    start,
    downloadedBytes,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
