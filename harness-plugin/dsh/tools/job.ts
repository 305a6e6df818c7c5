import * as v from 'valibot'
import type { Job, StoreBridge } from '../../protocol/index.ts'
import { BOUNDS, DECLARATIONS } from './declarations.ts'
import { reportOf } from './report.ts'
import type { Tool } from './tool.ts'

const input = v.strictObject({
  job: v.pipe(v.string(), v.uuid()),
  wait_seconds: v.optional(
    v.pipe(v.number(), v.minValue(0), v.maxValue(BOUNDS.maxWaitSeconds)),
    BOUNDS.defaultWaitSeconds,
  ),
})

/** Creates the tool that waits for a job. */
export const jobTool = (store: StoreBridge): Tool<typeof input> => ({
  input,
  async run({ job: id, wait_seconds }, { signal }) {
    const job = await waitForJob(store, id, { forMs: wait_seconds * 1000, signal })
    signal.throwIfAborted()
    return job
      ? reportOf(job)
      : {
          ok: false,
          code: 'unknown-job',
          message: 'This job is no longer known.',
          next: `See what is there with ${DECLARATIONS.installed.name}.`,
        }
  },
})

/**
 * Waits until a job has ended, `forMs` at most, or until the call is aborted.
 *
 * @returns the job as it is then; null when no job has that id
 */
export async function waitForJob(
  store: StoreBridge,
  id: string,
  { forMs, signal }: { readonly forMs: number; readonly signal: AbortSignal | null },
): Promise<Job | null> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const stop = store.subscribe((event) => {
    if (event.type === 'job' && event.job.id === id && event.job.state === 'done') resolve()
  })
  const limit = setTimeout(resolve, forMs)
  const end = () => resolve()
  signal?.addEventListener('abort', end)
  try {
    const job = await findJob(store, id)
    if (job === null || job.state === 'done' || signal?.aborted) return job
    await over
    return await findJob(store, id)
  } finally {
    signal?.removeEventListener('abort', end)
    clearTimeout(limit)
    stop()
  }
}

export async function findJob(store: StoreBridge, id: string): Promise<Job | null> {
  const overview = await store.call('overview', {})
  return (overview.ok && overview.value.jobs.find((job) => job.id === id)) || null
}
