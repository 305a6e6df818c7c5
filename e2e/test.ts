import { writeFile } from 'node:fs/promises'
import { test as base, type Page } from 'playwright/test'
import { HARNESS_VERSIONS, type HarnessVersion } from './harness/versions.ts'
import { type Registry, startRegistry } from './registry/registry.ts'

export interface HarnessOption {
  /** Version of the harness that a project runs. */
  readonly harnessVersion: HarnessVersion
}

/** Lines of the log of a page's calls that are kept, and their length. */
const [KEPT_LINES, LINE_LENGTH] = [3000, 2000]

/** Notes what a page's store asks and hears: the frames of a console, and the requests to a harness. */
function recordCalls(page: Page): readonly string[] {
  const lines: string[] = []
  const from = performance.now()
  const note = (line: string) => {
    lines.push(`${Math.round(performance.now() - from)} ms ${line.slice(0, LINE_LENGTH)}`)
    if (lines.length > KEPT_LINES) lines.shift()
  }
  page.on('websocket', (socket) => {
    note(`socket ${socket.url()}`)
    socket.on('framesent', ({ payload }) => note(`→ ${payload}`))
    socket.on('framereceived', ({ payload }) => note(`← ${payload}`))
    socket.on('close', () => note('socket closed'))
  })
  page.on('request', (request) => {
    if (request.url().includes('/plugmark/')) note(`→ ${request.url()} ${request.postData() ?? ''}`)
  })
  page.on('response', async (response) => {
    if (!response.url().includes('/plugmark/')) return
    // A page that is closed meanwhile has no body any more.
    note(`← ${response.url()} ${response.status()} ${await response.text().catch(() => '')}`)
  })
  return lines
}

/** Fixtures of all tests of the store, in any shell. */
export const test = base.extend<object, HarnessOption & { readonly registry: Registry }>({
  page: async ({ page }, use, info) => {
    const calls = recordCalls(page)
    await use(page)
    if (info.status !== info.expectedStatus) await writeFile(info.outputPath('calls.log'), calls.join('\n'))
  },
  harnessVersion: [HARNESS_VERSIONS.at(-1)!, { option: true, scope: 'worker' }],
  registry: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const registry = await startRegistry()
      await use(registry)
      await registry.close()
    },
    { scope: 'worker' },
  ],
})

export { expect } from 'playwright/test'
