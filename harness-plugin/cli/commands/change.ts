import type { DataOf, JobData, Skipped } from '../documents.ts'
import { Failure, toFailure, unwrap } from '../failure.ts'
import { endOf, isDone, jobFailure, toJobData } from '../jobs.ts'
import { readListings } from '../listings.ts'
import { chooseProfile } from '../profiles.ts'
import type { Change, Reviewed } from '../review.ts'
import {
  type ChangeOptions,
  type Plan,
  planCommand,
  type Reviews,
  reviewAll,
  reviewOne,
  toCheckData,
  toSkipped,
} from '../reviews.ts'
import type { Session } from '../session.ts'
import { MISSING } from './doctor.ts'

/** The review of an install, which changes nothing. */
export async function check(session: Session, id: string, options: ChangeOptions): Promise<DataOf<'check'>> {
  const profile = await chooseProfile(session, options.profile)
  const plan: Plan = { profile, action: 'install', ids: [id], options }
  return toCheckData(plan, await reviewAll(session, plan))
}

/** Installs, updates or removes plugins, once a person has agreed to the review. */
export async function change(
  session: Session,
  action: Change,
  ids: readonly string[],
  options: ChangeOptions,
): Promise<DataOf<Change>> {
  if (action === 'update' && ids.length > 0 === (options.all === true))
    throw new Failure('usage', ({ failures }) => failures.namesOrAll)
  const profile = await chooseProfile(session, options.profile)
  await checkPrograms(session, profile)
  let plan: Plan = { profile, action, ids: options.all ? await outdated(session, profile) : ids, options }
  const { length: wanted } = plan.ids
  if (wanted === 0) return { profile, digest: '', reviews: [], jobs: [], skipped: [] }

  const done: Done = { jobs: [], skipped: [] }
  for (let isAgain = false; ; isAgain = true) {
    const reviews = await reviewAll(session, plan)
    await agree(session, plan, reviews, done)
    await perform(session, plan, reviews, done)
    const data = { ...toCheckData(plan, reviews), ...done }
    const count = done.jobs.filter(({ outcome }) => isDone(outcome)).length
    if (options.each && session.signal.aborted && count + done.skipped.length < wanted)
      throw new Failure('cancelled', ({ failures }) => failures.cancelled, { data })

    const blocked = done.jobs.filter(isBlocked)
    if (blocked[0]) {
      // What must be allowed is known now: it is another review.
      if (options.each) plan = { ...plan, ids: blocked.flatMap(({ ids }) => ids) }
      if (session.canAsk && !isAgain) continue
      const again = await reviewAll(session, plan).catch(() => null)
      if (again === null) throw jobFailure(blocked[0], { data })
      const next = acceptCommand(session, plan, again)
      throw jobFailure(blocked[0], { data: { ...toCheckData(plan, again), ...done }, next })
    }
    const failed = done.jobs.find(({ outcome }) => !isDone(outcome))
    if (failed === undefined && done.skipped.length === 0) return data
    if (failed && !(options.each && wanted > 1)) throw jobFailure(failed, { data })
    throw new Failure('skipped', ({ failures }) => failures.someDone(count, wanted), { data })
  }
}

/** @throws Failure when a change is bound to fail, before a person is asked */
async function checkPrograms(session: Session, profile: string): Promise<void> {
  const { findings } = await (await session.openHost()).doctor({ profile, start: false, signal: session.signal })
  session.signal.throwIfAborted()
  for (const finding of findings) {
    const code = MISSING[finding.kind]
    if (code) throw new Failure(code, ({ finding: textOf }) => textOf(finding))
  }
}

/** What ended, and what was not done and why. */
interface Done {
  jobs: JobData[]
  skipped: Skipped[]
}

const isBlocked = ({ outcome: { kind, parts } }: JobData): boolean =>
  [kind, ...parts.map((part) => part.kind)].some((one) => one === 'build-blocked' || one === 'git-prepare-blocked')

/** Packages of the profile that have an update and can be updated here. */
async function outdated(session: Session, profile: string): Promise<string[]> {
  await readListings(session)
  const host = await session.openHost()
  const installed = unwrap(await host.calls.checkUpdates({ profile }))
  return installed.filter(({ latest, removable }) => latest !== null && removable).map(({ name }) => name)
}

/** @throws Failure unless a person agreed to this very review */
async function agree(session: Session, plan: Plan, reviews: Reviews, done: Done): Promise<void> {
  const { accept, allowBuild = [] } = plan.options
  const needed = keysOf(reviews)
  const given = { data: toCheckData(plan, reviews), next: acceptCommand(session, plan, reviews) }
  const extra = allowBuild.find((key) => !needed.includes(key))
  if (extra !== undefined) throw new Failure('nothing-blocked', ({ failures }) => failures.noBuildOfKey(extra), given)
  const missing = needed.filter((key) => !allowBuild.includes(key))
  if (accept !== undefined) {
    if (accept !== reviews.digest) throw new Failure('consent-changed', ({ failures }) => failures.reviewChanged, given)
    if (missing.length > 0)
      throw new Failure('builds-need-approval', ({ failures }) => failures.buildKeys(missing), given)
    return
  }
  if (!session.canAsk) throw new Failure('consent-needed', ({ failures }) => failures.consent, given)
  const { ask } = await import('../text/ask.ts')
  if (await ask(session, plan, given.data)) return
  const hasChanged = done.jobs.some(({ outcome }) => isDone(outcome))
  throw new Failure('cancelled', ({ failures, declined }) => (hasChanged ? failures.cancelled : declined), {
    data: { ...given.data, jobs: done.jobs },
  })
}

const keysOf = ({ reviewed }: Reviews) => reviewed.flatMap(({ data }) => data.builds.map(({ key }) => key))

/** What to type to agree. */
const acceptCommand = (session: Session, plan: Plan, reviews: Reviews): string =>
  planCommand(session, plan, [
    ...keysOf(reviews).flatMap((key) => ['--allow-build', key]),
    ...['--accept', reviews.digest],
  ])

/**
 * Runs what was agreed to: one job that is kept or rolled back as a whole, or one for each, until a person cancels.
 *
 * @param done gets what ended
 */
async function perform(session: Session, plan: Plan, { reviewed, skipped }: Reviews, done: Done): Promise<void> {
  const host = await session.openHost()
  const agreed = ({ data: { id }, token }: Reviewed) => ({ id, token, acknowledged: true })
  const end = async (started: Awaited<ReturnType<typeof host.startAll>>) =>
    toJobData(session, await endOf(session, unwrap(started)))
  // Those of the round before are done anew.
  done.jobs = done.jobs.filter((job) => !isBlocked(job))
  done.skipped.push(...skipped)

  if (!plan.options.each) {
    const [only, ...others] = reviewed.map(agreed)
    done.jobs.push(await end(await (others.length === 0 ? host.calls.start(only!) : host.startAll([only!, ...others]))))
    return
  }
  session.isWorking = true
  for (const [at, one] of reviewed.entries()) {
    const { id } = one.data
    try {
      // Its token may have run out meanwhile, and the directory may say something else.
      const again = at === 0 ? one : await Promise.race([reviewOne(session, plan, id), aborted(session.signal)])
      if (comparable(again) !== comparable(one))
        throw new Failure('consent-changed', ({ failures }) => failures.reviewChangedMeanwhile)
      const job = await end(await host.calls.start(agreed(again)))
      done.jobs.push(job)
      const { kind, title, message } = job.outcome
      if (!isDone(job.outcome) && !isBlocked(job) && kind !== 'cancelled')
        done.skipped.push({ id, reason: 'failed', message: session.words.explained(title, message) })
    } catch (error) {
      if (session.signal.aborted) break
      done.skipped.push(toSkipped(session, id, toFailure(error, session.signal)))
    }
    if (session.signal.aborted) break
  }
  session.isWorking = false
}

function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return promise
}

/** Plugins that the jobs before it installed are no reason to ask again. */
const comparable = ({ data }: Reviewed) => JSON.stringify({ ...data, otherPlugins: null })
