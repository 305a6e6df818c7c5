import { isOnlySource } from '@plugmark/shared/install'
import { refusalText } from '../client/published.ts'
import { agreesTo, type Change, digestOf, type Reviewed } from '../client/review-change.ts'
import type { AllListings } from '../host/index.ts'
import type { DataOf, Skipped } from './documents.ts'
import { Failure, type FailureCode, toFailure } from './failure.ts'
import { readListings } from './read-listings.ts'
import type { Session } from './session.ts'
import { textIn } from './words/index.ts'

export interface ChangeOptions {
  readonly profile?: string | undefined
  readonly accept?: string | undefined
  readonly allowBuild?: string[] | undefined
  readonly allowVerdict?: string | undefined
  /** True to run one job for each plugin, and skip plugins that cannot be changed. */
  readonly each?: boolean | undefined
  /** True for every plugin that has an update. */
  readonly all?: boolean | undefined
  /** True if a person may install what the directory does not list. */
  readonly unlisted?: boolean | undefined
  /** True to review without changing anything. */
  readonly dryRun?: boolean | undefined
  /** Command that makes the same changes. @default the action with its ids */
  readonly typed?: readonly string[] | undefined
}

/** Requested changes, as typed. */
export interface Plan {
  readonly profile: string
  readonly action: Change
  readonly ids: readonly string[]
  readonly options: ChangeOptions
  /** True to accept a name that only one plugin has. */
  readonly byName?: boolean
}

/** Reviews that a person is asked to agree to. */
export interface Reviews {
  readonly reviewed: readonly ReviewedText[]
  readonly skipped: readonly Skipped[]
  readonly digest: string
  /** Returns true if a digest that a person accepted agrees to these reviews. */
  readonly isAccepted: (digest: string) => boolean
  /** Listings of the directory; null for a removal. */
  readonly listings: AllListings | null
}

/** A review, and the text that named its plugin. */
export type ReviewedText = Reviewed & { readonly text: string }

export const toCheckData = ({ profile }: Plan, { digest, reviewed, skipped }: Reviews): DataOf<'check'> => ({
  profile,
  digest,
  reviews: reviewed.map(({ data }) => data),
  skipped: [...skipped],
})

/**
 * Reviews everything that was asked for.
 *
 * @throws Failure for the first change that is impossible; with --each skips it, and throws only when none is left
 */
export async function reviewAll(session: Session, plan: Plan): Promise<Reviews> {
  // A removal needs the profile, not the directory, and so does a source.
  const listings = plan.action !== 'remove' && plan.ids.some(needsListing) ? await readListings(session) : null
  const { home } = await session.openHost()
  const reviewed = new Map<string, ReviewedText>()
  const skipped: Skipped[] = []
  let first: Failure | null = null
  for (const id of plan.ids) {
    try {
      const one = await reviewOne(session, plan, id, listings)
      if (one.data.refusal !== null && plan.options.each) throw refused(session, plan, one)
      reviewed.set(one.data.id, one)
    } catch (error) {
      const failure = toFailure(error, session.signal, session)
      if (!plan.options.each || !(failure.code in SKIPS)) throw failure
      first ??= failure
      skipped.push(toSkipped(session, id, failure))
    }
  }
  const all = [...reviewed.values()]
  const data = all.map(({ data }) => data)
  const place = { profile: plan.profile, home, directory: session.directory.url }
  const digest = digestOf(data, place)
  const isAccepted = (accepted: string) => agreesTo(accepted, data, place)
  const reviews: Reviews = { reviewed: all, skipped, digest, isAccepted, listings }
  if (all.length === 0 && first !== null) throw first.with({ data: toCheckData(plan, reviews) })
  const bad = all.find(({ data }) => data.refusal !== null)
  if (bad) throw refused(session, plan, bad).with({ data: toCheckData(plan, reviews) })
  return reviews
}

export async function reviewOne(
  session: Session,
  plan: Plan,
  id: string,
  listings: AllListings | null,
): Promise<ReviewedText> {
  const { action, profile, options, byName = false } = plan
  const client = await session.openClient()
  const request = { action, profile, allowVerdict: options.allowVerdict }
  const reviewed = await client.review(id, request, listings, { byName, unlisted: options.unlisted === true })
  return { ...reviewed, text: id }
}

/** Returns false for a text that can only be a source, which needs no directory. */
export const needsListing = (id: string): boolean => !isOnlySource(id)

/** Reasons to skip a plugin with --each, by error. */
const SKIPS: Readonly<Partial<Record<FailureCode, Skipped['reason']>>> = {
  'unknown-listing': 'not-found',
  ambiguous: 'ambiguous',
  'not-installable': 'no-command',
  'refused-verdict': 'refused-verdict',
  incompatible: 'incompatible',
  'not-installed': 'not-installed',
  'other-source': 'other-source',
}

export const toSkipped = ({ locale }: Session, id: string, error: Failure): Skipped => ({
  id,
  reason: SKIPS[error.code] ?? 'failed',
  message: textIn(locale, error.text),
})

function refused(session: Session, plan: Plan, { data }: Reviewed): Failure {
  const { code } = data.refusal!
  const allow =
    code === 'refused-verdict'
      ? planCommand(session, plan, ['--allow-verdict', data.verdict ?? ''])
      : data.compatibility?.allowCommand
  return new Failure(code as FailureCode, (words, locale) => words.labelled(data.id, refusalText(code, data, locale)), {
    next: allow && (({ failures }) => failures.allow(allow)),
  })
}

/** Renders the typed command with more options. */
export const planCommand = (session: Session, { action, ids, profile, options }: Plan, more: readonly string[]) =>
  session.command(
    ...[...(options.typed ?? [action, ...ids]), '--profile', profile],
    ...(options.each ? ['--each'] : []),
    ...(options.unlisted ? ['--unlisted'] : []),
    ...(options.allowVerdict && !more.includes('--allow-verdict') ? ['--allow-verdict', options.allowVerdict] : []),
    ...more,
  )
