import { createHash } from 'node:crypto'
import { contractMessages } from '@plugmark/shared/i18n'
import type { StoreHost } from '../host/index.ts'
import { plainLines, plainName, plainText } from '../messages/plain.ts'
import { compatibilityCautions } from '../protocol/compatibility-cautions.ts'
import type { Compatibility, JobAction, Refusal, Review } from '../protocol/index.ts'
import type { ReviewData } from './documents.ts'
import { Failure, type FailureCode, unwrap } from './failure.ts'
import { refusalText } from './outcome-text.ts'
import type { Session } from './session.ts'
import { BAD_VERDICTS } from './verdicts.ts'

export type Change = 'install' | 'update' | 'remove'

/** What is to be done with one plugin. */
export interface Wish {
  readonly id: string
  readonly package: string | null
}

/** A review, as it is shown, and what starts it. */
export interface Reviewed {
  readonly data: ReviewData
  readonly token: string
}

/**
 * Reviews a change of one plugin: what the directory says now, not what its copy says. A removal goes without.
 *
 * @param given.allowVerdict verdict that is accepted although the command is known not to work
 * @throws Failure when it cannot be reviewed at all
 */
export async function reviewChange(
  session: Session,
  { id, package: name }: Wish,
  given: { readonly action: Change; readonly profile: string; readonly allowVerdict?: string | undefined },
): Promise<Reviewed> {
  const { action, profile } = given
  const host = await session.openHost()
  if (action !== 'remove') {
    const confirmed = await host.confirm(id)
    if (!confirmed.ok) throw directoryNeeded(confirmed)
    if (!confirmed.value) throw new Failure('unknown-listing', ({ failures }) => failures.noLongerListed(id))
  }
  session.signal.throwIfAborted()
  const review = await approvable(session, id, profile, action)
  if (!review.ok) {
    if (review.code === 'directory') throw directoryNeeded(review)
    if (review.code === 'not-installable') throw await notInstallable(host, { id, profile }, review)
    throw new Failure(review.code, review.message)
  }
  const compatibility = unwrap(await host.calls.compatibility({ id: review.value.id, token: review.value.token }))
  const refusal = refusalOf(review.value, compatibility, given)
  return { data: toData(review.value, { name, compatibility, refusal }), token: review.value.token }
}

/** The review of a change; where build scripts are known to block it, that of their approval, which makes it. */
async function approvable(session: Session, id: string, profile: string, action: JobAction) {
  const host = await session.openHost()
  if (action === 'install' || action === 'update') {
    const approval = await host.calls.review({ id, profile, action: 'approve' })
    if (approval.ok) return approval
  }
  return host.calls.review({ id, profile, action })
}

const directoryNeeded = ({ message }: Refusal) =>
  new Failure('directory-needed', ({ failures }) => failures.notFromCopy(message), {
    next: ({ failures }) => failures.tryAgain,
  })

/** Says why, which the directory knows, in the person's language. */
async function notInstallable(
  host: StoreHost,
  given: { readonly id: string; readonly profile: string },
  { code, message }: Refusal,
): Promise<Failure> {
  const details = await host.calls.details(given)
  const reason = details.ok ? details.value.reason : null
  return new Failure(code, reason === null ? message : (_, locale) => contractMessages(locale).reason(reason))
}

/** Why a change is refused before it is tried; null when it is not. */
function refusalOf(
  { verdict }: Review,
  fit: Compatibility | null,
  { action, allowVerdict }: { readonly action: Change; readonly allowVerdict?: string | undefined },
): FailureCode | null {
  if (fit?.state === 'refused') return 'incompatible'
  const isBad = verdict !== null && (BAD_VERDICTS as readonly string[]).includes(verdict) && verdict !== allowVerdict
  return action === 'install' && isBad ? 'refused-verdict' : null
}

function toData(
  review: Review,
  given: {
    readonly name: string | null
    readonly compatibility: Compatibility | null
    readonly refusal: FailureCode | null
  },
): ReviewData {
  const { compatibility, name, refusal } = given
  const fit = compatibility && {
    ...compatibility,
    plugin: plainText(compatibility.plugin),
    requirements: compatibility.requirements.map((text) => plainText(text)),
    shadows: compatibility.shadows.map((text) => plainText(text)),
    deprecated: compatibility.deprecated && plainText(compatibility.deprecated),
  }
  const { verdict } = review
  return {
    id: review.id,
    package: name,
    action: review.action as ReviewData['action'],
    command: review.command,
    checkedCommand: review.checkedCommand,
    verdict,
    checkedAt: review.checkedAt,
    cautions: [...review.cautions],
    risks: review.riskFlags.map(plainName),
    blockedBuilds: review.blockedBuilds.map((text) => plainText(text)),
    license: review.license && plainName(review.license),
    source: plainText(review.repoUrl),
    trial: review.trial,
    otherPlugins: review.otherPlugins,
    builds: (review.approval?.builds ?? []).map(({ package: name, version, key, scripts }) => ({
      package: plainText(name),
      version: version && plainText(version),
      key,
      scripts: Object.fromEntries(
        Object.entries(scripts).map(([script, text]) => [plainName(script), plainLines(text)]),
      ),
    })),
    buildSetting: review.approval?.setting ?? null,
    compatibility: fit,
    refusal: refusal && { code: refusal, message: refusalText(refusal, { compatibility: fit, verdict }, 'en') },
  }
}

type Place = { readonly profile: string; readonly home: string; readonly directory: string | null }

/** Returns the digest of all that was reviewed: another review, or another profile, has another digest. */
export const digestOf = (reviews: readonly ReviewData[], place: Place): string =>
  hash(
    reviews.map(({ compatibility, ...review }) => [review, packageFacts(compatibility)]),
    place,
  )

/**
 * Returns true if a digest agrees to these reviews. It may be from when the packages could not be read in time, as long as
 * what is known now is no warning: the digest is over facts, and a slow machine changes none.
 */
export function agreesTo(digest: string, reviews: readonly ReviewData[], place: Place): boolean {
  if (digest === digestOf(reviews, place)) return true
  const hasNewWarning = reviews.some(({ compatibility }) => compatibilityCautions(compatibility).length > 0)
  return (
    !hasNewWarning &&
    digest ===
      digestOf(
        reviews.map((review) => ({ ...review, compatibility: null })),
        place,
      )
  )
}

/** Returns what is known of a package and the harness; null unless both could be read. */
const packageFacts = (fit: ReviewData['compatibility']) => (fit === null || fit.state === 'unknown' ? null : fit)

const hash = (facts: unknown, { profile, home, directory }: Place): string =>
  createHash('sha256')
    .update(JSON.stringify([directory, home, profile, facts]))
    .digest('hex')
