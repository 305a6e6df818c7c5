import * as v from 'valibot'
import type { StoreBridge } from '../../protocol/index.ts'
import { BOUNDS } from './declarations.ts'
import { reportOf } from './report.ts'
import type { Tool } from './tool.ts'
import { waitForJob } from './wait.ts'

const input = v.strictObject({
  job: v.pipe(v.string(), v.uuid()),
  wait_seconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(BOUNDS.maxWaitSeconds)), 0),
})

export const jobTool = (store: StoreBridge): Tool<typeof input> => ({
  input,
  async run({ job: id, wait_seconds }, { signal }) {
    const job = await waitForJob(store, id, { forMs: wait_seconds * 1000, signal })
    signal.throwIfAborted()
    return job ? reportOf(job) : { ok: false, code: 'unknown-job', message: 'This job is no longer known.' }
  },
})
