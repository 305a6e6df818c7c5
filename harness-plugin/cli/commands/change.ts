import type { DataOf, Skipped } from '../documents.ts'
import { Failure, type FailureCode, unwrap } from '../failure.ts'
import { type EndedJob, endOf, isDone, jobFailure, toJobData } from '../jobs.ts'
import { quote, readListings, resolveListing } from '../listings.ts'
import { failureText } from '../outcome-text.ts'
import { chooseProfile } from '../profiles.ts'
import { type Change, digestOf, type Reviewed, refusalText, reviewChange, type Wish } from '../review.ts'
import type { Session } from '../session.ts'

export interface ChangeOptions {
  readonly profile?: string | undefined
  readonly accept?: string | undefined
  readonly allowBuild?: string[] | undefined
  readonly allowVerdict?: string | undefined
  /** One job for each plugin, and what cannot be done is skipped. */
  readonly each?: boolean | undefined
  /** Every plugin that has an update. */
  readonly all?: boolean | undefined
}

interface Plan {
  readonly profile: string
  readonly action: Change
  /** As they were typed. */
  readonly ids: readonly string[]
  readonly options: ChangeOptions
}

interface Reviews {
  readonly reviewed: readonly Reviewed[]
  readonly skipped: readonly Skipped[]
  readonly digest: string
}

/** The review of an install, which changes nothing. */
export async function check(session: Session, id: string, options: ChangeOptions): Promise<DataOf<'check'>> {
  const { profile } = await chooseProfile(session, options.profile)
  const plan: Plan = { profile, action: 'install', ids: [id], options }
  return checkData(plan, await reviewAll(session, plan))
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
  const { profile, overview } = await chooseProfile(session, options.profile)
  if (overview.harness === 'missing')
    throw new Failure('harness-missing', ({ outcomes }) => outcomes['harness-missing'])
  const plan: Plan = { profile, action, ids: options.all ? await outdated(session, profile) : ids, options }
  if (plan.ids.length === 0) return { profile, digest: '', reviews: [], jobs: [], skipped: [] }

  for (let isAgain = false; ; isAgain = true) {
    const reviews = await reviewAll(session, plan)
    await agree(session, plan, reviews)
    const { jobs, skipped } = await perform(session, plan, reviews)
    const data = {
      ...checkData(plan, { ...reviews, skipped: [...reviews.skipped, ...skipped] }),
      jobs: jobs.map((job) => toJobData(session, job)),
    }
    const failed = data.jobs.find(({ outcome }) => !isDone(outcome))
    if (failed === undefined && data.skipped.length === 0) return data
    if (failed === undefined || (options.each && data.jobs.length > 1))
      throw new Failure('skipped', ({ failures }) => failures.someDone(countDone(data.jobs), plan.ids.length), { data })
    if (!blockedBuilds(failed.outcome)) throw jobFailure(failed, { data })
    // What must be allowed is known now: it is another review.
    if (session.canAsk && !isAgain) continue
    throw await blockedFailure(session, plan, { failed, data })
  }
}

const countDone = (jobs: DataOf<Change>['jobs']) => jobs.filter(({ outcome }) => isDone(outcome)).length

const blockedBuilds = ({ kind, parts }: DataOf<Change>['jobs'][number]['outcome']) =>
  [kind, ...parts.map((part) => part.kind)].some((one) => one === 'build-blocked' || one === 'git-prepare-blocked')

async function blockedFailure(
  session: Session,
  plan: Plan,
  { failed, data }: { readonly failed: DataOf<Change>['jobs'][number]; readonly data: DataOf<Change> },
): Promise<Failure> {
  const again = await reviewAll(session, plan)
  const next = acceptCommand(session, plan, again)
  return jobFailure(failed, { data: { ...data, ...checkData(plan, again) }, next })
}

const checkData = ({ profile }: Plan, { digest, reviewed, skipped }: Reviews) => ({
  profile,
  digest,
  reviews: reviewed.map(({ data }) => data),
  skipped: [...skipped],
})

/** Packages of the profile that have an update and can be updated here. */
async function outdated(session: Session, profile: string): Promise<string[]> {
  await readListings(session)
  const host = await session.openHost()
  const installed = unwrap(await host.calls.checkUpdates({ profile }))
  return installed.filter(({ latest, removable }) => latest !== null && removable).map(({ name }) => name)
}

/**
 * Reviews everything that was asked for.
 *
 * @throws Failure for the first that cannot be done; with --each that is skipped, and it throws when nothing is left
 */
async function reviewAll(session: Session, plan: Plan): Promise<Reviews> {
  const reviewed = new Map<string, Reviewed>()
  const skipped: Skipped[] = []
  let first: Failure | null = null
  for (const id of plan.ids) {
    try {
      const one = await reviewOne(session, plan, id)
      const { refusal } = one.data
      if (refusal !== null && plan.options.each) throw refusedFailure(session, plan, one)
      reviewed.set(one.data.id, one)
    } catch (error) {
      if (!(error instanceof Failure) || !plan.options.each) throw error
      const reason = SKIPS[error.code]
      if (reason === undefined) throw error
      first ??= error
      skipped.push({ id, reason, message: failureText(error, session.language) })
    }
  }
  const all = [...reviewed.values()]
  const digest = digestOf(
    all.map(({ data }) => data),
    { profile: plan.profile, home: session.home, directory: session.directory.url },
  )
  const reviews: Reviews = { reviewed: all, skipped, digest }
  if (all.length === 0 && first !== null)
    throw new Failure(first.code, first.say, { data: checkData(plan, reviews), next: first.next })
  const refused = all.find(({ data }) => data.refusal !== null)
  if (refused) throw refusedFailure(session, plan, refused, reviews)
  return reviews
}

/** What is skipped with --each, by error. */
const SKIPS: Readonly<Partial<Record<FailureCode, Skipped['reason']>>> = {
  'unknown-listing': 'not-found',
  ambiguous: 'not-found',
  'not-installable': 'no-command',
  'refused-verdict': 'refused-verdict',
  incompatible: 'incompatible',
  'not-installed': 'not-installed',
  'other-source': 'failed',
}

function refusedFailure(session: Session, plan: Plan, { data }: Reviewed, reviews?: Reviews): Failure {
  const { code } = data.refusal!
  const allow = data.compatibility?.allowCommand
  return new Failure(code as FailureCode, (words, locale) => words.labelled(data.id, refusalText(code, data, locale)), {
    ...(reviews ? { data: checkData(plan, reviews) } : {}),
    next:
      code === 'refused-verdict'
        ? command(session, plan, ['--allow-verdict', data.verdict ?? ''])
        : allow && (({ failures }) => failures.allow(allow)),
  })
}

async function reviewOne(session: Session, plan: Plan, id: string): Promise<Reviewed> {
  const wish = plan.action === 'install' ? await listed(session, id) : await installed(session, plan, id)
  return reviewChange(session, wish, { ...plan, allowVerdict: plan.options.allowVerdict })
}

async function listed(session: Session, id: string): Promise<Wish> {
  const listing = await resolveListing(session, id, await readListings(session))
  return { id: listing.id, package: listing.npmPackage }
}

/** A plugin of the profile, by its listing or the name of its package. */
async function installed(session: Session, { profile, action }: Plan, id: string): Promise<Wish> {
  await readListings(session)
  const host = await session.openHost()
  const plugins = unwrap(await host.calls.installed({ profile }))
  const fold = (text: string | null) => text?.toLowerCase()
  const found = plugins.filter(({ name, listing }) => name === id || fold(listing) === fold(id))
  const [plugin, other] = found
  if (other !== undefined)
    throw new Failure('ambiguous', ({ failures }) => failures.ambiguousPackage(id, found.length), {
      data: { suggestions: found.map(({ name }) => name) },
    })
  if (plugin === undefined)
    throw new Failure('not-installed', ({ failures }) => failures.notInstalled(id, profile), {
      data: { suggestions: plugins.filter(({ removable }) => removable).map(({ name }) => name) },
      next: `plugmark list --profile ${profile}`,
    })
  if (plugin.listing !== null && plugin.removable) return { id: plugin.listing, package: plugin.name }
  const { unmanagedReason } = plugin
  if (unmanagedReason === 'directory') throw new Failure('directory-needed', ({ unmanaged }) => unmanaged.directory)
  throw new Failure('other-source', ({ failures }) => failures.unmanaged(unmanagedReason === 'not-in-directory'), {
    next: `dsh plugin --profile ${profile} ${action} ${plugin.name}`,
  })
}

/** @throws Failure unless a person agreed to this very review */
async function agree(session: Session, plan: Plan, reviews: Reviews): Promise<void> {
  const { accept, allowBuild = [] } = plan.options
  const needed = keysOf(reviews)
  const given = { data: checkData(plan, reviews), next: acceptCommand(session, plan, reviews) }
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
  if (!(await ask(session, plan, given.data))) throw new Failure('cancelled', session.messages.declined)
}

const keysOf = ({ reviewed }: Reviews) => reviewed.flatMap(({ data }) => data.builds.map(({ key }) => key))

/** What to type to agree. */
const acceptCommand = (session: Session, plan: Plan, reviews: Reviews): string =>
  command(session, plan, [...keysOf(reviews).flatMap((key) => ['--allow-build', key]), '--accept', reviews.digest])

function command(session: Session, { action, ids, profile, options }: Plan, more: readonly string[]): string {
  const typed = [
    ...['plugmark', action, ...ids, '--profile', profile],
    ...(options.each ? ['--each'] : []),
    ...(options.allowVerdict && !more.includes('--allow-verdict') ? ['--allow-verdict', options.allowVerdict] : []),
    ...session.typed,
    ...more,
  ]
  return typed.map(quote).join(' ')
}

/** Plugins that the jobs before it installed are no reason to ask again. */
const comparable = ({ data }: Reviewed) => JSON.stringify({ ...data, otherPlugins: null })

/** Runs what was agreed to: one job that is kept or rolled back as a whole, or one for each. */
async function perform(
  session: Session,
  plan: Plan,
  { reviewed }: Reviews,
): Promise<{ readonly jobs: readonly EndedJob[]; readonly skipped: readonly Skipped[] }> {
  const host = await session.openHost()
  const agreed = ({ data: { id }, token }: Reviewed) => ({ id, token, acknowledged: true })
  if (!plan.options.each || reviewed.length === 1) {
    const [only, ...others] = reviewed.map(agreed)
    const started = await (others.length === 0 ? host.calls.start(only!) : host.startAll([only!, ...others]))
    return { jobs: [await endOf(session, unwrap(started))], skipped: [] }
  }
  const jobs: EndedJob[] = []
  const skipped: Skipped[] = []
  for (const one of reviewed) {
    // The token may have run out meanwhile, and the directory may say something else.
    const again = jobs.length === 0 ? one : await reviewOne(session, plan, one.data.id)
    if (comparable(again) !== comparable(one)) {
      skipped.push({ id: one.data.id, reason: 'failed', message: session.messages.failures.reviewChangedMeanwhile })
      continue
    }
    jobs.push(await endOf(session, unwrap(await host.calls.start(agreed(again)))))
    session.signal.throwIfAborted()
  }
  return { jobs, skipped }
}
