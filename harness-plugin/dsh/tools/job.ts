import * as v from 'valibot'
import { JOB_ANSWER, reportOf } from './report.ts'
import { fields } from './schema.ts'
import type { Store } from './store.ts'
import type { Tool } from './tool.ts'
import { waitForJob } from './wait.ts'

const MAX_WAIT_S = 120

const input = v.strictObject({
  job: v.pipe(v.string(), v.uuid()),
  wait_seconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_WAIT_S)), 0),
})

export const jobTool = (name: string, store: Store): Tool<typeof input> => ({
  name,
  description: 'How an install, update or removal stands that was not over when its tool answered.',
  input,
  parameters: fields(
    {
      job: { type: 'string', description: 'The job that the tool answered with.' },
      wait_seconds: { type: 'number', description: `Wait this long for its end, 0 to ${MAX_WAIT_S}. Default 0.` },
    },
    ['job'],
  ),
  output: JOB_ANSWER,
  readOnly: true,
  async run({ job: id, wait_seconds }, { signal }) {
    const job = await waitForJob(store, id, { forMs: wait_seconds * 1000, signal })
    signal.throwIfAborted()
    return job ? reportOf(job, name) : { ok: false, code: 'unknown-job', message: 'There is no such job.' }
  },
})
