import { unlessAborted } from '@plugmark/shared/async'
import { type ChangeInput, type Input, type Shown, TOOLS, type ToolKey } from '../../agents/definitions.ts'
import { diff } from '../../agents/diff-tool.ts'
import { details, installed, search } from '../../agents/find-tool.ts'
import { QUOTED, quotedLines } from '../../agents/listing-facts.ts'
import {
  type AgentReview,
  check,
  isSame,
  reviewChange,
  shownOf,
  toAllow,
  withBuilds,
} from '../../agents/review-tool.ts'
import { type CallContext, callTool, type Run, type ToolRefusal, toRefusal } from '../../agents/tool.ts'
import { agreedTo, type ChangeAction, knownAgainst, StoreClient } from '../../client/store-client.ts'
import type { StoreHost } from '../../host/index.ts'
import { messagesFor } from '../../messages/index.ts'
import { agreedVersion } from '../../protocol/fit.ts'
import type { Job, OutcomeKind } from '../../protocol/index.ts'
import { isSuccess, remedyFor } from '../../protocol/next-steps.ts'
import { runsBuilds } from '../../protocol/review-facts.ts'
import type { Context, Logger } from '../harness-context.ts'
import { languageOf } from '../language.ts'
import { type Approvals, createApprovals, inspectionSentences, questionOf } from './approval.ts'
import type { PerformTool } from './offer.ts'
import type { ToolRun } from './services.ts'

/** A job that takes longer than this continues by itself, and one that was cancelled restores the profile, in ms. */
const JOB_TIMEOUT_MS = 120_000
/** A review may expire while its question is open. */
const MOST_REVIEWS = 3

type RunInHarness<Key extends ToolKey> = Run<Key, CallContext & ToolRun>

export function performOver(ctx: Context, host: StoreHost, logger: Logger): PerformTool {
  const given = { ctx, approvals: createApprovals(ctx) }
  const tools: { readonly [Key in ToolKey]: RunInHarness<Key> } = {
    search,
    details,
    installed,
    check,
    diff,
    install: changeTool('install', given),
    update: changeTool('update', given),
    remove: changeTool('remove', given),
    job: waitForJob,
  }
  return async (tool, args, run) => {
    const client = new StoreClient(host, run.signal)
    const overview = await host.calls.overview({})
    const profile = overview.ok ? overview.value.profile : ''
    const called = callTool(
      tool,
      tools[tool] as RunInHarness<typeof tool>,
      args,
      { ...run, client, profile },
      (error) => logger.warn(error),
    )
    return TOOLS[tool].readOnly ? unlessAborted(run.signal, called) : called
  }
}

/** Creates a tool that changes the profile: it reviews, has the user asked, and starts what they said yes to. */
function changeTool(
  action: ChangeAction,
  { ctx, approvals }: { readonly ctx: Context; readonly approvals: Approvals },
): RunInHarness<ChangeAction> {
  const { name: toolName } = TOOLS[action]
  return async ({ id, ...args }: ChangeInput, given) => {
    const { client, profile, signal } = given
    const { jobs } = await client.ask('overview', {})
    const isRunning = (job: Job) => job.profile === profile && job.state !== 'done'
    const running = jobs.find((job) => isRunning(job) && job.listing?.toLowerCase() === id.toLowerCase())
    if (running) return running.action === action ? reportOf(running) : otherJob(running)
    const subject = `${action} ${id.toLowerCase()}`
    const ahead = approvals.refusedAhead(given, subject)
    if (ahead) return ahead

    let agreed: string | null = null
    for (let reviews = 1; ; reviews++) {
      const reviewed = await unlessAborted(given.signal, reviewChange(id, action, given))
      if ('ok' in reviewed) return reviewed
      const { review } = reviewed
      if (runsBuilds(review)) return withBuilds()
      const shown = shownOf(reviewed)
      if (!isSame(shown, args)) return notAsReviewed(shown)
      const locale = await languageOf(ctx)
      const text = questionOf(reviewed, locale)
      // What is read of the package is about its version; the flags of the directory and what is known against it are not.
      const proposed = [text, ...review.riskFlags, ...knownAgainst(reviewed.inspection)].join('\n')
      if (proposed !== agreed) {
        const refused = await approvals.ask(given, {
          toolName,
          subject: `${action} ${review.id.toLowerCase()}`,
          text: [text, ...inspectionSentences(reviewed, locale)].join('\n'),
        })
        signal.throwIfAborted()
        if (refused) return refused
        // Without an exact version, the same question can be about another one.
        agreed = isExact(reviewed) ? proposed : null
      }
      const started = await client.startJob([agreedTo(reviewed)], { byAgent: true })
      if (started.ok) return report(client, started.value.id, { signal, cancels: true, forMs: JOB_TIMEOUT_MS })
      // The review expired while the question was open: a yes to the same review still holds.
      if (started.code !== 'bad-token' || reviews === MOST_REVIEWS) return toRefusal(started)
    }
  }
}

/** Returns true if a review says exactly what will be there: a version, a commit, or nothing new. */
const isExact = ({ review: { action, commit }, fit }: AgentReview): boolean =>
  action === 'remove' || action === 'enable' || agreedVersion(fit) !== null || (commit !== null && commit !== 'unknown')

/** Waits for a job, and reports on it. @throws when the call is aborted meanwhile */
async function report(client: StoreClient, id: string, wait: Parameters<StoreClient['waitFor']>[1]) {
  const job = await client.waitFor(id, wait)
  wait.signal.throwIfAborted()
  return reportOf(job)
}

const notAsReviewed = (shown: Shown): ToolRefusal => ({
  ok: false,
  code: 'not-as-reviewed',
  message: 'These arguments are not what the review says, so nobody was asked and nothing was run.',
  ...shown,
  next: 'Tell the person what differs. If they still want it, call again with command, check, about and risks as they are here.',
})

const otherJob = ({ id, action }: Job): ToolRefusal => ({
  ok: false,
  code: 'already-running',
  message: `Another job of this plugin is still running: ${action}.`,
  job: id,
  next: `Wait for it with ${TOOLS.job.name}, then call again.`,
})

const waitForJob: RunInHarness<'job'> = async ({ job: id, wait_seconds }: Input<'job'>, { client, signal }) =>
  report(client, id, { signal, forMs: wait_seconds * 1000 })

const MOST_LINES = 8

/** Next steps for a model, in place of those that the screen shows. */
const NEXT: Readonly<Partial<Record<OutcomeKind, string>>> = {
  cancelled: 'The person cancelled it. Do not start it again unless they ask for it.',
  failed: 'The last lines of its output are under "quoted". Tell the person what they say.',
}

/** Only the user, who sees the scripts, lets them run. */
const IN_SCREEN = 'A person approves that in the plugin store of the web UI; it cannot be done from here.'

/** Outcomes whose subjects are texts of the harness, the page or the plugin. */
const QUOTES_PROGRAM: readonly OutcomeKind[] = [
  'stops-harness',
  'does-not-start',
  'breaks-others',
  'breaks-screen',
  'profile-broken',
  'rejected',
]

/** A name, a version or a path. Anything else that a program printed is quoted. */
const NAME = /^[\w@./:#~+^*=<>-]{1,120}$/

/** Reports on a job, in the words of the screen where they suit a model. What programs wrote is quoted apart from them. */
function reportOf(job: Job) {
  const { id, action, listing, command, state, stage, outcome } = job
  const known = { ok: true, job: id, action, id: listing, command, state } as const
  if (!outcome)
    return {
      ...known,
      stage,
      message: `It is still running. Ask for it with ${TOOLS.job.name}; a person sees it in the plugin store of the web UI.`,
    }
  const t = messagesFor('en')
  const succeeded = isSuccess(outcome.kind)
  // The words would quote what a plugin said; that goes under "quoted".
  const isQuoted = (subject: string) => QUOTES_PROGRAM.includes(outcome.kind) || !isPlainSubject(subject)
  // They are read by their positions, so none is left out between others.
  const end = outcome.subjects.findIndex(isQuoted)
  const plain = end < 0 ? outcome.subjects : outcome.subjects.slice(0, end)
  const remedy = remedyFor(outcome.subjects)
  const title = t.outcomeTitle[outcome.kind]
  const next = t.outcomeNext[outcome.kind]({ ...outcome, subjects: plain, action, remedy })
  const quoted = quotedLines([
    ...(plain.length < outcome.subjects.length ? outcome.subjects : []),
    ...(succeeded ? [] : job.output.slice(-MOST_LINES)),
  ])
  return {
    ...known,
    outcome: outcome.kind,
    succeeded,
    message: t.sentences(
      `${title}.`,
      (remedy === null && NEXT[outcome.kind]) || next,
      ...(outcome.kind === 'build-blocked' ? [IN_SCREEN] : []),
      ...toAllow(outcome.allowCommand),
    ),
    profile: outcome.rollback && t.rollback(outcome.rollback, outcome.profile),
    ...(outcome.quarantined.length > 0 ? { quarantined: t.quarantined(outcome.quarantined) } : {}),
    activation: outcome.activation,
    ...(quoted.length > 0 ? { quoted, notes: [QUOTED] } : {}),
  }
}

/** Requirements of a plugin are several words, such as `dsh ^0.1.0, dsh-settings ^0.1.0`. */
const isPlainSubject = (subject: string): boolean =>
  subject.split(', ').every((part) => part.split(' ').length <= 2 && part.split(' ').every((word) => NAME.test(word)))
