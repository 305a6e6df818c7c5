/** Hands out a review with a one-time token, tells what is read for it, and starts the job with the user's yes. */

import { randomBytes } from 'node:crypto'
import { agreedVersion, fitCautions } from '../../protocol/fit.ts'
import type {
  Advisories,
  Advisory,
  Answer,
  CallInput,
  Job,
  PlannedChange,
  Refusal,
  Review,
  StoreCalls,
} from '../../protocol/index.ts'
import { MAX_PLUGINS } from '../../protocol/limits.ts'
import { answer, refuse } from '../../protocol/protocol.ts'
import { malwareIn, type ReviewFacts, refusalOf, runsBuilds } from '../../protocol/review-facts.ts'
import { isToggle, type JobRequest, type OpenSync, type PluginChange } from '../harness/job.ts'
import { notLookedUp } from '../inspection/advisories.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { advisoriesOf, type UpdateStates } from '../plugins/updates.ts'
import { profileDirectory } from '../profile/home.ts'
import { declaresLayer, readProfileState } from '../profile/state.ts'
import type { FactReader } from './facts.ts'
import { type ReviewedChange, Reviewer, type ReviewParts } from './review.ts'

/** Time that a review stays valid, in ms. */
const REVIEW_VALID_MS = 10 * 60_000
/** Most reviews open at once; the oldest are dropped. Several pages can each review all updates. */
const MAX_OPEN_REVIEWS = 4 * MAX_PLUGINS

/** A review that waits for a yes. */
interface OpenReview extends ReviewedChange {
  readonly expiresAt: number
}

/** A review that the user agrees to, with the facts that decide whether its change may start. */
type ReviewToStart = CallInput<'start'> & Pick<ReviewFacts, 'fit' | 'advisories'> & { readonly allowsMore: boolean }

interface ConsentParts extends ReviewParts {
  readonly queue: JobQueue
  readonly syncs: Map<string, OpenSync>
  readonly updates: UpdateStates
}

/** The calls about a review, in the order of its life; and those that need none. */
export class Consent {
  readonly #home: string
  readonly #queue: JobQueue
  readonly #now: () => number
  readonly #syncs: Map<string, OpenSync>
  readonly #updates: UpdateStates
  readonly #reviewer: Reviewer
  readonly #open = new Map<string, OpenReview>()

  constructor(parts: ConsentParts) {
    this.#updates = parts.updates
    this.#syncs = parts.syncs
    this.#home = parts.settings.home
    this.#queue = parts.queue
    this.#now = parts.now
    this.#reviewer = new Reviewer(parts)
  }

  get calls() {
    const reviewer = this.#reviewer
    return {
      review: async (input) => this.#issue(await reviewer.ofListing(input)),
      reviewPackage: async (input) => this.#issue(await reviewer.ofPackage(input)),
      reviewSpec: async (input) => this.#issue(await reviewer.ofSpec(input)),
      facts: ({ wanted, ...review }) => this.#tell(review, (reader) => reader.next(wanted)),
      diff: (input) => this.#tell(input, (reader) => reader.diff()),
      start: ({ byAgent, ...reviewed }) => this.#start([reviewed], byAgent),
      startAll: ({ reviews, byAgent, sync }) => this.#start(reviews, byAgent, sync),
      cancel: async ({ job: id }) => {
        this.#queue.cancel(id)
        const job = this.#queue.job(id)
        return job === null ? refuse('unknown-job', 'This job is no longer known.') : answer(job)
      },
      switchPlugin: (input) => this.#switchPlugin(input),
    } satisfies Partial<StoreCalls>
  }

  /** Opens a review: hands out the token that starts its change. */
  #issue(reviewed: ReviewedChange | Refusal): Answer<Review> {
    if ('ok' in reviewed) return reviewed
    const token = randomBytes(32).toString('base64url')
    const now = this.#now()
    // A review that nobody agreed to holds the package that it read.
    for (const [old, { expiresAt }] of this.#open) if (expiresAt <= now) this.#end(old)
    const [oldest] = this.#open.keys()
    if (this.#open.size >= MAX_OPEN_REVIEWS && oldest !== undefined) this.#end(oldest)
    const expiresAt = now + REVIEW_VALID_MS
    this.#open.set(token, { ...reviewed, expiresAt })
    return answer({ ...reviewed.review, token, expiresAt })
  }

  /** Answers with what is read for an open review. */
  async #tell<T>(
    { id, token }: { readonly id: string; readonly token: string },
    read: (reader: FactReader) => Promise<T>,
  ): Promise<Answer<T>> {
    const review = this.#read(token, id)
    return review === null ? badToken() : answer(await read(review.reader))
  }

  /** Returns the review of a token; null when it is unknown, used, expired, or of another listing. */
  #read(token: string, id: string): OpenReview | null {
    const review = this.#open.get(token)
    if (review === undefined) return null
    if (review.expiresAt > this.#now()) return review.change.listing === id ? review : null
    this.#end(token)
    return null
  }

  /** Starts the changes of open reviews as one job. @param syncToken that of the sync that they are of */
  async #start(reviewed: readonly CallInput<'start'>[], byAgent = false, syncToken?: string): Promise<Answer<Job>> {
    const accepted = this.#accept(await Promise.all(reviewed.map((one) => this.#decide(one))), byAgent)
    if ('ok' in accepted) return accepted
    const { changes } = accepted
    const request = syncToken === undefined ? this.#toOneJob(changes) : this.#toSync(changes, syncToken)
    if ('ok' in request) return request
    for (const { token } of reviewed) this.#end(token)
    const allowsMore = async () => (await accepted.allowsMore()) || (await request.allowsMore?.()) === true
    return answer(await this.#queue.add({ ...request, ...accepted, allowsMore }))
  }

  #toOneJob(changes: readonly PluginChange[]): JobRequest | Refusal {
    const [first, ...others] = changes
    if (first === undefined || !isOneJob(changes)) return refuse('malformed', 'These reviews cannot be one job.')
    if (changes.some(({ listing, plan }) => this.#queue.unfinished(listing, plan.profile))) return alreadyRunning()
    return toRequest([first, ...others])
  }

  /** Creates the request for a sync, if exactly the changes of its plugins have been reviewed. */
  #toSync(changes: readonly PluginChange[], syncToken: string): JobRequest | Refusal {
    const target = this.#syncs.get(syncToken)
    if (target === undefined || target.expiresAt <= this.#now()) return badToken()
    const { profile } = target
    const ids = changes.map(({ listing }) => listing)
    const isOfSync = changes.every(
      (change) => change.plan.profile === profile && target.changes.some((wanted) => isReviewOf(wanted, change)),
    )
    if (!isOfSync || ids.length !== target.changes.length || !target.changes.every(({ id }) => ids.includes(id)))
      return refuse('malformed', 'These are not the reviews of this plan.')
    const [listing = null, ...more] = ids
    const keys = changes.flatMap(({ approval }) => approval?.builds.map(({ key }) => key) ?? [])
    const allowsMore = () => target.allowsMore(keys)
    return { action: 'sync', listing, more, profile, changes, target, allowsMore }
  }

  /** Reads what decides about the change of an open review. */
  async #decide(reviewed: CallInput<'start'>): Promise<ReviewToStart> {
    const review = this.#read(reviewed.token, reviewed.id)
    if (review === null) return { ...reviewed, fit: null, advisories: null, allowsMore: false }
    const [facts, allowsMore] = await Promise.all([review.reader.deciding(), review.allowsMore()])
    // Nothing is fetched to enable what is there.
    const isEnabled = review.change.action === 'enable'
    const advisories = isEnabled ? await this.#knownAgainst(review.change) : facts.advisories
    return { ...reviewed, ...facts, advisories, allowsMore }
  }

  /**
   * Returns the changes of open reviews as the user agrees to them, or the refusal of the first that is forbidden. End the
   * reviews without an await in between: otherwise a token could be used twice.
   */
  #accept(
    reviews: readonly ReviewToStart[],
    byAgent: boolean,
  ): Refusal | (Pick<JobRequest, 'changes' | 'notes' | 'byAgent'> & Required<Pick<JobRequest, 'allowsMore'>>) {
    const changes: PluginChange[] = []
    const notes: string[] = []
    const asksAgain: OpenReview['allowsMore'][] = []
    for (const { id, token, acknowledged, hold = null, fit, advisories, allowsMore } of reviews) {
      // Read again: the token may have been used meanwhile.
      const review = this.#read(token, id)
      // Another review names those build scripts too.
      if (review === null || allowsMore) return badToken()
      if (byAgent && runsBuilds(review.review))
        return refuse('builds-need-approval', 'A person must see the build scripts that it runs. Nothing was run.')
      const reason = refusalOf({ fit, advisories })
      // That something is not there, only the package manager knows for sure.
      if (reason !== null && reason !== 'not-installable') return REFUSALS[reason]({ fit, advisories })
      if ((review.review.cautions.length > 0 || fitCautions(fit).length > 0) && !acknowledged)
        return refuse('not-acknowledged', 'First confirm that you have read the warnings.')
      // The yes is for the version that the review names, or its commit, whatever the source says later.
      const { version = null, agreedVersion: known = version } = review.change
      const agreedIntegrity = fit?.integrity ?? null
      changes.push({ ...review.change, agreedVersion: agreedVersion(fit) ?? known, agreedIntegrity, hold })
      notes.push(...notLookedUp(advisories))
      asksAgain.push(review.allowsMore)
    }
    const allowsMore = async () => (await Promise.all(asksAgain.map((ask) => ask()))).includes(true)
    return { changes, notes, byAgent, allowsMore }
  }

  /** Ends a review: nobody reads any more what is read of its package. */
  #end(token: string): void {
    this.#open.get(token)?.reader.end()
    this.#open.delete(token)
  }

  /** Enables or disables an installed plugin, without a review: it can be reversed at once. Enables nothing known as malware. */
  async #switchPlugin(input: CallInput<'switchPlugin'>): Promise<Answer<Job>> {
    const { package: name } = input
    const listing = input.listing ?? name
    const found = await this.#reviewer.findPackage(name, input.profile, input.enabled ? 'enable' : 'disable')
    if ('ok' in found) return found
    if (!(await declaresLayer(found.profile.directory, name)))
      return refuse(
        'not-switchable',
        'This package is not a plugin that can be enabled or disabled. Remove it if you do not need it.',
      )
    if (this.#queue.unfinished(listing, input.profile)) return alreadyRunning()
    const known = input.enabled ? await this.#knownAgainst(found.change) : null
    if (malwareIn(known?.found).length > 0) return refuseMalware(known?.found)
    return answer(await this.#queue.add(toRequest([{ ...found.change, listing }])))
  }

  /** Returns what the last check found against an installed plugin. */
  async #knownAgainst({ package: name, plan }: PluginChange): Promise<Advisories> {
    const directory = profileDirectory(this.#home, plan.profile)
    const [state, { check }] = await Promise.all([readProfileState(directory), this.#updates.read(directory)])
    const version = state?.versions.get(name ?? '') ?? null
    return { asked: 0, unknown: [], found: advisoriesOf(name ?? '', version, check?.advisories) }
  }
}

/** Creates the request for a job of these changes, which are all for one profile. */
function toRequest(changes: readonly [PluginChange, ...PluginChange[]]): JobRequest {
  const [{ action, listing, plan }, ...others] = changes
  return { action, listing, more: others.map(({ listing }) => listing), profile: plan.profile, changes }
}

/**
 * Returns true if a reviewed change is one that a sync needs. The review of an install may be of an update that allows
 * build scripts, or enable what is there.
 */
const isReviewOf = ({ id, action, version, commit }: PlannedChange, change: PluginChange): boolean =>
  change.listing === id &&
  (change.action === 'remove') === (action === 'remove') &&
  change.action !== 'disable' &&
  (change.version ?? null) === version &&
  (commit === null || change.agreedCommit === commit)

/** Returns true if the changes are for one profile and different listings, and no toggle is among several. */
function isOneJob(changes: readonly PluginChange[]): boolean {
  const listings = new Set(changes.map(({ listing }) => listing))
  const profiles = new Set(changes.map(({ plan }) => plan.profile))
  return listings.size === changes.length && profiles.size === 1 && (changes.length === 1 || !changes.some(isToggle))
}

const badToken = () => refuse('bad-token', 'This review has expired or was already used. Open the review again.')
const alreadyRunning = () => refuse('already-running', 'This plugin already has a job in progress.')

/** Refuses what is known as malware, whether it is fetched, enabled or brought back. */
export const refuseMalware = (found: readonly Advisory[] = []): Refusal =>
  refuse(
    'malware',
    `${malwareIn(found)[0]?.package} is known as malware. The store does not install it. Remove it where you have it.`,
  )

const REFUSALS: Readonly<
  Record<'malware' | 'incompatible', (facts: Pick<ReviewFacts, 'fit' | 'advisories'>) => Refusal>
> = {
  malware: ({ advisories }) => refuseMalware(advisories?.found),
  incompatible: ({ fit }) =>
    refuse(
      'incompatible',
      `${fit?.plugin} requires ${fit?.requirements.join(', ')}; this harness is ${fit?.harnessVersion}. The harness would refuse it.`,
    ),
}
