/**
 * The data of plugins, reviews and jobs as programs, agents and the command line read them: the schemas of the protocol,
 * with some names of their own and with sentences. The command line publishes these schemas with the package, so they only
 * grow: a field is never removed and never changes its meaning. A fact that is added to the protocol is published too.
 *
 * Parsing makes texts of the directory, of packages and of programs safe to show.
 */
import { contractMessages, type Locale } from '@plugmark/shared/i18n'
import * as v from 'valibot'
import { messagesFor } from '../messages/index.ts'
import { refusalLine } from '../messages/inspection-lines.ts'
import { InspectionSchema } from '../protocol/inspection.ts'
import {
  type HistoryEntry,
  HistoryEntrySchema,
  type Job,
  JobSchema,
  type Outcome,
  OutcomeSchema,
} from '../protocol/jobs.ts'
import { ListingSchema, type StoreListing } from '../protocol/listings.ts'
import { isSuccess } from '../protocol/next-steps.ts'
import { type InstalledPlugin, InstalledSchema, type PluginState, type PluginStep } from '../protocol/profiles.ts'
import {
  BuildSchema,
  type DeclaredFit,
  DeclaredFitSchema,
  type Fit,
  FitSchema,
  type Review,
  ReviewSchema,
} from '../protocol/review.ts'
import { REVIEW_FACTS } from '../protocol/review-facts.ts'
import {
  Exact,
  ExactOrNull,
  Instant,
  Name,
  plainText,
  publish,
  Sentence,
  Text,
  TextOrNull,
  Texts,
} from '../protocol/text.ts'
import { clientWords } from './client-error.ts'
import type { Reviewed } from './store-client.ts'

const isoOf = (at: number) => new Date(at).toISOString()

export const FitData = v.object({
  ...FitSchema.entries,
  triedAt: Instant,
  /** All of it in words. */
  sentence: Sentence,
})

export function toFitData(fit: Fit, locale: Locale): v.InferOutput<typeof FitData> {
  const t = messagesFor(locale)
  const sentence = [t.fit.sentence(fit), t.fit.declared(fit)].filter(Boolean).join(' ')
  return publish(FitData, { ...fit, triedAt: fit.triedAt === null ? null : isoOf(fit.triedAt), sentence })
}

export const InstalledData = v.object({
  ...v.pick(InstalledSchema, [
    'spec',
    'version',
    'latest',
    'updateProblem',
    'directorySource',
    'advisories',
    'news',
    'enabled',
  ]).entries,
  package: Text,
  id: TextOrNull,
  /** The newest version, if the package manager does not install it yet, with the time from which it does; else null. */
  waiting: v.nullable(v.object({ version: Text, until: Exact, message: Text })),
  /** The news in words. */
  newsText: v.array(Sentence),
  /** True when the harness boots it. */
  loaded: v.boolean(),
  /** Its state in the harness; `doing` describes it, with the reason. */
  state: InstalledSchema.entries.state.entries.kind,
  doing: Sentence,
  /** True if the harness must restart before it uses the plugin as it is here. `doing` says so. */
  needsRestart: v.boolean(),
  /** Commands that can help if it does not run. */
  next: v.array(Exact),
  /** Null unless the user holds its version, which leaves it out of `update --all`. */
  held: v.nullable(v.object({ reason: TextOrNull, since: Instant })),
  verdict: ListingSchema.entries.verdict,
  checkedAt: Instant,
  /** True if the store can update and remove it; otherwise `why` has the reason. */
  managed: v.boolean(),
  why: TextOrNull,
})
export type InstalledData = v.InferOutput<typeof InstalledData>

/** Renders a command of the command line about a profile. */
type RenderCommand = (...words: readonly string[]) => string

/**
 * Returns the commands that can help with a plugin that does not run.
 *
 * @param name its package, which is enough for what is installed
 */
export const commandsOf = (
  { steps, allowCommand }: PluginState,
  name: string,
  listing: string | null,
  render: RenderCommand,
): string[] =>
  steps.flatMap((step) => {
    if (step === 'allow-version') return allowCommand ?? []
    const [command = '', ...more] = COMMANDS[step]
    const id = step === 'install' || step === 'report' ? (listing ?? name) : name
    return render(command, plainText(id), ...more)
  })

/** Commands of the command line by the step that they take. */
const COMMANDS: Readonly<Record<Exclude<PluginStep, 'allow-version'>, readonly string[]>> = {
  update: ['update'],
  enable: ['enable'],
  install: ['install'],
  'switch-off': ['disable'],
  remove: ['remove'],
  report: ['open', '--what', 'source'],
}

/** Converts an installed plugin. @param listing its row, for the result of the install check */
export function toInstalledData(
  plugin: InstalledPlugin,
  listing: StoreListing | undefined,
  locale: Locale,
  render: RenderCommand,
): InstalledData {
  const { hold, unmanagedReason, waiting, state, name } = plugin
  const t = messagesFor(locale)
  return publish(InstalledData, {
    ...plugin,
    package: name,
    id: plugin.listing,
    newsText: plugin.news.map(t.installedView.news),
    waiting: waiting && { ...waiting, message: t.installedView.waiting(waiting) },
    loaded: plugin.layer,
    state: state.kind,
    doing: t.pluginState.sentence(state),
    needsRestart: state.atRestart !== undefined,
    next: commandsOf(state, name, plugin.listing, render),
    held: hold && {
      reason: hold.isUnknown ? t.updates.held(hold) : hold.reason,
      since: hold.since === null ? null : isoOf(hold.since),
    },
    verdict: listing?.verdict ?? null,
    checkedAt: listing?.checkedAt ?? null,
    managed: plugin.removable,
    why: unmanagedReason && t.installedView.unmanagedReason[unmanagedReason],
  })
}

export const ReviewData = v.object({
  ...v.omit(ReviewSchema, ['riskFlags', 'repoUrl', 'approval']).entries,
  package: TextOrNull,
  risks: v.array(Name),
  source: Text,
  /** Build scripts that must be allowed by their keys. */
  builds: v.array(BuildSchema),
  /** Setting of the profile’s pnpm-workspace.yaml that keeps the keys; null without build scripts. */
  buildSetting: ExactOrNull,
  compatibility: v.nullable(DeclaredFitSchema),
  /** Facts that were read of the package; null for a removal. */
  inspection: v.nullable(InspectionSchema),
  /** Facts that were not known yet. */
  missing: v.array(v.picklist(REVIEW_FACTS)),
  /** Reason for a refusal; null if it would not be refused. */
  refusal: v.nullable(v.object({ code: Exact, message: Text })),
})
export type ReviewData = v.InferOutput<typeof ReviewData>

/** Converts a review. */
export function toReviewData({ review, fit: compatibility, refusal: code, ...reviewed }: Reviewed): ReviewData {
  return publish(ReviewData, {
    ...review,
    ...reviewed,
    risks: review.riskFlags,
    source: review.repoUrl,
    builds: review.approval?.builds ?? [],
    buildSetting: review.approval?.setting ?? null,
    compatibility,
    refusal:
      code === null ? null : { code, message: refusalText(code, { compatibility, verdict: review.verdict }, 'en') },
  })
}

/** Returns the reason why a change is refused before it starts. */
export function refusalText(
  code: string,
  { compatibility, verdict }: { readonly compatibility: DeclaredFit | null; readonly verdict: Review['verdict'] },
  locale: Locale,
): string {
  if (code === 'malware' || code === 'incompatible' || code === 'not-installable')
    return refusalLine(code, compatibility, messagesFor(locale))
  const { name, sentence } = contractMessages(locale).verdict(verdict)
  return clientWords(locale).explained(name, sentence)
}

const OutcomeData = v.object({
  ...v.omit(OutcomeSchema, ['profile', 'parts']).entries,
  title: Text,
  message: v.string(),
  /** Outcomes of the plugins in a job of several, up to the one where it stopped. */
  parts: v.array(v.object({ ...v.omit(OutcomeSchema.entries.parts.item, ['listing']).entries, id: Text })),
  /** Files of the profile that differ from before. */
  changed: v.array(Exact),
})
type OutcomeData = v.InferOutput<typeof OutcomeData>

function toOutcomeData(outcome: Outcome, action: Job['action'], locale: Locale): OutcomeData {
  const t = messagesFor(locale)
  const { kind, rollback, quarantined } = outcome
  const subjects = outcome.subjects.map((subject) => plainText(subject))
  return publish(OutcomeData, {
    ...outcome,
    title: t.outcomeTitle[kind],
    message: t.sentences(
      ...(rollback === null ? [] : [t.rollback(rollback, outcome.profile)]),
      t.outcomeNext[kind]({ ...outcome, subjects, action }),
      ...(quarantined.length > 0 ? [t.quarantined(quarantined)] : []),
    ),
    parts: outcome.parts.map((part) => ({ ...part, id: part.listing })),
    changed: outcome.profile?.changed ?? [],
  })
}

/** Returns true if the job succeeded. */
export const isDone = ({ kind }: Pick<OutcomeData, 'kind'>): boolean => isSuccess(kind)

/** Ids of the plugins of a job. */
const idsOf = ({ listing, more }: Pick<Job, 'listing' | 'more'>): readonly string[] =>
  listing === null ? [] : [listing, ...more]

export const JobData = v.object({
  ...v.pick(JobSchema, ['action', 'command', 'output']).entries,
  /** Ids of its plugins. It changes all of them or none. */
  ids: Texts,
  job: Exact,
  outcome: OutcomeData,
  /** File with its whole log; null when none is kept. */
  log: ExactOrNull,
})
export type JobData = v.InferOutput<typeof JobData>

/** Most lines of output that are included for a failed job. */
const MOST_LINES = 20

/** Converts a job. @param log file with its whole log */
export const toJobData = (
  job: Job & { readonly outcome: Outcome },
  locale: Locale,
  log: string | null = null,
): JobData =>
  publish(JobData, {
    ...job,
    ids: idsOf(job),
    job: job.id,
    outcome: toOutcomeData(job.outcome, job.action, locale),
    output: isSuccess(job.outcome.kind) ? [] : job.output.slice(-MOST_LINES),
    log,
  })

export const PastJobData = v.object({
  ...v.pick(HistoryEntrySchema, ['action', 'command', 'client']).entries,
  job: Exact,
  ids: Texts,
  startedAt: Exact,
  endedAt: Instant,
  outcome: OutcomeData,
  /** Dependencies that it changed: `before` is null for an added one, `after` for a removed one. */
  changes: v.array(v.object({ ...v.omit(HistoryEntrySchema.entries.changes.item, ['name']).entries, package: Text })),
  /** File with its log; null when none is kept. */
  log: ExactOrNull,
  /** Its log, when one job was named. */
  output: Texts,
})

export const toPastJobData = (
  entry: HistoryEntry,
  locale: Locale,
  given: { readonly log: string | null; readonly output: readonly string[] },
): v.InferOutput<typeof PastJobData> =>
  publish(PastJobData, {
    ...entry,
    job: entry.id,
    ids: idsOf(entry),
    startedAt: isoOf(entry.startedAt),
    endedAt: isoOf(entry.endedAt),
    outcome: toOutcomeData(entry.outcome, entry.action, locale),
    changes: entry.changes.map((change) => ({ ...change, package: change.name })),
    log: given.log,
    output: given.output,
  })
