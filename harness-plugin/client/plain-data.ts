/**
 * The only place that makes texts of the directory, of packages and of programs safe to show: without control
 * characters and without invisible characters.
 */
import { isVerdict } from '@plugmark/shared/contract'
import { contractMessages, type Locale } from '@plugmark/shared/i18n'
import type * as v from 'valibot'
import { messagesFor } from '../messages/index.ts'
import type {
  Compatibility,
  Fit,
  InstalledPlugin,
  Job,
  ListingDetails,
  Outcome,
  OutcomeKind,
  Review,
  StoreListing,
} from '../protocol/index.ts'
import { isSuccess } from '../protocol/next-steps.ts'
import { plainLines, plainName, plainText } from '../protocol/text.ts'
import { clientWords } from './client-words.ts'
import type { DetailsData, FitSchema, InstalledData, JobData, ListingData, ReviewData } from './plugin-data.ts'

const plain = (text: string) => plainText(text)
const plainOrNull = (text: string | null) => text && plainText(text)
const nameOrNull = (text: string | null) => text && plainName(text)

export function toListingData(row: StoreListing): ListingData {
  return {
    id: plainText(row.id),
    described: row.described,
    package: plainOrNull(row.npmPackage),
    category: nameOrNull(row.category),
    summary: plainOrNull(row.summary),
    summaryZh: plainOrNull(row.summaryZh),
    stars: row.stars,
    license: nameOrNull(row.license),
    language: nameOrNull(row.language),
    verdict: row.verdict,
    checkedAt: row.checkedAt,
    risks: row.riskFlags.map(plainName),
    blockedBuilds: row.blockedBuilds.map(plain),
    installable: row.installable,
    source: plainOrNull(row.repoUrl),
  }
}

export function toDetailsData(details: ListingDetails, profile: string, locale: Locale): DetailsData {
  const messages = contractMessages(locale)
  return {
    ...toListingData(details),
    command: details.command,
    profile,
    reason: details.reason && messages.reason(details.reason),
    riskMeanings: details.riskFlags.map((flag) => ({
      flag: plainName(flag),
      meaning: plainText(messages.riskFlag(flag).sentence),
    })),
    options: details.options.map((option) => ({
      label: plainText(option.label),
      note: plainText(option.note),
      command: option.command,
    })),
    siblings: details.siblings.map(plain),
    page: plainOrNull(details.page),
    pushedAt: details.pushedAt,
  }
}

export function toFitData(fit: Fit, locale: Locale): v.InferOutput<typeof FitSchema> {
  const t = messagesFor(locale)
  return {
    state: fit.state,
    plugin: plainOrNull(fit.plugin),
    harnessVersion: fit.harnessVersion,
    requirements: fit.requirements.map(plain),
    triedAt: fit.triedAt === null ? null : new Date(fit.triedAt).toISOString(),
    fitting: plainOrNull(fit.fitting),
    sentence: plainText([t.fit.sentence(fit), t.fit.evidence(fit)].filter(Boolean).join(' '), 500),
  }
}

/** Converts an installed plugin. @param listing its row, for the result of the install check */
export function toInstalledData(
  plugin: InstalledPlugin,
  listing: StoreListing | undefined,
  locale: Locale,
): InstalledData {
  const { unmanagedReason, waiting } = plugin
  return {
    package: plainText(plugin.name),
    id: plainOrNull(plugin.listing),
    spec: plainText(plugin.spec),
    version: plainOrNull(plugin.version),
    latest: plainOrNull(plugin.latest),
    waiting: waiting && {
      version: plainText(waiting.version),
      until: waiting.until,
      message: plainText(messagesFor(locale).installedView.waiting(waiting)),
    },
    loaded: plugin.layer,
    state: plugin.state.kind,
    doing: plainText(messagesFor(locale).pluginState.sentence(plugin.state), 500),
    next: nextCommands(plugin),
    held: plugin.hold && {
      reason: plainOrNull(plugin.hold.reason),
      since: new Date(plugin.hold.since).toISOString(),
    },
    verdict: listing?.verdict ?? null,
    checkedAt: listing?.checkedAt ?? null,
    managed: plugin.removable,
    why: unmanagedReason && clientWords(locale).unmanaged[unmanagedReason],
  }
}

/** Returns commands that solve the problem of a plugin that does not run. */
function nextCommands({ name, listing, state }: InstalledPlugin): string[] {
  const id = plainText(listing ?? name)
  return state.steps.flatMap((step) => {
    return step === 'allow-version' ? (state.allowCommand ?? []) : `plugmark ${step} ${id}`
  })
}

/** Converts a review. @param given.refusal code of the error that the change would end with; null if it would start */
export function toReviewData(
  review: Review,
  given: {
    readonly packageName: string | null
    readonly compatibility: Compatibility | null
    readonly refusal: string | null
  },
): ReviewData {
  const { packageName, refusal } = given
  const compatibility = given.compatibility && toCompatibilityData(given.compatibility)
  const { verdict } = review
  return {
    id: plainText(review.id),
    package: packageName,
    action: review.action,
    command: review.command,
    checkedCommand: review.checkedCommand,
    verdict,
    checkedAt: review.checkedAt,
    cautions: [...review.cautions],
    risks: review.riskFlags.map(plainName),
    blockedBuilds: review.blockedBuilds.map(plain),
    license: nameOrNull(review.license),
    source: plainText(review.repoUrl),
    trial: review.trial,
    otherPlugins: review.otherPlugins,
    builds: (review.approval?.builds ?? []).map(({ package: name, version, key, scripts }) => ({
      package: plainText(name),
      version: plainOrNull(version),
      key,
      scripts: Object.fromEntries(
        Object.entries(scripts).map(([script, text]) => [plainName(script), plainLines(text)]),
      ),
    })),
    buildSetting: review.approval?.setting ?? null,
    installed: plainOrNull(review.installed),
    compatibility,
    passedOver: review.passedOver && toCompatibilityData(review.passedOver),
    refusal:
      refusal === null ? null : { code: refusal, message: refusalText(refusal, { compatibility, verdict }, 'en') },
  }
}

const toCompatibilityData = (fit: Compatibility): NonNullable<ReviewData['compatibility']> => ({
  ...fit,
  plugin: plainText(fit.plugin),
  requirements: fit.requirements.map(plain),
  shadows: fit.shadows.map(plain),
  deprecated: plainOrNull(fit.deprecated),
  trial: fit.trial && { ...fit.trial, why: fit.trial.why.map(plain) },
})

/** Returns the reason why a change is refused before it starts. */
export function refusalText(
  code: string,
  { compatibility, verdict }: Pick<ReviewData, 'compatibility' | 'verdict'>,
  locale: Locale,
): string {
  if (code === 'incompatible' && compatibility !== null)
    return messagesFor(locale).review.compatibility.sentence(compatibility)
  const { name, sentence } = contractMessages(locale).verdict(isVerdict(verdict) ? verdict : null)
  return clientWords(locale).explained(name, sentence)
}

export type EndedJob = Job & { readonly outcome: Outcome }

/** Most lines of output that are included for a failed job. */
const MOST_LINES = 20

/**
 * Converts a job.
 *
 * @param nextSteps sentences by outcome that replace those of the screen, which names its own settings
 * @param log file with its whole log
 */
export function toJobData(
  { id, listing, more, action, command, outcome, output }: EndedJob,
  locale: Locale,
  nextSteps: Readonly<Record<string, string>> = {},
  log: string | null = null,
): JobData {
  return {
    ids: listing === null ? [] : [listing, ...more].map(plain),
    action,
    job: id,
    command,
    outcome: toOutcomeData(outcome, action, locale, nextSteps),
    output: isSuccess(outcome.kind) ? [] : output.slice(-MOST_LINES).map(plain),
    log,
  }
}

/** Converts the outcome of a job. @param nextSteps as for `toJobData` */
export function toOutcomeData(
  outcome: Outcome,
  action: Job['action'],
  locale: Locale,
  nextSteps: Readonly<Record<string, string>> = {},
): JobData['outcome'] {
  return {
    kind: outcome.kind,
    ...outcomeText(outcome, action, locale, nextSteps),
    subjects: outcome.subjects.map(plain),
    parts: outcome.parts.map(({ listing, kind, subjects }) => ({
      id: plainText(listing),
      kind,
      subjects: subjects.map(plain),
    })),
    rollback: outcome.rollback,
    changed: [...(outcome.profile?.changed ?? [])],
    quarantined: [...outcome.quarantined],
    activation: outcome.activation,
    trial: outcome.trial && { ...outcome.trial },
    removeCommand: outcome.removeCommand,
    allowCommand: outcome.allowCommand,
  }
}

/** Returns true if the job succeeded. */
export const isDone = ({ kind }: Pick<JobData['outcome'], 'kind'>): boolean => isSuccess(kind as OutcomeKind)

function outcomeText(
  outcome: Outcome,
  action: Job['action'],
  locale: Locale,
  nextSteps: Readonly<Record<string, string>>,
): { readonly title: string; readonly message: string } {
  const t = messagesFor(locale)
  const { title, next } = t.outcome[outcome.kind]({ ...outcome, subjects: outcome.subjects.map(plain), action })
  return {
    title,
    message: t.sentences(
      nextSteps[outcome.kind] ?? next,
      ...(outcome.rollback === null ? [] : [t.rollback(outcome.rollback, outcome.profile)]),
      ...(outcome.quarantined.length > 0 ? [t.quarantined(outcome.quarantined)] : []),
    ),
  }
}
