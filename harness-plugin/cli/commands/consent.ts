/** A yes to reviews: a person says it, or a digest does. */
import { createHash } from 'node:crypto'
import type { ReviewData } from '../../client/published.ts'
import { knownAgainst } from '../../client/store-client.ts'
import { agreedVersion, fitCautions } from '../../protocol/fit.ts'
import type { DataOf } from '../documents.ts'
import { Failure, type FailureCode } from '../failure.ts'
import type { Session } from '../session.ts'
import type { LocalizedText } from '../words/index.ts'

/** Asks a person. @throws Failure unless the person agreed to these reviews */
export async function agree(
  session: Session,
  data: DataOf<'check'>,
  given: {
    readonly action: 'install' | 'update' | 'remove'
    readonly place: Place
    /** Digest that agrees, and keys of the build scripts that may run. */
    readonly accept?: string | undefined
    readonly allowBuild?: readonly string[] | undefined
    /** Command that agrees to these reviews. */
    readonly accepting: string
    /** True if an earlier round has changed something. */
    readonly hasChanged: boolean
  },
): Promise<void> {
  const { action, place, accept, allowBuild = [], accepting, hasChanged } = given
  const needed = buildKeysOf(data.reviews)
  if (accept !== undefined && !agreesTo(accept, data.reviews, place))
    throw unagreed('consent-changed', ({ failures }) => failures.reviewChanged, accepting)
  const extra = allowBuild.find((key) => !needed.includes(key))
  if (extra !== undefined) throw unagreed('nothing-blocked', ({ failures }) => failures.noBuildOfKey(extra), accepting)
  const missing = needed.filter((key) => !allowBuild.includes(key))
  if (accept !== undefined) {
    if (missing.length === 0) return
    throw unagreed('builds-need-approval', ({ failures }) => failures.buildKeys(missing), accepting)
  }
  if (!session.canAsk) throw unagreed('consent-needed', ({ failures }) => failures.consent, accepting)
  const { ask, reviewLines } = await import('../text/review.ts')
  const question = session.words.question[needed.length > 0 ? 'builds' : action]
  if (await ask(session, question, (page) => reviewLines(data, page))) return
  throw new Failure('cancelled', ({ failures, declined }) => (hasChanged ? failures.cancelled : declined))
}

/** Returns the keys of the build scripts that wait for a yes. */
export const buildKeysOf = (reviews: readonly ReviewData[]): string[] =>
  reviews.flatMap(({ builds }) => builds.map(({ key }) => key))

/**
 * Returns a failure that a person's yes resolves. The command that passes it on is in the data and not the next step: a
 * program that runs the next step must not consent.
 */
const unagreed = (code: FailureCode, text: LocalizedText, accept: string): Failure =>
  new Failure(code, text, { next: ({ failures }) => failures.showReview, data: { accept } })

// Digests of what was reviewed

export type Place = { readonly profile: string; readonly home: string; readonly directory: string | null }

/** Returns the digest of reviews and their place: another review or another profile has another digest. */
export function digestOf(reviews: readonly ReviewData[], { profile, home, directory }: Place): string {
  // What was read of a package is about its version, which the digest has. What is known against it changes.
  const facts = reviews.map(({ compatibility, inspection, missing: _, ...review }) => [
    review,
    packageFacts(compatibility),
    knownAgainst(inspection),
  ])
  return createHash('sha256')
    .update(JSON.stringify([directory, home, profile, facts]))
    .digest('hex')
}

/**
 * Returns true if a digest agrees to these reviews. Accepts a digest from a time when the packages or the version of the
 * harness could not be read, unless there is a warning now: a slow machine does not change the facts.
 */
export function agreesTo(digest: string, reviews: readonly ReviewData[], place: Place): boolean {
  const isOf = (asRead: (fit: Compatibility) => Compatibility) =>
    digest ===
    digestOf(
      reviews.map((review) => ({ ...review, compatibility: asRead(review.compatibility) })),
      place,
    )
  if (isOf((fit) => fit)) return true
  const hasNewWarning = reviews.some(({ compatibility }) => fitCautions(compatibility).length > 0)
  return (
    !hasNewWarning && (isOf(() => null) || isOf((fit) => fit && { ...fit, state: 'unknown', harnessVersion: null }))
  )
}

type Compatibility = ReviewData['compatibility']

/** Returns what was read of a package and the harness; null for an unread package. A trial that ended is no other fact. */
const packageFacts = (fit: Compatibility) => (agreedVersion(fit) === null ? null : { ...fit, trial: null })
