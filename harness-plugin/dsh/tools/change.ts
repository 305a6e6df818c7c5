import { FullNameSchema } from '@plugmark/shared/contract'
import * as v from 'valibot'
import { messagesFor } from '../../messages/index.ts'
import type { Compatibility, Job, StoreBridge } from '../../protocol/index.ts'
import type { Context } from '../harness.ts'
import { languageOf } from '../language.ts'
import { askApproval } from './ask.ts'
import { DECLARATIONS } from './declarations.ts'
import { waitForJob } from './job.ts'
import { type Change, questionOf } from './question.ts'
import { reportOf, toAllow } from './report.ts'
import { type Tool, type ToolRefusal, unlessAborted } from './tool.ts'

/** A job that takes longer than this goes on by itself, in ms. */
const WAIT_MS = 120_000
/** What is ended must be over: to put the profile back takes a moment. */
const ENDING_MS = 30_000

const input = v.strictObject({ id: FullNameSchema })

/** In the words of the screen. */
function refusedByHarness(fit: Compatibility): ToolRefusal {
  const { review, sentences } = messagesFor('en')
  const message = sentences(review.compatibility.sentence(fit), ...toAllow(fit.allowCommand))
  return { ok: false, code: 'incompatible', message }
}

/** A tool that changes the profile: it reviews, has a person asked, and starts what they said yes to. */
export function changeTool(
  action: Change,
  { ctx, store }: { readonly ctx: Context; readonly store: StoreBridge },
): Tool<typeof input> {
  const { name } = DECLARATIONS[action]
  return {
    input,
    async run({ id }, run) {
      const { signal } = run
      const overview = await store.call('overview', {})
      if (!overview.ok) return overview
      const { profile, jobs } = overview.value
      const isGoing = (job: Job) => job.profile === profile && job.state !== 'done'
      const going = jobs.find((job) => isGoing(job) && job.listing?.toLowerCase() === id.toLowerCase())
      if (going) return reportOf(going)
      const review = await unlessAborted(signal, store.call('review', { id, profile, action }))
      if (!review.ok) return review
      const compatibility = await unlessAborted(
        signal,
        store.call('compatibility', { id: review.value.id, token: review.value.token }),
      )
      if (!compatibility.ok) return compatibility
      const fit = compatibility.value
      if (fit?.state === 'refused') return refusedByHarness(fit)
      const question = questionOf(review.value, fit, action, await languageOf(ctx))
      const refused = await askApproval(ctx, { name, question, run })
      signal.throwIfAborted()
      if (refused) return refused

      // The question named every warning.
      const started = await store.call('start', { id: review.value.id, token: review.value.token, acknowledged: true })
      if (!started.ok) return started
      const job = await waitForJob(store, started.value.id, { forMs: WAIT_MS, signal })
      if (!signal.aborted) return reportOf(job ?? started.value)
      await store.call('cancel', { job: started.value.id })
      await waitForJob(store, started.value.id, { forMs: ENDING_MS, signal: null })
      throw signal.reason
    },
  }
}
