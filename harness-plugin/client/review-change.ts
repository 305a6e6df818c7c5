import { isDoubtful } from '@plugmark/shared/contract'
import { contractMessages } from '@plugmark/shared/i18n'
import type { StoreHost } from '../host/index.ts'
import type { DeclaredFit, FactRefusal, Inspection, KnownFacts, PluginSet, Refusal, Review } from '../protocol/index.ts'
import { AWAITED, type FactName, inspectionOf, REVIEW_FACTS, refusalOf } from '../protocol/review-facts.ts'
import { type Client, type Intent, needsListing } from './client.ts'
import { ClientError, errorOf } from './client-error.ts'

export type Change = 'install' | 'update' | 'remove'

export interface Target {
  readonly intent: Intent
  /** Name of its package; null when it is unknown. */
  readonly package: string | null
}

export interface ChangeRequest {
  readonly action: Change
  readonly profile: string
  /** Verdict to accept although the command is known not to work. */
  readonly allowVerdict?: string | undefined
  /** False to read only what decides whether the change may start. @default true */
  readonly inspects?: boolean
}

/** A review, with what was read for it. */
export interface Reviewed {
  readonly review: Review
  /** Name of its package; null when it is unknown. */
  readonly package: string | null
  /** Null when it is not known beforehand. */
  readonly fit: DeclaredFit | null
  /** Facts that were read of the package; null for a removal and the like. */
  readonly inspection: Inspection | null
  /** Facts that were not known yet. */
  readonly missing: readonly FactName[]
  /** Code of the error that the change would end with; null if it would start. */
  readonly refusal: FactRefusal | 'refused-verdict' | null
  /** Holds the plugin once it is changed. Null or missing to change no hold. */
  readonly hold?: PluginSet['plugins'][number]['hold']
}

/**
 * Reviews a change of one plugin. Before an install or an update, asks the directory for the plugin itself.
 *
 * @throws ClientError when it cannot be reviewed; a change that would be refused has a review with `refusal`
 */
export async function reviewChange(
  client: Client & { readonly host: Pick<StoreHost, 'confirm'> },
  { intent, package: packageName }: Target,
  request: ChangeRequest,
  signal: AbortSignal,
): Promise<Reviewed> {
  const { id } = intent
  if (needsListing(intent)) {
    const confirmed = await client.host.confirm(id)
    if (!confirmed.ok) throw directoryNeeded(confirmed)
    if (!confirmed.value) throw new ClientError('unknown-listing', (words) => words.noLongerListed(id))
  }
  signal.throwIfAborted()
  const answer = await client.requestReview(intent, request.profile)
  if (!answer.ok) {
    if (answer.code === 'directory') throw directoryNeeded(answer)
    if (answer.code === 'not-installable') throw await notInstallable(client, { id, profile: request.profile }, answer)
    throw errorOf(answer)
  }
  const review = answer.value
  const wanted = request.inspects === false ? DECIDING : REVIEW_FACTS
  const facts = await readFacts(client, review, wanted)
  signal.throwIfAborted()
  return {
    review,
    package: packageName,
    fit: facts.fit ?? null,
    inspection: request.inspects === false ? null : inspectionOf(facts, review.id),
    missing: wanted.filter((name) => facts[name] === undefined),
    refusal: refusedFor(review, facts, request),
  }
}

/** Facts that decide whether a change may start. */
const DECIDING: readonly FactName[] = ['fit', 'advisories']
/** Time that a question waits for the other facts, in ms. */
const OTHERS_MS = 5_000

/**
 * Reads the facts of a review as far as a question needs them: what is known against the package, what it can do, and what
 * else comes soon. A refusal needs no more facts.
 */
async function readFacts(client: Client, review: Review, wanted: readonly FactName[]): Promise<KnownFacts> {
  let known: KnownFacts = {}
  const isEnough = () =>
    refusalOf(known) !== null || AWAITED.every((name) => !wanted.includes(name) || known[name] !== undefined)
  const late = Promise.withResolvers<void>()
  let isLate = false
  const limit = setTimeout(() => {
    isLate = true
    if (isEnough()) late.resolve()
  }, OTHERS_MS)
  const following = client.followFacts(
    review,
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
  client: Client,
  target: { readonly id: string; readonly profile: string },
  refusal: Refusal,
): Promise<ClientError> {
  const details = await client.call('details', target)
  const reason = details.ok ? details.value.reason : null
  if (reason === null) return errorOf(refusal)
  return new ClientError(refusal.code, (_, locale) => contractMessages(locale).reason(reason))
}

/** Returns the code of the error that a change would end with; null if it would start. */
function refusedFor(
  { verdict }: Review,
  facts: KnownFacts,
  { action, allowVerdict }: ChangeRequest,
): Reviewed['refusal'] {
  const refusal = refusalOf(facts)
  if (refusal !== null) return refusal
  const isRefused = action === 'install' && isDoubtful(verdict) && verdict !== allowVerdict
  return isRefused ? 'refused-verdict' : null
}
