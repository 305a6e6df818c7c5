import { setTimeout as pause } from 'node:timers/promises'
import { callStore } from '../../dsh/rpc.ts'
import type { Home } from '../../harness/home.ts'
import { type Harness, startHarness } from '../../harness/running.ts'

/** Asks for every listing, as a page does. */
export async function readAll(harness: Harness): Promise<void> {
  await callStore(harness, 'overview', {})
  for (let from = 0, end = 1; from < end; ) {
    const { value } = (await callStore(harness, 'listings', { from })) as {
      value: { value: { next: number; status: { end: number } } }
    }
    ;({
      next: from,
      status: { end },
    } = value.value)
  }
}

/** Downloads every listing into the copy that the store keeps. */
export async function keepAll(home: Home): Promise<void> {
  const harness = await startHarness(home)
  await callStore(harness, 'overview', {})
  await callStore(harness, 'download', {})
  for (let isThere = false; !isThere; ) {
    await pause(500)
    const { value } = (await callStore(harness, 'listings', { from: 0 })) as {
      value: { value: { status: { download: unknown; downloadedAt: number | null } } }
    }
    isThere = value.value.status.download === null && value.value.status.downloadedAt !== null
  }
  await harness.close()
}
