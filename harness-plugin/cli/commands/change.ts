import { unlessAborted } from '@plugmark/shared/async'
import { DEFAULTS } from '@plugmark/shared/contract'
import { isOnlySpec } from '@plugmark/shared/install'
import * as v from 'valibot'
import { isAtNewest, isManaged, updatesOf } from '../../client/client.ts'
import { checkVersion, findTarget } from '../../client/name-lookup.ts'
import { isDone, type JobData, type ReviewData, refusalText, toReviewData } from '../../client/published.ts'
import { agreedTo, type ChangeAction, type Reviewed, type Target } from '../../client/store-client.ts'
import { messagesFor } from '../../messages/index.ts'
import { gainsLine } from '../../messages/inspection-lines.ts'
import type { Drift, InstalledPlugin, LockedHold, SyncWarning } from '../../protocol/index.ts'
import { breaksWithPast, gainsOf, isSetAside } from '../../protocol/review-facts.ts'
import { plainText, publish } from '../../protocol/text.ts'
import { DATA, type DataOf, type Skipped } from '../documents.ts'
import { Failure, type FailureCode, jobFailure, toFailure } from '../failure.ts'
import type { Profiled, Session } from '../session.ts'
import { findingText } from '../text/profile-lines.ts'
import { type LocalizedText, textIn } from '../words/index.ts'
import { agree, agreesTo, buildKeysOf, digestOf, type Place } from './consent.ts'
import { MISSING } from './doctor.ts'
import { checkUpdates } from './profile.ts'

/*
 * A change in reading order: what was typed is resolved, each name once; what it names is reviewed; a person agrees; the
 * jobs run. Where they find blocked build scripts, the plugins that have them are reviewed again.
 */

const MADE = v.pick(DATA.sync, ['made', 'warnings'])

export interface ChangeOptions extends Profiled {
  readonly accept?: string | undefined
  readonly allowBuild?: string[] | undefined
  readonly allowVerdict?: string | undefined
  /** True to run one job for each plugin, and skip plugins that cannot be changed. */
  readonly each?: boolean | undefined
  /** True for every plugin that has an update. */
  readonly all?: boolean | undefined
  /** True to update, of every plugin, also those that gain something or may do something else than before. */
  readonly includeSetAside?: boolean | undefined
  /** True if a person may install what the directory does not list. */
  readonly unlisted?: boolean | undefined
  /** Changes that a lock asks for, in place of names. */
  readonly planned?: readonly Named[] | undefined
  /** Holds what that lock makes beside those changes; the token of its plan makes the profile like it as a whole. */
  readonly sync?:
    | {
        readonly token: string | null
        readonly made: readonly Drift[]
        readonly warnings: readonly SyncWarning[]
        readonly text: string
      }
    | undefined
  /** Command that makes the same changes. @default the action with its ids */
  readonly typed?: readonly string[] | undefined
}

/** Describes one typed name; `failure` with --each, which skips what cannot be changed. */
export type Named = {
  readonly text: string
  /** @default that of the command */
  readonly action?: ChangeAction
  /** Holds the plugin once it is changed. */
  readonly hold?: LockedHold
} & ({ readonly target: Target } | { readonly failure: Failure })

/** Requested changes, resolved. */
interface Plan {
  readonly profile: string
  readonly action: ChangeAction
  readonly options: ChangeOptions
  readonly named: readonly Named[]
  /** Names that need no review, with the reason. */
  readonly skipped: readonly Skipped[]
  /** Counts of what an update of all looked at. */
  readonly checked?: DataOf<ChangeAction>['checked']
  readonly check: CheckOnce
}

/** A review, and the text that named its plugin. */
interface ReviewedName extends Reviewed, Pick<Named, 'action'> {
  readonly data: ReviewData
  readonly text: string
  readonly target: Target
}

/** Reviews that a person is asked to agree to. */
interface Reviews {
  readonly reviewed: readonly ReviewedName[]
  /** Data of the reviews as a person sees them, and its digest. */
  readonly data: DataOf<'check'>
  readonly place: Place
}

/** Progress of a change, which is part of its document at any end. */
interface Done {
  /** Null before the first review. */
  review: DataOf<'check'> | null
  /** Ended jobs; null before the first one begins. */
  jobs: JobData[] | null
  /** Plugins that were not changed, with the reason. */
  skipped: Skipped[]
  /** Texts that named the plugins, by id. */
  readonly texts: Map<string, string>
}

/** Reviews an install without changing anything. */
export async function check(session: Session, id: string, options: ChangeOptions): Promise<DataOf<'check'>> {
  const profile = await session.chooseProfile(options.profile)
  const named = await resolveNames(session, { profile, action: 'install', options }, [id])
  const plan: Plan = { profile, action: 'install', options, named, skipped: [], check: checkOnce(session, profile) }
  const there = await alreadyInstalled(session, profile, named, plan.check)
  const { data } = await reviewAll(session, plan)
  return { ...data, skipped: [...there, ...data.skipped] }
}

/** Installs, updates or removes plugins, once a person has agreed to the review. */
export async function change(
  session: Session,
  action: ChangeAction,
  ids: readonly string[],
  options: ChangeOptions,
): Promise<DataOf<ChangeAction>> {
  if (action === 'update' && ids.length > 0 === (options.all === true))
    throw new Failure('usage', ({ failures }) => failures.namesOrAll)
  const plan = await resolve(session, action, ids, options)
  const { profile, named, skipped, checked } = plan
  if (named.length === 0 && !options.sync?.token)
    return unlessUnread(options, { profile, digest: '', reviews: [], jobs: [], skipped: [...skipped], checked })
  await checkPrograms(session)
  if (options.dryRun) {
    const { data } = await unlessAborted(session.signal, reviewAll(session, plan))
    return { ...data, jobs: [], skipped: [...skipped, ...data.skipped] }
  }
  const done: Done = { review: null, jobs: null, skipped: [], texts: new Map() }
  try {
    await perform(session, plan, done)
    return unlessUnread(options, { ...done.review!, jobs: done.jobs!, skipped: [...skipped, ...done.skipped] })
  } catch (error) {
    const failure = toFailure(error, session.signal, session)
    if (done.review === null) throw failure
    // Completed changes stay, and are reported at any end.
    const { review, jobs, skipped } = done
    const { accept } = (failure.data ?? {}) as { readonly accept?: string }
    const progress = jobs === null ? review : { ...review, jobs, skipped }
    throw failure.with({ data: { ...progress, ...(accept === undefined ? {} : { accept }) } })
  } finally {
    session.isWorking = false
  }
}

/** Returns the result of a change. @throws Failure for an update of all that left out what could not be read */
function unlessUnread({ all, dryRun }: ChangeOptions, data: DataOf<ChangeAction>): DataOf<ChangeAction> {
  const unread = data.skipped.filter(({ reason }) => reason === 'not-read').map(({ id }) => id)
  if (!all || dryRun || unread.length === 0) return data
  const count = data.jobs.flatMap(({ ids }) => ids).length
  throw new Failure('skipped', ({ failures }) => failures.someUnread(count, unread.join(', ')), { data })
}

// Resolving: what each name means, and what needs no change

/** Checks all plugins of the profile for newer versions, once in a run. */
type CheckOnce = () => Promise<readonly InstalledPlugin[]>

function checkOnce(session: Session, profile: string): CheckOnce {
  let checked: ReturnType<CheckOnce> | undefined
  return () => (checked ??= checkUpdates(session, profile))
}

/** Resolves what was typed. @throws Failure for a name that means nothing; with --each, its review does */
async function resolve(
  session: Session,
  action: ChangeAction,
  ids: readonly string[],
  options: ChangeOptions,
): Promise<Plan> {
  const profile = await session.chooseProfile(options.profile).catch(async (error: unknown) => {
    // Without a harness there is no profile, so report a wrong name first.
    if (error instanceof Failure && error.code === 'no-profile' && action === 'install')
      await resolveNames(session, { profile: DEFAULTS.profile, action, options }, ids)
    throw error
  })
  const check = checkOnce(session, profile)
  if (options.planned) return { profile, action, options, named: options.planned, skipped: [], check }
  const all = options.all ? await outdated(session, profile, check) : null
  const { updated, leftOut, checked } = all ?? { updated: ids, leftOut: [], checked: undefined }
  const named = await resolveNames(session, { profile, action, options }, updated)
  const there = action === 'install' ? await alreadyInstalled(session, profile, named, check) : []
  const isThere = ({ text }: Named) => there.some(({ id }) => id === text)
  const left = named.filter((one) => !isThere(one))
  return { profile, action, options, named: left, skipped: [...there, ...leftOut], check, checked }
}

/** Resolves each name. @throws Failure for the first that means nothing, without --each */
async function resolveNames(
  session: Session,
  { profile, action, options }: Pick<Plan, 'profile' | 'action' | 'options'>,
  texts: readonly string[],
): Promise<Named[]> {
  const client = await session.openClient()
  // A removal needs the profile, not the directory, and so does a source.
  const needsListings = action !== 'remove' && texts.some((text) => !isOnlySpec(text))
  let unread: unknown = null
  const listings = needsListings
    ? await session.readListings().catch((error: unknown) => {
        if (action === 'install') throw error
        unread = error
        return null
      })
    : null
  const named: Named[] = []
  for (const text of texts) {
    try {
      const given = { byName: true, unlisted: options.unlisted === true }
      named.push({ text, target: await findTarget(client, text, { action, profile }, listings, given) })
    } catch (error) {
      const failure = toFailure(error, session.signal, session)
      if (options.each && Object.hasOwn(SKIPS, failure.code)) {
        named.push({ text, failure })
        continue
      }
      const typed = { action, profile, options, named: texts.map((text) => ({ text })) }
      const next = Object.hasOwn(SKIPS, failure.code) ? otherNames(session, typed, text, failure) : null
      throw next === null ? failure : new Failure(failure.code, failure.text, { next, data: failure.data })
    }
  }
  // A name that is wrong whatever the directory has is reported first.
  if (unread !== null) throw unread
  return named
}

/** Checks programs before asking a person. @throws Failure when the change would certainly fail */
async function checkPrograms(session: Session): Promise<void> {
  const [missing] = await (await session.openHost()).missingPrograms()
  session.signal.throwIfAborted()
  if (missing) throw new Failure(MISSING[missing.kind]!, (words, locale) => findingText(missing, words, locale))
}

/**
 * Returns those of the given names whose plugins the profile has, in the version that was named, with what to type instead:
 * the harness loads them, or does not because they are off.
 */
async function alreadyInstalled(
  session: Session,
  profile: string,
  named: readonly Named[],
  check: CheckOnce,
): Promise<Skipped[]> {
  const client = await session.openClient()
  const isUsed = (plugin: InstalledPlugin) => isManaged(plugin) && (plugin.layer || plugin.state.kind === 'off')
  const plugins = (await client.installed(profile)).filter(isUsed)
  const found = named.flatMap((one) => {
    if (!('target' in one)) return []
    const { id, version } = one.target.intent
    const plugin = plugins.find((plugin) => plugin.listing === id && (version ?? plugin.version) === plugin.version)
    return plugin ? { id: one.text, plugin } : []
  })
  // Optional: a registry may not answer.
  const isAsked = found.some(({ plugin }) => plugin.layer)
  const checked = isAsked ? await check().catch((): readonly InstalledPlugin[] => []) : []
  const { alreadyInstalled: text, installedOff } = session.words
  return found.map(({ id, plugin: { name, version, layer: loaded } }) => {
    const known = checked.find((one) => one.name === name)
    const latest = known?.latest ?? null
    const command = (verb: string) => session.command(verb, name, '--profile', profile)
    const message = loaded
      ? text({ version, latest, update: command('update'), isChecked: known?.updateProblem === null })
      : installedOff(version, command('enable'))
    return { id, reason: 'installed' as const, message }
  })
}

/**
 * Returns the packages of the profile that have an update and can be updated here, and those that are left out: a person
 * holds them, or it is not known whether they have one.
 */
async function outdated(
  session: Session,
  profile: string,
  check: CheckOnce,
): Promise<{ updated: readonly string[]; leftOut: Skipped[]; checked: DataOf<ChangeAction>['checked'] }> {
  await session.readListings()
  const plugins = await check()
  const { updated, held, off, unread } = updatesOf(plugins)
  const unmanaged = plugins.filter((plugin) => !isManaged(plugin) && plugin.unmanagedReason !== 'store')
  const { installedView, updates } = messagesFor(session.locale)
  const { leftOut, installedOff } = session.words
  const left = ({ name: id }: InstalledPlugin, reason: Skipped['reason'], message: string) => ({ id, reason, message })
  const command = (verb: string, { name }: InstalledPlugin) => session.command(verb, name, '--profile', profile)
  return {
    updated: updated.map(({ name }) => name),
    checked: { count: plugins.filter(isManaged).length, unmanaged: unmanaged.map(({ name }) => plainText(name)) },
    leftOut: [
      ...held.map((plugin) => {
        const reason = plugin.hold!.isUnknown ? updates.held(plugin.hold!) : plugin.hold!.reason
        return left(plugin, 'held', leftOut(reason, command('unhold', plugin)))
      }),
      ...off.map((plugin) => left(plugin, 'off', installedOff(plugin.version, command('enable', plugin)))),
      ...unread.map((plugin) => {
        const problem = plugin.updateProblem!
        return left(plugin, problem === 'not-found' ? problem : 'not-read', installedView.updateProblem[problem])
      }),
    ],
  }
}

// Reviewing: what the changes are about

/**
 * Reviews everything that was resolved.
 *
 * @throws Failure for the first change that is impossible; with --each skips it, and throws only when none is left
 */
async function reviewAll(session: Session, plan: Plan): Promise<Reviews> {
  const { home } = await session.openHost()
  session.progress.work(session.words.asking)
  const reviewed = new Map<string, ReviewedName>()
  const skipped: Skipped[] = []
  let first: Failure | null = null
  for (const one of plan.named) {
    try {
      if ('failure' in one) throw one.failure
      const review = await reviewOne(session, plan, one)
      if (review.data.refusal !== null && plan.options.each) throw refused(session, plan, review)
      const skip = (await upToDate(session, review, plan)) ?? setAside(session, plan, review)
      if (skip === null) reviewed.set(review.data.id, review)
      else skipped.push(skip)
    } catch (error) {
      const failure = toFailure(error, session.signal, session)
      // Of what a file names, nobody knows which one failed.
      if (!plan.options.each || !Object.hasOwn(SKIPS, failure.code))
        throw plan.options.planned ? labelled(failure, one.text) : failure
      first ??= failure
      skipped.push(toSkipped(session, one.text, failure))
    }
  }
  const all = [...reviewed.values()]
  const reviews = all.map(({ data }) => data)
  const { sync } = plan.options
  // A registry that does not answer is no other fact.
  const file = sync && { text: sync.text, warnings: sync.warnings.filter(({ kind }) => kind !== 'not-looked-up') }
  const place = { profile: plan.profile, home, directory: session.directory.url, file }
  const data = {
    profile: plan.profile,
    digest: digestOf(reviews, place),
    reviews,
    skipped,
    ...(sync && publish(MADE, sync)),
  }
  if (all.length === 0 && first !== null) throw first.with({ data })
  const bad = all.find(({ data }) => data.refusal !== null)
  if (bad) throw refused(session, plan, bad).with({ data })
  return { reviewed: all, data, place }
}

async function reviewOne(
  session: Session,
  { profile, options, ...plan }: Plan,
  { text, target, action = plan.action, hold = null }: Pick<ReviewedName, 'text' | 'target' | 'action' | 'hold'>,
): Promise<ReviewedName> {
  const client = await session.openClient()
  const { id, version } = target.intent
  if (options.planned && version !== undefined) await checkVersion(client, { id, profile, version })
  // Who agrees by digest has read it before.
  const inspects = options.accept === undefined || setsAside(options)
  const reviewed = await client.review(target, { action, profile, allowVerdict: options.allowVerdict, inspects })
  return { ...reviewed, data: toReviewData(reviewed), text, target, action, hold }
}

/** Returns the reason to leave out an update that would install the version that is there; null for any other change. */
async function upToDate(
  session: Session,
  { data, text: id }: ReviewedName,
  { options: { dryRun = false }, check }: Plan,
): Promise<Skipped | null> {
  const skip = (message: string): Skipped => ({ id, reason: 'installed', message })
  const newest = session.words.newest(data.installed ?? '')
  const isNewest = isAtNewest(data, data.compatibility)
  if (isNewest === 'no') return null
  // The profile's record keeps when it was checked, and a dry run writes nothing.
  if (dryRun) return isNewest === 'yes' ? skip(newest) : null
  // If nobody can say what is newest, the update is reviewed like any other.
  const checked = await check().catch((): readonly InstalledPlugin[] => [])
  const plugin = checked.find((one) => one.name === data.package)
  if (plugin === undefined || plugin.latest !== null || plugin.updateProblem !== null) return null
  const { sentences, installedView } = messagesFor(session.locale)
  return skip(sentences(newest, ...(plugin.waiting ? [installedView.waiting(plugin.waiting)] : [])))
}

const wasSetAside = ({ reason }: Skipped): boolean => ['gains', 'past', 'not-read', 'malware'].includes(reason)

/** Returns true if an update of all plugins is only for those that gain nothing. */
const setsAside = ({ all, includeSetAside }: ChangeOptions): boolean => all === true && includeSetAside !== true

/**
 * Returns the reason to leave out an update of all: nobody makes it, or a person does, by the command that is named. Null
 * when it is made.
 */
function setAside(session: Session, { profile, options }: Plan, { data, text: id }: ReviewedName): Skipped | null {
  if (options.all && data.refusal?.code === 'malware')
    return { id, reason: 'malware', message: messagesFor(session.locale).refused.malware }
  if (!setsAside(options)) return null
  const gains = gainsOf(data.inspection)
  if (!isSetAside(gains, data.past)) return null
  const t = messagesFor(session.locale)
  const line = breaksWithPast(data.past) ? t.review.facts.past.text(data.past) : gainsLine(data.inspection, t)
  const message = session.words.setAside(line ?? '', session.command('update', id, '--profile', profile))
  const reason = data.past?.breaks.length ? 'past' : gains.state === 'gains' ? 'gains' : 'not-read'
  return { id, reason, message }
}

// Agreeing: see `consent.ts`

/** Renders the command that agrees to these reviews. */
function acceptCommand(session: Session, plan: Plan, reviews: Reviews): string {
  const aside = new Set(reviews.data.skipped.filter(wasSetAside).map(({ id }) => id))
  const named = plan.named.filter(({ text }) => !aside.has(text))
  const keys = buildKeysOf(reviews.data.reviews).flatMap((key) => ['--allow-build', key])
  return planCommand(session, { ...plan, named }, [...keys, '--accept', reviews.data.digest])
}

// Running: the jobs, and what is reviewed again for them

/** Performs all changes. @throws Failure when some of them were not made */
async function perform(session: Session, plan: Plan, done: Done): Promise<void> {
  const { named, options } = plan
  let current = plan
  for (let isAgain = false; ; isAgain = true) {
    const jobs = await reviewAndRun(session, current, done)
    const count = jobs.filter(({ outcome }) => isDone(outcome)).length
    if (options.each && session.signal.aborted && count + done.skipped.length < named.length)
      throw new Failure('cancelled', ({ failures }) => failures.cancelled)

    const blocked = jobs.filter(isBlocked)
    if (blocked[0] === undefined) {
      const failed = jobs.find(({ outcome }) => !isDone(outcome))
      const aside = done.skipped.filter(wasSetAside)
      if (count === 0 && failed === undefined && aside.length > 0) throw nothingLeft(session, plan, aside)
      if (failed === undefined && done.skipped.every((one) => one.reason === 'installed' || wasSetAside(one))) return
      if (failed && !(options.each && named.length > 1))
        throw jobFailure(failed, session, plan.profile, { next: withoutFailed(session, current, failed, done) })
      throw new Failure('skipped', ({ failures }) => failures.someDone(count, named.length))
    }
    // The blocked build scripts are known now, so review the changes again.
    const texts = blocked.flatMap((job) => job.ids).map((id) => done.texts.get(id) ?? id)
    current = {
      ...plan,
      named: options.each ? named.filter(({ text }) => texts.includes(text)) : named,
      options: { ...options, accept: undefined, allowBuild: undefined },
    }
    if (session.canAsk && !isAgain) {
      session.errors.text('\n')
      continue
    }
    const reviews = await unlessAborted(session.signal, reviewAll(session, current)).catch(() => null)
    session.signal.throwIfAborted()
    if (reviews) done.review = reviews.data
    const accept = reviews && acceptCommand(session, current, reviews)
    throw jobFailure(blocked[0], session, plan.profile, {
      next: accept === null ? null : ({ failures }) => failures.showReview,
      ...(accept === null ? {} : { data: { accept } }),
    })
  }
}

/** Reviews and runs the jobs. Returns the ended jobs, including those of earlier rounds. */
async function reviewAndRun(session: Session, plan: Plan, done: Done): Promise<JobData[]> {
  const reviews = await unlessAborted(session.signal, reviewAll(session, plan))
  done.review = reviews.data
  const known = new Set(done.skipped.map(({ id }) => id))
  done.skipped.push(...reviews.data.skipped.filter(({ id }) => !known.has(id)))
  for (const { data, text } of reviews.reviewed) done.texts.set(data.id, text)
  const hasChange = reviews.reviewed.length > 0 || plan.options.sync?.token
  if (hasChange) {
    const { action, options } = plan
    const hasChanged = done.jobs?.some(({ outcome }) => isDone(outcome)) === true
    const asked = {
      ...options,
      action: options.planned ? ('sync' as const) : action,
      place: reviews.place,
      accepting: acceptCommand(session, plan, reviews),
      hasChanged,
    }
    await unlessAborted(session.signal, agree(session, reviews.data, asked)).catch(async (error: unknown) => {
      if (!(error instanceof Failure && error.code === 'consent-changed')) throw error
      // A person reads this review, so all of it is read.
      const whole = { ...plan, options: { ...plan.options, accept: undefined } }
      const again = await unlessAborted(session.signal, reviewAll(session, whole))
      done.review = again.data
      throw error.with({ data: { accept: acceptCommand(session, whole, again) } })
    })
  }
  // Jobs that were blocked in the previous round run again.
  const jobs = (done.jobs ?? []).filter((job) => !isBlocked(job))
  done.jobs = jobs
  if (!hasChange) return jobs
  // From here on, a cancelled run reports the completed changes.
  session.isWorking = true
  if (plan.options.each) await runEach(session, plan, reviews, { jobs, skipped: done.skipped })
  else jobs.push(await runJob(session, reviews.reviewed, plan.options.sync?.token ?? undefined))
  return jobs
}

const isBlocked = ({ outcome: { kind, parts } }: JobData): boolean =>
  [kind, ...parts.map((part) => part.kind)].some((one) => one === 'build-blocked')

/** Runs one job for all reviews, which is kept or rolled back as a whole. */
const runJob = (session: Session, reviewed: readonly Reviewed[], sync?: string): Promise<JobData> =>
  session.finishJob((client) => client.startJob(reviewed.map(agreedTo), { sync }))

/**
 * Runs one job for each plugin until a person cancels.
 *
 * @param done receives the ended jobs
 */
async function runEach(
  session: Session,
  plan: Plan,
  { reviewed, place }: Reviews,
  done: { readonly jobs: JobData[]; readonly skipped: Skipped[] },
): Promise<void> {
  for (const [at, one] of reviewed.entries()) {
    const { id } = one.data
    try {
      // Its token may have expired meanwhile, and the directory may have changed.
      const again = at === 0 ? one : await unlessAborted(session.signal, reviewOne(session, plan, one))
      if (!agreesTo(digestOf(comparable(one), place), comparable(again), place))
        throw new Failure('consent-changed', ({ failures }) => failures.reviewChangedMeanwhile)
      const job = await runJob(session, [again])
      done.jobs.push(job)
      const { kind, title, message } = job.outcome
      if (!isDone(job.outcome) && !isBlocked(job) && kind !== 'cancelled')
        done.skipped.push({ id, reason: 'failed', message: session.words.explained(title, message) })
    } catch (error) {
      if (!session.signal.aborted) done.skipped.push(toSkipped(session, id, toFailure(error, session.signal, session)))
    }
    if (session.signal.aborted) return
  }
}

/** Leaves out the profile's other plugins: those of earlier jobs are no reason to ask again. */
const comparable = ({ data }: Pick<ReviewedName, 'data'>): [ReviewData] => [{ ...data, otherPlugins: null }]

// Ends that a person can act on

/** Reasons to skip a plugin with --each, by error. */
const SKIPS: Readonly<Partial<Record<FailureCode, Skipped['reason']>>> = {
  'unknown-listing': 'not-found',
  'unknown-source': 'not-found',
  'no-such-version': 'not-found',
  ambiguous: 'ambiguous',
  'not-installable': 'no-command',
  'refused-verdict': 'refused-verdict',
  incompatible: 'incompatible',
  malware: 'malware',
  'not-installed': 'not-installed',
  'other-source': 'other-source',
  'other-package': 'other-package',
}

const toSkipped = ({ locale }: Session, id: string, error: Failure): Skipped => ({
  id,
  reason: SKIPS[error.code] ?? 'failed',
  message: textIn(locale, error.text),
})

const labelled = ({ code, text, next, data }: Failure, name: string): Failure =>
  new Failure(code, (words, locale) => words.labelled(name, textIn(locale, text)), { next, data })

function refused(session: Session, plan: Plan, { data }: Pick<ReviewedName, 'data'>): Failure {
  const { code } = data.refusal!
  const allow = planCommand(session, plan, ['--allow-verdict', data.verdict ?? ''])
  return new Failure(code as FailureCode, (words, locale) => words.labelled(data.id, refusalText(code, data, locale)), {
    next:
      code === 'refused-verdict'
        ? ({ failures }) => failures.allow(allow, session.canAsk)
        : code === 'not-installable'
          ? session.command('show', data.id)
          : null,
  })
}

/** Returns the command with what was probably meant by one of several names, or without it; null where there are none. */
function otherNames(session: Session, plan: Typed, text: string, { data }: Failure): LocalizedText | null {
  const [meant] = (data as { readonly suggestions?: readonly string[] } | undefined)?.suggestions ?? []
  if (meant === undefined || plan.named.length < 2) return withoutOne(session, plan, text)
  return planCommand(
    session,
    { ...plan, named: plan.named.map((one) => (one.text === text ? { text: meant } : one)) },
    [],
  )
}

/** Returns the command that changes the others of several; null where there are none. @param text what named the one */
function withoutOne(session: Session, plan: Typed, text: string, id = text): LocalizedText | null {
  const named = plan.named.filter((one) => one.text !== text)
  if (named.length === 0 || named.length === plan.named.length) return null
  const command = planCommand(session, { ...plan, named }, [])
  return ({ failures }) => failures.others(id, command)
}

/** Holds what a command was typed with. */
type Typed = Pick<Plan, 'action' | 'profile' | 'options'> & { readonly named: readonly Pick<Named, 'text'>[] }

/** Renders the typed command with more options. */
const planCommand = (session: Session, { action, named, profile, options }: Typed, more: readonly string[]) =>
  session.command(
    ...[...(options.typed ?? [action, ...named.map(({ text }) => text)]), '--profile', profile],
    ...(options.each ? ['--each'] : []),
    ...(options.unlisted ? ['--unlisted'] : []),
    ...(options.allowVerdict && !more.includes('--allow-verdict') ? ['--allow-verdict', options.allowVerdict] : []),
    ...more,
  )

/** Returns the failure of an update of all plugins that leaves every one to a person. */
function nothingLeft(session: Session, { profile, options }: Plan, aside: readonly Skipped[]): Failure {
  const left = aside.filter(({ reason }) => reason !== 'malware')
  const [only] = left
  if (only === undefined) return new Failure('malware', (_, locale) => messagesFor(locale).refused.malware)
  const more = options.each ? ['--each'] : []
  const command = session.command('update', '--all', '--include-set-aside', '--profile', profile, ...more)
  if (left.length === 1 && (only.reason === 'gains' || only.reason === 'past' || only.reason === 'not-read')) {
    const { id, reason } = only
    const next = session.command('update', id, '--profile', profile)
    return new Failure('skipped', ({ failures }) => failures.oneSetAside[reason], { next })
  }
  return new Failure('skipped', ({ failures }) => failures.allSetAside(left.length), {
    next: ({ failures }) => failures.includeSetAside(command),
  })
}

/** Renders the command that makes the other changes of a job of several; null where none is left. */
function withoutFailed(session: Session, plan: Plan, { outcome }: JobData, { texts }: Done): LocalizedText | null {
  const bad = outcome.parts.at(-1)
  if (plan.options.planned || bad === undefined || isDone(bad) || outcome.kind === 'cancelled') return null
  return withoutOne(
    session,
    { ...plan, options: { ...plan.options, typed: undefined } },
    texts.get(bad.id) ?? bad.id,
    bad.id,
  )
}
