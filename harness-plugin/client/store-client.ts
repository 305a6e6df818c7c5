import { isDoubtful } from '@plugmark/shared/contract'
import type { AllListings, StoreHost } from '../host/index.ts'
import type {
  CallInput,
  CallName,
  CallResult,
  CatalogueStatus,
  DeclaredFit,
  FactRefusal,
  Inspection,
  InstalledPlugin,
  Job,
  KnownFacts,
  LockedHold,
  Refusal,
  Review,
} from '../protocol/index.ts'
import { AWAITED, DECIDING, type FactName, inspectionOf, REVIEW_FACTS, refusalOf } from '../protocol/review-facts.ts'
import { isFresh } from '../search/listings.ts'
import { Client, type Intent, needsListing } from './client.ts'
import { ClientError, errorOf, unwrap } from './client-error.ts'

/** Time limits for reading the directory, in ms: of all, and until something arrives; and both without a stored index. */
const READ_LIMIT_MS = 20_000
const SILENCE_LIMIT_MS = 5_000
const FIRST_READ_LIMIT_MS = 120_000
const FIRST_SILENCE_LIMIT_MS = 10_000
/** Time that a review waits for facts that do not decide, in ms. */
const OTHERS_MS = 5_000

export type ChangeAction = 'install' | 'update' | 'remove'

/** Plugin that a text names; `name-lookup.ts` finds it. */
export interface Target {
  readonly intent: Intent
  /** Name of its package; null when it is unknown. */
  readonly package: string | null
}

export interface ChangeRequest {
  readonly action: ChangeAction
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
  readonly hold?: LockedHold
}

/**
 * The client for the command line, MCP and agents' tools, which wait for one thing at a time: every method either returns
 * a result or throws a ClientError, and its texts are safe to show.
 */
export class StoreClient extends Client {
  readonly host: StoreHost
  readonly signal: AbortSignal

  /** @param signal ends all waiting; a method that was waiting then rejects with its reason */
  constructor(host: StoreHost, signal: AbortSignal) {
    super({ call: (name, input) => host.calls[name](input) })
    this.host = host
    this.signal = signal
  }

  /** Makes a call. @returns its result @throws ClientError when the host refuses */
  async ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallResult<Name>> {
    return unwrap(await this.call(name, input))
  }

  installed(profile: string, { checkUpdates = false } = {}): Promise<readonly InstalledPlugin[]> {
    return this.ask(checkUpdates ? 'checkUpdates' : 'installed', { profile })
  }

  // The directory

  /**
   * Returns every listing. Reads the directory first, unless the stored index is fresh; where the directory cannot be
   * reached, an older index is used.
   *
   * @param options.refresh true to read the directory in any case
   * @param options.replace true when the user agreed to the `difference` of the status
   * @param options.stale `use` to return a stale index at once, which the host then refreshes in the background
   * @throws ClientError when there is neither
   */
  async listings({
    refresh = false,
    replace = false,
    stale = 'wait',
  }: {
    refresh?: boolean
    replace?: boolean
    stale?: 'wait' | 'use'
  } = {}): Promise<AllListings> {
    const status = await this.status()
    const isUsable = status.count > 0 && (stale === 'use' || isFresh(status))
    if (refresh || !isUsable) await this.#readDirectory({ hasStored: status.count > 0 && !refresh, replace })
    else if (!isFresh(status)) await this.ask('overview', {})
    const listings = await this.host.listings()
    this.signal.throwIfAborted()
    const { count, failure, loadedAt } = listings.status
    if (count === 0 && (failure !== null || loadedAt === null)) throw unreadError(listings.status)
    return listings
  }

  async status(): Promise<CatalogueStatus> {
    return (await this.ask('listings', { from: 0 })).status
  }

  async #readDirectory({ hasStored, replace }: { hasStored: boolean; replace: boolean }): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const limit = setTimeout(resolve, hasStored ? READ_LIMIT_MS : FIRST_READ_LIMIT_MS)
    const silence = setTimeout(resolve, hasStored ? SILENCE_LIMIT_MS : FIRST_SILENCE_LIMIT_MS)
    const unsubscribe = this.host.subscribe(({ type }) => {
      if (type === 'catalogue') silence.refresh()
    })
    const stop = () => resolve()
    this.signal.addEventListener('abort', stop)
    try {
      if (!this.signal.aborted) await Promise.race([this.host.readDirectory({ replace, force: !hasStored }), over])
    } finally {
      this.signal.removeEventListener('abort', stop)
      unsubscribe()
      clearTimeout(limit)
      clearTimeout(silence)
    }
  }

  // A change: its review, and its job

  /**
   * Reviews a change of one plugin. Before an install or an update, asks the directory for the plugin itself.
   *
   * @throws ClientError when it cannot be reviewed; a change that would be refused has a review with `refusal`
   */
  async review({ intent, package: packageName }: Target, request: ChangeRequest): Promise<Reviewed> {
    const { id } = intent
    const { profile, inspects = true } = request
    if (needsListing(intent)) {
      const confirmed = await this.host.confirm(id)
      if (!confirmed.ok) throw directoryNeeded(confirmed)
      if (!confirmed.value) throw new ClientError('unknown-listing', (words) => words.noLongerListed(id))
    }
    this.signal.throwIfAborted()
    const answer = await this.requestReview(intent, profile)
    if (!answer.ok) throw answer.code === 'directory' ? directoryNeeded(answer) : errorOf(answer)
    const wanted = inspects ? REVIEW_FACTS : DECIDING
    const facts = await this.#readFacts(answer.value, wanted)
    this.signal.throwIfAborted()
    return {
      review: answer.value,
      package: packageName,
      fit: facts.fit ?? null,
      inspection: inspectionOf(facts, answer.value.id),
      missing: REVIEW_FACTS.filter((name) => facts[name] === undefined),
      refusal: refusedFor(answer.value, facts, request),
    }
  }

  /**
   * Reads the facts of a review as far as a question needs them: what is known against the package, what it can do, and
   * what else comes soon. A refusal needs no more facts.
   */
  async #readFacts(review: Review, wanted: readonly FactName[]): Promise<KnownFacts> {
    let known: KnownFacts = {}
    const isEnough = () =>
      refusalOf(known) !== null || AWAITED.every((name) => !wanted.includes(name) || known[name] !== undefined)
    const late = Promise.withResolvers<void>()
    let isLate = false
    const limit = setTimeout(() => {
      isLate = true
      if (isEnough()) late.resolve()
    }, OTHERS_MS)
    const following = this.followFacts(
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

  /**
   * Waits for a job's end.
   *
   * @param options.signal ends the waiting
   * @param options.cancels true to have the signal cancel the job instead, and wait for the end of its rollback
   * @param options.forMs limit of the waiting, in ms, which begins again when the job is cancelled @default none
   * @returns the job as it is then
   * @throws ClientError when no job has this id
   */
  async waitFor(
    id: string,
    { signal, cancels = false, forMs }: { signal: AbortSignal; cancels?: boolean; forMs?: number },
  ): Promise<Job> {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const unsubscribe = this.host.subscribe((event) => {
      if (event.type === 'job' && event.job.id === id && event.job.state === 'done') resolve()
    })
    const limit = forMs === undefined ? undefined : setTimeout(resolve, forMs)
    const stop = () => {
      if (!cancels) return resolve()
      limit?.refresh()
      void this.call('cancel', { job: id })
    }
    signal.addEventListener('abort', stop)
    try {
      if (signal.aborted) stop()
      const begun = this.host.job(id)
      if (begun !== null && begun.state !== 'done') await over
      const job = this.host.job(id)
      if (job === null) throw new ClientError('unknown-job', (words) => words.unknownJob)
      return job
    } finally {
      signal.removeEventListener('abort', stop)
      clearTimeout(limit)
      unsubscribe()
    }
  }
}

/** Returns what the yes to a review starts. The question named every warning. */
export const agreedTo = ({ review: { id, token }, hold }: Pick<Reviewed, 'review' | 'hold'>) => ({
  id,
  token,
  acknowledged: true,
  ...(hold && { hold }),
})

/** Returns what is known against a package and what is installed with it, to which a yes is bound. */
export const knownAgainst = (inspection: Inspection | null): readonly string[] =>
  (inspection?.advisories?.found ?? []).map((one) => [one.package, one.title, one.severity].join(' ')).toSorted()

export const unreadError = ({ failure }: CatalogueStatus): ClientError =>
  new ClientError('directory', (words, locale) => (locale === 'en' ? failure?.message : null) ?? words.unread, {
    next: { call: 'try-again' },
  })

const directoryNeeded = ({ message }: Refusal) =>
  new ClientError('directory-needed', (words) => words.notFromStored(message), { next: { call: 'try-again' } })

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
