import * as v from 'valibot'
import { IdSchema } from '../../agents/id.ts'
import { type Change, isSame, reviewChange, type Shown, shownOf } from '../../agents/reviewed.ts'
import { type Asking, type Tool, type ToolRefusal, toRefusal } from '../../agents/tool.ts'
import { DECLARATIONS } from '../../agents/tool-declarations.ts'
import { unwrap } from '../../client/client-error.ts'
import type { StoreClient } from '../../client/store-client.ts'
import type { Job } from '../../protocol/index.ts'
import type { Context } from '../harness-context.ts'
import { languageOf } from '../language.ts'
import type { Approvals } from './approval.ts'
import { questionOf } from './question.ts'
import { reportOf } from './report.ts'
import type { ToolRun } from './services.ts'

/** A job that takes longer than this goes on by itself, in ms. */
const WAIT_MS = 120_000
/** Time for a job that was cancelled to restore the profile, in ms. */
const ENDING_MS = 30_000
/** A review may expire while its question is open. */
const MOST_REVIEWS = 3

/** Refuses missing arguments as it refuses different ones: with those of the review. */
const input = v.strictObject({
  id: IdSchema,
  command: v.optional(v.pipe(v.string(), v.maxLength(500)), ''),
  check: v.optional(v.pipe(v.string(), v.maxLength(200)), ''),
  risks: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(20)), []),
})

/** Creates a tool that changes the profile: it reviews, has a person asked, and starts what they said yes to. */
export function changeTool(
  action: Change,
  { ctx, approvals }: { readonly ctx: Context; readonly approvals: Approvals },
): Tool<typeof input, Asking & ToolRun> {
  const { name: toolName } = DECLARATIONS[action]
  return {
    input,
    async run({ id, ...args }, given) {
      const { client, profile, signal } = given
      const { jobs } = unwrap(await client.host.calls.overview({}))
      const isGoing = (job: Job) => job.profile === profile && job.state !== 'done'
      const going = jobs.find((job) => isGoing(job) && job.listing?.toLowerCase() === id.toLowerCase())
      if (going) return going.action === action ? reportOf(going) : otherJob(going)
      const subject = `${action} ${id.toLowerCase()}`
      const ahead = approvals.refusedAhead(given, subject)
      if (ahead) return ahead

      let agreed: string | null = null
      for (let reviews = 1; ; reviews++) {
        const reviewed = await reviewChange(id, action, given)
        if ('ok' in reviewed) return reviewed
        const { review, fit } = reviewed
        const shown = shownOf(reviewed)
        if (!isSame(shown, args)) return notAsReviewed(shown)
        const text = questionOf(review, fit, await languageOf(ctx))
        if (text !== agreed) {
          const refused = await approvals.ask(given, {
            toolName,
            subject: `${action} ${review.id.toLowerCase()}`,
            text,
          })
          signal.throwIfAborted()
          if (refused) return refused
          agreed = text
        }
        // The question named every warning.
        const started = await client.host.calls.start({
          id: review.id,
          token: review.token,
          acknowledged: true,
          byAgent: true,
        })
        if (started.ok) return await follow(client, started.value, signal)
        // The review expired while the question was open: a yes to the same review still holds.
        if (started.code !== 'bad-token' || reviews === MOST_REVIEWS) return toRefusal(started)
      }
    },
  }
}

/** Waits for a job. When the call is aborted meanwhile, cancels the job and throws. */
async function follow(client: StoreClient, started: Job, signal: AbortSignal) {
  const job = await client.watch(started.id, { forMs: WAIT_MS, signal })
  if (!signal.aborted) return reportOf(job ?? started)
  await client.host.calls.cancel({ job: started.id })
  await client.watch(started.id, { forMs: ENDING_MS })
  throw signal.reason
}

const notAsReviewed = (shown: Shown): ToolRefusal => ({
  ok: false,
  code: 'not-as-reviewed',
  message: 'These arguments are not what the review says, so nobody was asked and nothing was run.',
  ...shown,
  next: 'Tell the person what differs. If they still want it, call again with command, check and risks as they are here.',
})

const otherJob = ({ id, action }: Job): ToolRefusal => ({
  ok: false,
  code: 'already-running',
  message: `Another job of this plugin is not over: ${action}.`,
  job: id,
  next: `Wait for it with ${DECLARATIONS.job.name}, then call again.`,
})
