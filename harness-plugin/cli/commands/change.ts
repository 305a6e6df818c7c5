import { unlessAborted } from '@plugmark/shared/async'
import { isOnlySource } from '@plugmark/shared/install'
import { isDone, type JobData, refusalText } from '../../client/published.ts'
import { agreesTo, type Change, digestOf, type Reviewed } from '../../client/review-change.ts'
import { splitVersion } from '../../client/store-client.ts'
import { isManaged, updatesOf } from '../../client/updates.ts'
import type { AllListings } from '../../host/index.ts'
import { messagesFor } from '../../messages/index.ts'
import { gainsLine } from '../../messages/inspection-lines.ts'
import { agreedVersion } from '../../protocol/fit.ts'
import { breaksWithPast, gainsOf, isSetAside } from '../../protocol/gains.ts'
import type { InstalledPlugin, PluginSet } from '../../protocol/index.ts'
import type { DataOf, Skipped } from '../documents.ts'
import { Failure, type FailureCode, jobFailure, toFailure } from '../failure.ts'
import type { Session } from '../session.ts'
import { findingText } from '../text/profile-lines.ts'
import { type LocalizedText, textIn } from '../words/index.ts'
import { MISSING } from './doctor.ts'
import { chooseProfile, finishJob, type Profiled, readListings } from './steps.ts'

/** Reviews an install without changing anything. */
export async function check(session: Session, id: string, options: ChangeOptions): Promise<DataOf<'check'>> {
  const profile = await chooseProfile(session, options.profile)
  const plan: Plan = { profile, action: 'install', ids: [id], options, checked: checkOnce(session, profile) }
  return (await reviewAll(session, plan)).data
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
  const profile = await chooseProfile(session, options.profile).catch(async (error: unknown) => {
    // Without a harness there is no profile, so report a wrong name first.
    if (error instanceof Failure && error.code === 'no-profile' && action === 'install')
      await checkNames(session, action, '', ids, options)
    throw error
  })
  if (!options.each) await checkNames(session, action, profile, ids, options)
  const checked = checkOnce(session, profile)
  const there = action === 'install' ? await alreadyInstalled(session, profile, ids.filter(needsListing), checked) : []
  const nothing = { profile, digest: '', reviews: [], jobs: [] }
  if (there.length > 0 && there.length === ids.length) return { ...nothing, skipped: there }
  await checkPrograms(session, profile)
  const { asked, leftOut } = options.all ? await outdated(session, profile, checked) : { asked: ids, leftOut: [] }
  const skipped = [...there, ...leftOut]
  const plan: Plan = {
    profile,
    action,
    ids: asked.filter((id) => !skipped.some((one) => one.id === id)),
    options,
    checked,
  }
  if (plan.ids.length === 0) return unlessUnread(options, { ...nothing, skipped })
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
function unlessUnread({ all, dryRun }: ChangeOptions, data: DataOf<Change>): DataOf<Change> {
  const unread = data.skipped.filter(({ reason }) => reason === 'not-read').map(({ id }) => id)
  if (!all || dryRun || unread.length === 0) return data
  const count = data.jobs.flatMap(({ ids }) => ids).length
  throw new Failure('skipped', ({ failures }) => failures.someUnread(count, unread.join(', ')), { data })
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

/** Performs all changes. @throws Failure when some of them were not made */
async function perform(session: Session, plan: Plan, done: Done): Promise<void> {
  const { ids, options } = plan
  let current = plan
  for (let isAgain = false; ; isAgain = true) {
    const jobs = await reviewAndRun(session, current, done)
    const count = jobs.filter(({ outcome }) => isDone(outcome)).length
    if (options.each && session.signal.aborted && count + done.skipped.length < ids.length)
      throw new Failure('cancelled', ({ failures }) => failures.cancelled)

    const blocked = jobs.filter(isBlocked)
    if (blocked[0] === undefined) {
      const failed = jobs.find(({ outcome }) => !isDone(outcome))
      const aside = done.skipped.filter(wasSetAside)
      if (count === 0 && failed === undefined && aside.length > 0) throw nothingLeft(session, plan, aside)
      if (failed === undefined && done.skipped.every((one) => one.reason === 'installed' || wasSetAside(one))) return
      if (failed && !(options.each && ids.length > 1))
        throw jobFailure(
          failed,
          { command: session.command, profile: plan.profile },
          { next: withoutFailed(session, current, failed, done) },
        )
      throw new Failure('skipped', ({ failures }) => failures.someDone(count, ids.length))
    }
    // The blocked build scripts are known now, so review the changes again.
    current = {
      ...plan,
      ids: options.each ? blocked.flatMap((job) => job.ids).map((id) => done.texts.get(id) ?? id) : ids,
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
    throw jobFailure(
      blocked[0],
      { command: session.command, profile: plan.profile },
      {
        next: accept === null ? null : ({ failures }) => failures.showReview,
        ...(accept === null ? {} : { data: { accept } }),
      },
    )
  }
}

/** Renders the command that makes the other changes of a job of several; null where none is left. */
function withoutFailed(session: Session, plan: Plan, { outcome }: JobData, { texts }: Done): LocalizedText | null {
  const bad = outcome.parts.at(-1)
  if (plan.ids.length < 2 || bad === undefined || isDone(bad)) return null
  const others = plan.ids.filter((id) => id !== (texts.get(bad.id) ?? bad.id))
  if (others.length === plan.ids.length || outcome.kind === 'cancelled') return null
  const command = planCommand(session, { ...plan, ids: others, options: { ...plan.options, typed: undefined } }, [])
  return ({ failures }) => failures.others(bad.id, command)
}

/** Reviews and runs the jobs. Returns the ended jobs, including those of earlier rounds. */
async function reviewAndRun(session: Session, plan: Plan, done: Done): Promise<JobData[]> {
  const reviews = await unlessAborted(session.signal, reviewAll(session, plan))
  done.review = reviews.data
  const known = new Set(done.skipped.map(({ id }) => id))
  done.skipped.push(...reviews.data.skipped.filter(({ id }) => !known.has(id)))
  for (const { data, text } of reviews.reviewed) done.texts.set(data.id, text)
  const hasChange = reviews.reviewed.length > 0
  if (hasChange) await unlessAborted(session.signal, agree(session, plan, reviews, done))
  // Jobs that were blocked in the previous round run again.
  const jobs = (done.jobs ?? []).filter((job) => !isBlocked(job))
  done.jobs = jobs
  if (!hasChange) return jobs
  // From here on, a cancelled run reports the completed changes.
  session.isWorking = true
  if (plan.options.each) await runEach(session, plan, reviews, { jobs, skipped: done.skipped })
  else jobs.push(await runJob(session, reviews.reviewed))
  return jobs
}

/** Checks that each name is a plugin, before anything else that could be missing. @throws ClientError for a wrong one */
async function checkNames(
  session: Session,
  action: Change,
  profile: string,
  ids: readonly string[],
  { unlisted = false }: ChangeOptions,
): Promise<void> {
  const client = await session.openClient()
  if (action !== 'install') {
    for (const id of ids) await client.findInstalled(id, profile)
    return
  }
  const named = unlisted ? [] : ids.filter(needsListing)
  if (named.length === 0) return
  const listings = await readListings(session)
  for (const id of named) {
    const { name, version } = splitVersion(id)
    const listing = await client.resolve(name, listings, { byName: true })
    if (profile !== '') await client.chooseVersion(listing, profile, version)
  }
}

/** Checks programs before asking a person. @throws Failure when the change would certainly fail */
async function checkPrograms(session: Session, profile: string): Promise<void> {
  const { findings } = await (await session.openHost()).doctor({ profile, start: false, signal: session.signal })
  session.signal.throwIfAborted()
  for (const finding of findings) {
    const code = MISSING[finding.kind]
    if (code) throw new Failure(code, (words, locale) => findingText(finding, words, locale))
  }
}

const isBlocked = ({ outcome: { kind, parts } }: JobData): boolean =>
  [kind, ...parts.map((part) => part.kind)].some((one) => one === 'build-blocked' || one === 'git-prepare-blocked')

/**
 * Returns those of the given names whose plugins the profile has, in the version that was named, with what to type instead:
 * the harness loads them, or does not because they are off.
 */
async function alreadyInstalled(
  session: Session,
  profile: string,
  ids: readonly string[],
  check: CheckOnce,
): Promise<Skipped[]> {
  const client = await session.openClient()
  const isUsed = (plugin: InstalledPlugin) => isManaged(plugin) && (plugin.layer || plugin.state.kind === 'off')
  const plugins = (await client.installed(profile)).filter(isUsed)
  if (plugins.length === 0 || ids.length === 0) return []
  const listings = await readListings(session)
  const found = await Promise.all(
    ids.map(async (id) => {
      const { name, version } = splitVersion(id)
      // The review of an id that names nothing fails, and says why.
      const listing = await client.resolve(name, listings, { byName: true }).catch(() => null)
      const wanted = listing && (await client.chooseVersion(listing, profile, version).catch(() => version))
      const isWanted = (installed: string | null) => wanted === null || wanted === installed
      const plugin = plugins.find((one) => one.listing === listing?.id && isWanted(one.version))
      return plugin && { id, plugin }
    }),
  )
  const known = found.filter((one) => one !== undefined)
  if (known.length === 0) return []
  // Optional: a registry may not answer.
  const isAsked = known.some(({ plugin }) => plugin.layer)
  const checked = isAsked ? await check().catch((): readonly InstalledPlugin[] => []) : []
  const { alreadyInstalled: text, installedOff } = session.words
  return known.map(({ id, plugin: { name, version, layer: loaded } }) => {
    const latest = checked.find((one) => one.name === name)?.latest ?? null
    const command = (verb: string) => session.command(verb, name, '--profile', profile)
    const message = loaded
      ? text({ version, latest, update: command('update'), isChecked: checked.length > 0 })
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
): Promise<{ asked: string[]; leftOut: Skipped[] }> {
  await readListings(session)
  const { updated, held, off, unread } = updatesOf(await check())
  const { installedView, updates } = messagesFor(session.locale)
  const { leftOut, installedOff } = session.words
  const left = ({ name: id }: InstalledPlugin, reason: Skipped['reason'], message: string) => ({ id, reason, message })
  const command = (verb: string, { name }: InstalledPlugin) => session.command(verb, name, '--profile', profile)
  return {
    asked: updated.map(({ name }) => name),
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

const wasSetAside = ({ reason }: Skipped): boolean => ['gains', 'past', 'not-read', 'malware'].includes(reason)

/** Returns true if an update of all plugins is only for those that gain nothing. */
const setsAside = ({ all, includeSetAside }: ChangeOptions): boolean => all === true && includeSetAside !== true

/**
 * Returns the reason to leave out an update of all: nobody makes it, or a person does, by the command that is named. Null
 * when it is made.
 */
function setAside(session: Session, { profile, options }: Plan, { data, text: id }: ReviewedText): Skipped | null {
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

/** Returns the failure of an update of all plugins that leaves every one to a person. */
function nothingLeft(session: Session, { profile, options }: Plan, aside: readonly Skipped[]): Failure {
  const count = aside.filter(({ reason }) => reason !== 'malware').length
  if (count === 0) return new Failure('malware', (_, locale) => messagesFor(locale).refused.malware)
  const more = options.each ? ['--each'] : []
  const command = session.command('update', '--all', '--include-set-aside', '--profile', profile, ...more)
  return new Failure('skipped', ({ failures }) => failures.allSetAside(count), {
    next: ({ failures }) => failures.includeSetAside(command),
  })
}

/** Returns a sentence for an update that would install the version that is there; null for any other change. */
async function upToDate(
  session: Session,
  { data }: Reviewed,
  { options: { dryRun = false }, checked: check }: Plan,
): Promise<string | null> {
  const { action, installed, compatibility } = data
  if (action !== 'update' || installed === null || agreedVersion(compatibility) !== installed) return null
  // The profile's record keeps when it was checked, and a dry run writes nothing. A newer commit can have the same version.
  if (dryRun) return data.commit === null && data.passedOver === null ? session.words.newest(installed) : null
  // If nobody can say what is newest, the update is reviewed like any other.
  const checked = await check().catch((): readonly InstalledPlugin[] => [])
  const plugin = checked.find((one) => one.name === data.package)
  if (plugin === undefined || plugin.latest !== null || plugin.updateProblem !== null) return null
  return messagesFor(session.locale).sentences(
    session.words.newest(installed),
    ...(plugin.waiting ? [messagesFor(session.locale).installedView.waiting(plugin.waiting)] : []),
  )
}

/** Asks a person. @throws Failure unless the person agreed to this review */
async function agree(session: Session, plan: Plan, reviews: Reviews, { jobs }: Done): Promise<void> {
  const { accept, allowBuild = [] } = plan.options
  const needed = keysOf(reviews)
  const accepting = acceptCommand(session, plan, reviews)
  const extra = allowBuild.find((key) => !needed.includes(key))
  if (extra !== undefined)
    throw consentFailure('nothing-blocked', ({ failures }) => failures.noBuildOfKey(extra), accepting)
  const missing = needed.filter((key) => !allowBuild.includes(key))
  if (accept !== undefined) {
    if (!reviews.isAccepted(accept))
      throw consentFailure('consent-changed', ({ failures }) => failures.reviewChanged, accepting)
    if (missing.length > 0)
      throw consentFailure('builds-need-approval', ({ failures }) => failures.buildKeys(missing), accepting)
    return
  }
  if (!session.canAsk) throw consentFailure('consent-needed', ({ failures }) => failures.consent, accepting)
  const { ask, reviewLines } = await import('../text/review.ts')
  const question = session.words.question[needed.length > 0 ? 'builds' : plan.action]
  if (await ask(session, question, (page) => reviewLines(reviews.data, page))) return
  const hasChanged = jobs?.some(({ outcome }) => isDone(outcome))
  throw new Failure('cancelled', ({ failures, declined }) => (hasChanged ? failures.cancelled : declined))
}

/**
 * Returns a failure that a person's yes resolves. The command that passes it on is in the data and not the next step: a
 * program that runs the next step must not consent.
 */
const consentFailure = (code: FailureCode, text: LocalizedText, accept: string): Failure =>
  new Failure(code, text, { next: ({ failures }) => failures.showReview, data: { accept } })

const keysOf = ({ data }: Reviews) => data.reviews.flatMap(({ builds }) => builds.map(({ key }) => key))

/** Renders the command that agrees to these reviews. */
function acceptCommand(session: Session, plan: Plan, reviews: Reviews): string {
  const aside = new Set(reviews.data.skipped.filter(wasSetAside).map(({ id }) => id))
  const ids = plan.ids.filter((id) => !aside.has(id))
  const keys = keysOf(reviews).flatMap((key) => ['--allow-build', key])
  return planCommand(session, { ...plan, ids }, [...keys, '--accept', reviews.data.digest])
}

/** Runs one job for all reviews, which is kept or rolled back as a whole. */
const runJob = (session: Session, reviewed: readonly Reviewed[]): Promise<JobData> =>
  finishJob(session, (client) => client.run(reviewed, session.signal))

/**
 * Runs one job for each plugin until a person cancels.
 *
 * @param done receives the ended jobs
 */
async function runEach(
  session: Session,
  plan: Plan,
  { reviewed, listings }: Reviews,
  done: { readonly jobs: JobData[]; readonly skipped: Skipped[] },
): Promise<void> {
  for (const [at, one] of reviewed.entries()) {
    const { id } = one.data
    try {
      // Its token may have expired meanwhile, and the directory may have changed.
      const again = at === 0 ? one : await unlessAborted(session.signal, reviewOne(session, plan, one.text, listings))
      if (comparable(again) !== comparable(one))
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

/**
 * Returns a review without the profile's other plugins, as those of earlier jobs are no reason to ask again, and without
 * what was read of the package, which is about its version.
 */
const comparable = ({ data }: Reviewed) => JSON.stringify({ ...data, otherPlugins: null, inspection: null })

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
  /** Holds of the plugins once they are changed, by id. */
  readonly holds?: ReadonlyMap<string, PluginSet['plugins'][number]['hold']> | undefined
  /** Command that makes the same changes. @default the action with its ids */
  readonly typed?: readonly string[] | undefined
}

/** Checks all plugins of the profile for newer versions, once in a run. */
type CheckOnce = () => Promise<readonly InstalledPlugin[]>

function checkOnce(session: Session, profile: string): CheckOnce {
  let checked: ReturnType<CheckOnce> | undefined
  const check = async () => (await session.openClient()).installed(profile, { checkUpdates: true })
  return () => (checked ??= check())
}

/** Requested changes, as typed. */
interface Plan {
  readonly profile: string
  readonly action: Change
  readonly ids: readonly string[]
  readonly options: ChangeOptions
  readonly checked: CheckOnce
}

/** Reviews that a person is asked to agree to. */
interface Reviews {
  readonly reviewed: readonly ReviewedText[]
  /** What a person sees of them, and the digest of it. */
  readonly data: DataOf<'check'>
  /** Returns true if a digest that a person accepted agrees to these reviews. */
  readonly isAccepted: (digest: string) => boolean
  /** Listings of the directory; null for a removal. */
  readonly listings: AllListings | null
}

/** A review, and the text that named its plugin. */
type ReviewedText = Reviewed & { readonly text: string }

/**
 * Reviews everything that was asked for.
 *
 * @throws Failure for the first change that is impossible; with --each skips it, and throws only when none is left
 */
async function reviewAll(session: Session, plan: Plan): Promise<Reviews> {
  // A removal needs the profile, not the directory, and so does a source.
  const listings = plan.action !== 'remove' && plan.ids.some(needsListing) ? await readListings(session) : null
  const { home } = await session.openHost()
  session.progress.work(session.words.asking)
  const reviewed = new Map<string, ReviewedText>()
  const skipped: Skipped[] = []
  let first: Failure | null = null
  for (const id of plan.ids) {
    try {
      const one = await reviewOne(session, plan, id, listings)
      if (one.data.refusal !== null && plan.options.each) throw refused(session, plan, one)
      const message = await upToDate(session, one, plan)
      if (message !== null) {
        skipped.push({ id, reason: 'installed', message })
        continue
      }
      const aside = setAside(session, plan, one)
      if (aside !== null) {
        skipped.push(aside)
        continue
      }
      reviewed.set(one.data.id, one)
    } catch (error) {
      const failure = toFailure(error, session.signal, session)
      if (!plan.options.each || !Object.hasOwn(SKIPS, failure.code)) throw failure
      first ??= failure
      skipped.push(toSkipped(session, id, failure))
    }
  }
  const all = [...reviewed.values()]
  const reviews = all.map(({ data }) => data)
  const place = { profile: plan.profile, home, directory: session.directory.url }
  const data = { profile: plan.profile, digest: digestOf(reviews, place), reviews, skipped }
  if (all.length === 0 && first !== null) throw first.with({ data })
  const bad = all.find(({ data }) => data.refusal !== null)
  if (bad) throw refused(session, plan, bad).with({ data })
  return { reviewed: all, data, isAccepted: (digest) => agreesTo(digest, reviews, place), listings }
}

async function reviewOne(
  session: Session,
  plan: Plan,
  id: string,
  listings: AllListings | null,
): Promise<ReviewedText> {
  const { action, profile, options } = plan
  const client = await session.openClient()
  // Who agrees by digest has read it before.
  const inspects = options.accept === undefined || setsAside(options)
  const request = { action, profile, allowVerdict: options.allowVerdict, inspects }
  const reviewed = await client.review(id, request, listings, { byName: true, unlisted: options.unlisted === true })
  return { ...reviewed, text: id, hold: options.holds?.get(reviewed.data.id) ?? null }
}

/** Returns false for a text that can only be a source, which needs no directory. */
const needsListing = (id: string): boolean => !isOnlySource(id)

/** Reasons to skip a plugin with --each, by error. */
const SKIPS: Readonly<Partial<Record<FailureCode, Skipped['reason']>>> = {
  'unknown-listing': 'not-found',
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
const planCommand = (session: Session, { action, ids, profile, options }: Plan, more: readonly string[]) =>
  session.command(
    ...[...(options.typed ?? [action, ...ids]), '--profile', profile],
    ...(options.each ? ['--each'] : []),
    ...(options.unlisted ? ['--unlisted'] : []),
    ...(options.allowVerdict && !more.includes('--allow-verdict') ? ['--allow-verdict', options.allowVerdict] : []),
    ...more,
  )
