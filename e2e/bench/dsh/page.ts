import { performance } from 'node:perf_hooks'
import type { Browser } from 'playwright'

/** One opening of the harness's page. */
export interface Opening {
  /** Until it can be used, in ms. */
  readonly ms: number
  /** What its main thread worked for that. */
  readonly workMs: number
}

/** Opens the page in a context of its own, which has nothing of it yet. */
export async function open(browser: Browser, address: string): Promise<Opening> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable')
  const from = performance.now()
  await page.goto(address)
  await page.getByRole('button', { name: 'New Session' }).first().waitFor()
  const ms = performance.now() - from
  const { metrics } = await devtools.send('Performance.getMetrics')
  await context.close()
  return { ms, workMs: 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) }
}
