import * as v from 'valibot'
import type { Tool } from '../../agents/tool.ts'
import { BOUNDS } from '../../agents/tool-declarations.ts'
import { ClientError } from '../../client/client-error.ts'
import { reportOf } from './report.ts'

const input = v.strictObject({
  job: v.pipe(v.string(), v.uuid('it is no job of an answer')),
  wait_seconds: v.optional(
    v.pipe(v.number(), v.minValue(0), v.maxValue(BOUNDS.maxWaitSeconds)),
    BOUNDS.defaultWaitSeconds,
  ),
})

/** Waits for a job. */
export const jobTool: Tool<typeof input> = {
  input,
  async run({ job: id, wait_seconds }, { client, signal }) {
    const job = await client.watch(id, { forMs: wait_seconds * 1000, signal })
    signal.throwIfAborted()
    if (job === null) throw new ClientError('unknown-job', (words) => words.unknownJob)
    return reportOf(job)
  },
}
