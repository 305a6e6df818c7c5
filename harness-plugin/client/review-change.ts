import { createHash } from 'node:crypto'
import { isDoubtful } from '@plugmark/shared/contract'
import { contractMessages } from '@plugmark/shared/i18n'
import type { StoreHost } from '../host/index.ts'
import { fitCautions } from '../protocol/fit.ts'
import type { PluginSet, Refusal, Review } from '../protocol/index.ts'
import {
  type FactName,
  followFacts,
  inspectionOf,
  type KnownFacts,
  REVIEW_FACTS,
  refusalOf,
} from '../protocol/review-facts.ts'
import { ClientError, type ClientErrorCode, errorOf } from './client-error.ts'
import { type ReviewData, toReviewData } from './published.ts'

export type Change = 'install' | 'update' | 'remove'

export interface Target {
  readonly id: string
  readonly package: string | null
  /** True for a package that is removed without its listing: the directory lists none, or cannot be reached. */
  readonly isUnlisted?: boolean
  /** True if `id` is a source of an install that needs no listing. */
  readonly isSource?: boolean
  readonly version?: string
}

export interface ChangeRequest {
  readonly action: Change
  readonly profile: string
  /** Verdict to accept although the command is known not to work. */
  readonly allowVerdict?: string | undefined
  /** False to read only what decides whether the change may start. @default true */
  readonly inspects?: boolean
}

/** A review as it is shown, and the token that starts it. */
export interface Reviewed {
  readonly data: ReviewData
  readonly token: string
  /** Holds the plugin once it is changed. Null or missing to change no hold. */
  readonly hold?: PluginSet['plugins'][number]['hold']
}

/**
 * Reviews a change of one plugin. Before an install or an update, asks the directory for the plugin itself.
 *
 * @throws ClientError when it cannot be reviewed; a change that would be refused has a review with `refusal`
 */
export async function reviewChange(
  host: StoreHost,
  { id, package: packageName, isUnlisted = false, isSource = false, version }: Target,
  request: ChangeRequest,
  signal: AbortSignal,
): Promise<Reviewed> {
  const { action, profile } = request
  if (action !== 'remove' && !isSource) {
    const confirmed = await host.confirm(id)
    if (!confirmed.ok) throw directoryNeeded(confirmed)
    if (!confirmed.value) throw new ClientError('unknown-listing', (words) => words.noLongerListed(id))
  }
  signal.throwIfAborted()
  const review = isSource
    ? await host.calls.reviewSpec({ spec: id, profile })
    : isUnlisted && packageName !== null
      ? await host.calls.reviewPackage({ package: packageName, profile, action: 'remove' })
      : await host.calls.review({ id, profile, action, ...(version !== undefined && { version }) })
  if (!review.ok) {
    if (review.code === 'directory') throw directoryNeeded(review)
    if (review.code === 'not-installable') throw await notInstallable(host, { id, profile }, review)
    throw errorOf(review)
  }
  const { token } = review.value
  const wanted = request.inspects === false ? DECIDING : REVIEW_FACTS
  const facts = await readFacts(host, { id: review.value.id, token }, wanted)
  signal.throwIfAborted()
  const { fit: compatibility = null } = facts
  const refusal = refusedFor(review.value, facts, request)
  const inspection = request.inspects === false ? null : inspectionOf(facts, review.value.id)
  const missing = wanted.filter((name) => facts[name] === undefined)
  return { data: toReviewData(review.value, { packageName, compatibility, inspection, missing, refusal }), token }
}

/** Facts that decide whether a change may start. */
const DECIDING: readonly FactName[] = ['fit', 'advisories']
/** Facts that a question waits for. Each has a time limit of its own, after which it says that it is unknown. */
const NEEDED: readonly FactName[] = ['fit', 'advisories', 'code']
/** Time that a question waits for the other facts, in ms. */
const OTHERS_MS = 5_000

/**
 * Reads the facts of a review as far as a question needs them: what is known against the package, what it can do, and what
 * else comes soon. A refusal needs no more facts.
 */
export async function readFacts(
  host: Pick<StoreHost, 'calls'>,
  review: { readonly id: string; readonly token: string },
  wanted: readonly FactName[] = REVIEW_FACTS,
): Promise<KnownFacts> {
  let known: KnownFacts = {}
  const isEnough = () =>
    refusalOf(known) !== null || NEEDED.every((name) => !wanted.includes(name) || known[name] !== undefined)
  const late = Promise.withResolvers<void>()
  let isLate = false
  const limit = setTimeout(() => {
    isLate = true
    if (isEnough()) late.resolve()
  }, OTHERS_MS)
  const following = followFacts(
    (wanted) => host.calls.facts({ ...review, wanted }),
    (facts) => {
      known = facts
      return refusalOf(known) === null && !(isLate && isEnough())
    },
    wanted,
  )
  await Promise.race([following, late.promise]).finally(() => clearTimeout(limit))
  return known
}

const directoryNeeded = ({ message }: Refusal) =>
  new ClientError('directory-needed', (words) => words.notFromStored(message), { next: { call: 'try-again' } })

async function notInstallable(
  host: StoreHost,
  target: { readonly id: string; readonly profile: string },
  refusal: Refusal,
): Promise<ClientError> {
  const details = await host.calls.details(target)
  const reason = details.ok ? details.value.reason : null
  if (reason === null) return errorOf(refusal)
  return new ClientError(refusal.code, (_, locale) => contractMessages(locale).reason(reason))
}

/** Returns the code of the error that a change would end with; null if it would start. */
function refusedFor(
  { verdict }: Review,
  facts: KnownFacts,
  { action, allowVerdict }: ChangeRequest,
): ClientErrorCode | null {
  const refusal = refusalOf(facts)
  if (refusal !== null) return refusal
  const isRefused = action === 'install' && isDoubtful(verdict) && verdict !== allowVerdict
  return isRefused ? 'refused-verdict' : null
}

type Place = { readonly profile: string; readonly home: string; readonly directory: string | null }

/** Returns the digest of reviews and their place: another review or another profile has another digest. */
export const digestOf = (reviews: readonly ReviewData[], place: Place): string =>
  hash(
    // What was read of a package is about its version, which the digest has.
    reviews.map(({ compatibility, inspection: _, missing: __, ...review }) => [review, packageFacts(compatibility)]),
    place,
  )

/**
 * Returns true if a digest agrees to these reviews. Accepts a digest from a time when the packages could not be read,
 * unless there is a warning now: a slow machine does not change the facts.
 */
export function agreesTo(digest: string, reviews: readonly ReviewData[], place: Place): boolean {
  if (digest === digestOf(reviews, place)) return true
  const hasNewWarning = reviews.some(({ compatibility }) => fitCautions(compatibility).length > 0)
  return (
    !hasNewWarning &&
    digest ===
      digestOf(
        reviews.map((review) => ({ ...review, compatibility: null })),
        place,
      )
  )
}

/**
 * Returns the compatibility facts of a package and the harness; null unless both could be read. A trial that ended
 * meanwhile is no other fact.
 */
const packageFacts = (fit: ReviewData['compatibility']) =>
  fit === null || fit.state === 'unknown' ? null : { ...fit, trial: null }

const hash = (facts: unknown, { profile, home, directory }: Place): string =>
  createHash('sha256')
    .update(JSON.stringify([directory, home, profile, facts]))
    .digest('hex')
