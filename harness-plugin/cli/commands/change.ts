import { DEFAULTS } from '@plugmark/shared/contract'
import { isOnlySpec } from '@plugmark/shared/install'
import * as v from 'valibot'
import { isAtNewest, isManaged, updatesOf } from '../../client/client.ts'
import { checkVersion, findTarget, splitVersion, unlistedSpec } from '../../client/name-lookup.ts'
import { isDone, type JobData, type ReviewData, refusalText, toReviewData } from '../../client/published.ts'
import { agreedTo, type ChangeAction, type Reviewed, type Target } from '../../client/store-client.ts'
import { messagesFor } from '../../messages/index.ts'
import { gainsLine } from '../../messages/inspection-lines.ts'
import type { Drift, InstalledPlugin, LockedHold, SyncWarning } from '../../protocol/index.ts'
import { breaksWithPast, gainsOf, isSetAside } from '../../protocol/review-facts.ts'
import { plainText, publish } from '../../protocol/text.ts'
import { DATA, type DataOf, type Skipped } from '../documents.ts'
import { Failure, type FailureCode, jobFailure, toFailure, withoutProgram } from '../failure.ts'
import type { Profiled, Session } from '../session.ts'
import { findingText, missingProgram } from '../text/profile-lines.ts'
import { type LocalizedText, textIn } from '../words/index.ts'
import { agree, buildKeysOf, type ConsentScope, digestOf } from './agreement.ts'
import { checkUpdates } from './profile.ts'

/*
 * A change in reading order: what was typed is resolved, each name once; what it names is reviewed; the user agrees; one job
 * makes it all or nothing. Where that finds blocked build scripts, the same is reviewed again, with the scripts.
 */

const MADE = v.pick(DATA.sync, ['made', 'warnings'])

export interface ChangeOptions extends Profiled {
  readonly accept?: string | undefined
  readonly allowBuild?: string[] | undefined
  readonly allowVerdict?: string | undefined
  /** True for every plugin that has an update. */
  readonly all?: boolean | undefined
  /** True to update, of every plugin, also those that gain something or may do something else than before. */
  readonly includeSetAside?: boolean | undefined
  /** True if the user may install what the directory does not list. */
  readonly unlisted?: boolean | undefined
  /** Changes that a file asks for, in place of names. */
  readonly fromFile?: readonly NamedPlugin[] | undefined
  /** Holds what that file makes beside those changes; the token of its plan makes the profile like it as a whole. */
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

/** A plugin to change, and the text that named it. */
export interface NamedPlugin {
  readonly text: string
  readonly target: Target
  /** @default that of the command */
  readonly action?: ChangeAction
  /** Holds the plugin once it is changed. */
  readonly hold?: LockedHold
}

/** What a command was typed with. */
interface TypedCommand {
  readonly profile: string
  readonly action: ChangeAction
  readonly options: ChangeOptions
  /** Texts that name its plugins. */
  readonly texts: readonly string[]
}

/** Requested changes, resolved. */
interface Selection extends TypedCommand {
  readonly plugins: readonly NamedPlugin[]
  /** Names that need no review, with the reason. */
  readonly skipped: readonly Skipped[]
  /** Counts of what an update of all looked at. */
  readonly checked?: DataOf<ChangeAction>['checked']
  readonly check: CheckOnce
}

/** A review of a plugin, and its data. */
interface ReviewedPlugin extends Reviewed {
  readonly data: ReviewData
  readonly text: string
}

/** Reviews that the user is asked to agree to. */
interface Reviews {
  readonly selection: Selection
  readonly plugins: readonly ReviewedPlugin[]
  /** Data of the reviews as the user sees them, and its digest. */
  readonly data: DataOf<'check'>
  readonly scope: ConsentScope
}

/** Reviews an install without changing anything. */
export async function check(session: Session, id: string, options: ChangeOptions): Promise<DataOf<'check'>> {
  const profile = await session.chooseProfile(options.profile)
  const typed = { profile, action: 'install', options: { ...options, typed: ['check', id] }, texts: [id] } as const
  const plugins = await resolveNames(session, typed)
  const check = checkOnce(session, profile)
  const skipped = await alreadyInstalled(session, profile, plugins, check)
  return (await reviewAll(session, { ...typed, plugins, skipped, check })).data
}

/** Installs, updates or removes plugins, once the user has agreed to the review. */
export async function change(
  session: Session,
  action: ChangeAction,
  texts: readonly string[],
  options: ChangeOptions,
): Promise<DataOf<ChangeAction>> {
  if (action === 'update' && texts.length > 0 === (options.all === true))
    throw new Failure('usage', ({ failures }) => failures.namesOrAll, { next: session.command('outdated') })
  const selection = await resolve(session, action, texts, options)
  const { profile, skipped, checked } = selection
  if (selection.plugins.length === 0 && !options.sync?.token)
    return unlessLeft(options, { profile, digest: '', reviews: [], jobs: [], skipped: [...skipped], checked })

  await checkPrograms(session)
  let reviews = await reviewAll(session, selection)
  let job: JobData | null = null
  const toData = () => ({ ...reviews.data, jobs: job === null ? [] : [job], checked })
  if (options.dryRun) return unlessLeft(options, toData())
  if (reviews.plugins.length === 0 && !options.sync?.token) {
    const aside = reviews.data.skipped.slice(skipped.length).filter(wasSetAside)
    if (aside.length > 0) throw allSetAside(session, profile, aside, toData())
    return unlessLeft(options, toData())
  }

  try {
    await agreeTo(session, reviews)
    job = await runJob(session, reviews)
    while (isBlocked(job)) {
      // The blocked build scripts are known now, so the same is reviewed again, with them.
      const again = { ...selection, options: { ...options, accept: undefined, allowBuild: undefined } }
      const reviewed = reviewAll(session, again)
      if (!session.canAsk) {
        // Also where a registry or the directory does not answer any more, it says that the scripts were blocked.
        reviews = await reviewed.catch(() => reviews)
        const accept = reviews.selection === again ? acceptCommand(session, reviews) : null
        throw jobFailure(job, session, profile, {
          next: accept && (({ failures }) => failures.showReview),
          data: accept && { accept },
        })
      }
      reviews = await reviewed
      session.errors.text('\n')
      await agreeTo(session, reviews)
      job = await runJob(session, reviews)
    }
    if (!isDone(job.outcome))
      throw jobFailure(job, session, profile, { next: withoutFailed(session, reviews, job.outcome) })
    return unlessLeft(options, toData())
  } catch (error) {
    const failure = toFailure(error, session.signal, session)
    // Nothing ran before the yes.
    const ran = job && { jobs: [job] }
    throw failure.with({ data: { ...reviews.data, ...ran, ...(failure.data as object | undefined) } })
  }
}

/** Returns the result of a change. @throws Failure where it had to leave out what was asked for */
function unlessLeft({ fromFile }: ChangeOptions, data: DataOf<ChangeAction>): DataOf<ChangeAction> {
  const isLeft = ({ reason }: Skipped) => reason === 'not-read' || (fromFile !== undefined && reason !== 'installed')
  const left = data.skipped.filter(isLeft).map(({ id }) => id)
  if (left.length === 0) return data
  const count = data.jobs.flatMap(({ ids }) => ids).length
  throw new Failure('skipped', ({ failures }) => failures.someLeft(count, left.join(', ')), { data })
}

// Resolving: what each name means, and what needs no change

/** Checks all plugins of the profile for newer versions, once in a run. */
type CheckOnce = () => Promise<readonly InstalledPlugin[]>

function checkOnce(session: Session, profile: string): CheckOnce {
  let checked: ReturnType<CheckOnce> | undefined
  return () => (checked ??= checkUpdates(session, profile))
}

/** Resolves what was typed. @throws Failure for a name that means nothing */
async function resolve(
  session: Session,
  action: ChangeAction,
  texts: readonly string[],
  options: ChangeOptions,
): Promise<Selection> {
  const profile = await session.chooseProfile(options.profile).catch(async (error: unknown) => {
    // Without a harness there is no profile, so report a wrong name first.
    if (error instanceof Failure && error.code === 'no-profile' && action === 'install')
      await resolveNames(session, { profile: DEFAULTS.profile, action, options, texts })
    throw error
  })
  const check = checkOnce(session, profile)
  const typed = { profile, action, options, texts }
  if (options.fromFile) return { ...typed, plugins: options.fromFile, skipped: [], check }
  if (options.all) {
    const { updated, leftOut, checked } = await outdated(session, profile, check)
    const plugins = await resolveNames(session, { ...typed, texts: updated })
    return { ...typed, plugins, skipped: leftOut, check, checked }
  }
  const plugins = await resolveNames(session, typed)
  const skipped = action === 'install' ? await alreadyInstalled(session, profile, plugins, check) : []
  const left = plugins.filter(({ text }) => !skipped.some(({ id }) => id === text))
  return { ...typed, plugins: left, skipped, check }
}

/** Resolves each name. @throws Failure for the first that means nothing */
async function resolveNames(session: Session, typed: TypedCommand): Promise<NamedPlugin[]> {
  const { action, profile, options, texts } = typed
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
  const named: NamedPlugin[] = []
  for (const text of texts) {
    try {
      const given = { byName: true, unlisted: options.unlisted === true }
      named.push({ text, target: await findTarget(client, text, { action, profile }, listings, given) })
    } catch (error) {
      const failure = toFailure(error, session.signal, session)
      if (action === 'update' && failure.code === 'not-installed' && splitVersion(text).version !== null)
        throw new Failure('not-installed', ({ failures }) => failures.updatesToNewest, {
          next: session.command('install', text, '--profile', profile, ...dryRunOf(options)),
        })
      const next = Object.hasOwn(SKIPS, failure.code) ? otherNames(session, typed, text, failure) : null
      // What is like a listing is misspelt rather than not listed.
      const isUnlike = action === 'install' && failure.code === 'unknown-listing' && failure.data === undefined
      const spec = isUnlike ? unlistedSpec(text) : null
      if (spec === null)
        throw new Failure(failure.code, failure.text, { next: next ?? failure.next, data: failure.data })
      const reason: LocalizedText = (words, locale) =>
        words.joined(textIn(locale, failure.text), words.failures.installsUnlisted[spec.kind])
      const [verb] = options.typed ?? [action]
      // A name alone may be misspelt, and somebody may have published a package under exactly that.
      const unlisted =
        spec.kind === 'npm'
          ? session.command('show', spec.text, '--unlisted', '--profile', profile)
          : session.command(verb!, spec.text, '--profile', profile, ...dryRunOf(options))
      throw new Failure(failure.code, reason, { next: next ?? (texts.length === 1 ? unlisted : failure.next) })
    }
  }
  // A name that is wrong whatever the directory has is reported first.
  if (unread !== null) throw unread
  return named
}

/** Checks programs before asking the user. @throws Failure when the change would certainly fail */
async function checkPrograms(session: Session): Promise<void> {
  const [missing] = await (await session.openHost()).missingPrograms()
  session.signal.throwIfAborted()
  const program = missing && missingProgram(missing.kind)
  if (program) throw withoutProgram(program, (words, locale) => findingText(missing, words, locale))
}

/**
 * Returns those of the given names whose plugins the profile has, in the version that was named, with what to type instead:
 * the harness loads them, or does not because they are off.
 */
async function alreadyInstalled(
  session: Session,
  profile: string,
  named: readonly NamedPlugin[],
  check: CheckOnce,
): Promise<Skipped[]> {
  const client = await session.openClient()
  // Of what has lost its files, an install brings them back.
  const isUsed = (plugin: InstalledPlugin) =>
    isManaged(plugin) && plugin.state.kind !== 'package-missing' && (plugin.layer || plugin.state.kind === 'off')
  const plugins = (await client.installed(profile)).filter(isUsed)
  const found = named.flatMap((one) => {
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
 * Returns the packages of the profile that have an update and can be updated here, and those that are left out: the user
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
 * Reviews everything that was resolved. An update of all, and a file that is not taken as a whole, leave out what is refused.
 *
 * @throws Failure for the first change that is impossible, unless others are left
 */
async function reviewAll(session: Session, selection: Selection): Promise<Reviews> {
  const { profile, options } = selection
  const { sync, fromFile } = options
  const { home } = await session.openHost()
  session.progress.work(session.words.asking)
  const leavesOut = options.all === true || (fromFile !== undefined && !sync?.token)
  const reviewed = new Map<string, ReviewedPlugin>()
  const skipped = [...selection.skipped]
  let first: Failure | null = null
  for (const plugin of selection.plugins) {
    try {
      const review = await reviewOne(session, selection, plugin)
      const { refusal } = review.data
      if (leavesOut && refusal !== null) {
        const message = refusalText(refusal.code, review.data, session.locale)
        skipped.push({ id: plugin.text, reason: SKIPS[refusal.code as FailureCode] ?? 'failed', message })
        first ??= refused(session, selection, review)
        continue
      }
      const skip = (await upToDate(session, review, selection)) ?? setAside(session, selection, review)
      if (skip === null) reviewed.set(review.data.id, review)
      else skipped.push(skip)
    } catch (error) {
      const failure = toFailure(error, session.signal, session)
      const reason = SKIPS[failure.code]
      // Of what a file names, nobody knows which one failed.
      const named = fromFile ? labelled(failure, plugin.text) : failure
      if (!leavesOut || reason === undefined) throw named
      first ??= named
      skipped.push({ id: plugin.text, reason, message: textIn(session.locale, failure.text) })
    }
  }
  const plugins = [...reviewed.values()]
  const reviews = plugins.map(({ data }) => data)
  // A registry that does not answer is no other fact.
  const file = sync && { text: sync.text, warnings: sync.warnings.filter(({ kind }) => kind !== 'not-looked-up') }
  const scope = { profile, home, directory: session.directory.url, file }
  const data = { profile, digest: digestOf(reviews, scope), reviews, skipped, ...(sync && publish(MADE, sync)) }
  if (first !== null && plugins.length === 0 && !skipped.slice(selection.skipped.length).some(wasSetAside))
    throw first.with({ data })
  const bad = plugins.find(({ data }) => data.refusal !== null)
  if (bad) throw refused(session, selection, bad).with({ data })
  return { selection, plugins, data, scope }
}

async function reviewOne(
  session: Session,
  { profile, options, ...selection }: Selection,
  { text, target, action = selection.action, hold }: NamedPlugin,
): Promise<ReviewedPlugin> {
  const client = await session.openClient()
  const { id, version } = target.intent
  if (options.fromFile && version !== undefined) await checkVersion(client, { id, profile, version })
  // Who agrees by digest has read it before.
  const inspects = options.accept === undefined || setsAside(options)
  const reviewed = await client.review(target, { action, profile, allowVerdict: options.allowVerdict, inspects })
  return { ...reviewed, data: toReviewData(reviewed), text, ...(hold !== undefined && { hold }) }
}

/** Returns the reason to leave out an update that would install the version that is there; null for any other change. */
async function upToDate(
  session: Session,
  { data, text: id }: ReviewedPlugin,
  { options: { dryRun = false }, check }: Selection,
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

const wasSetAside = ({ reason }: Skipped): boolean => ['gains', 'past', 'not-read'].includes(reason)

/** Returns true if an update of all plugins is only for those that gain nothing. */
const setsAside = ({ all, includeSetAside }: ChangeOptions): boolean => all === true && includeSetAside !== true

/** Returns the reason to set aside an update of all, with the command by which the user makes it; null when it is made. */
function setAside(
  session: Session,
  { profile, options }: Selection,
  { data, text: id }: ReviewedPlugin,
): Skipped | null {
  if (!setsAside(options)) return null
  const gains = gainsOf(data.inspection)
  if (!isSetAside(gains, data.past)) return null
  const t = messagesFor(session.locale)
  const line = breaksWithPast(data.past) ? t.review.facts.past.text(data.past) : gainsLine(data.inspection, t)
  const message = session.words.setAside(line ?? '', session.command('update', id, '--profile', profile))
  const reason = data.past?.breaks.length ? 'past' : gains.state === 'gains' ? 'gains' : 'not-read'
  return { id, reason, message }
}

// Agreeing and running

/** Has the user agree. @throws Failure with the reviews otherwise, and with the command that agrees to them */
async function agreeTo(session: Session, reviews: Reviews): Promise<void> {
  const { selection, data, scope } = reviews
  const { accept, allowBuild, fromFile } = selection.options
  const accepting = acceptCommand(session, reviews)
  try {
    await agree(session, data, { action: fromFile ? 'sync' : selection.action, scope, accept, allowBuild, accepting })
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'consent-changed')) throw error
    // The user reads this review, so all of it is read.
    const whole = await reviewAll(session, { ...selection, options: { ...selection.options, accept: undefined } })
    throw error.with({ data: { ...whole.data, accept: acceptCommand(session, whole) } })
  }
}

/** Renders the command that agrees to these reviews. */
function acceptCommand(session: Session, { selection, plugins, data }: Reviews): string {
  const keys = buildKeysOf(data.reviews).flatMap((key) => ['--allow-build', key])
  return renderTyped(session, { ...selection, texts: textsOf(plugins) }, [...keys, '--accept', data.digest])
}

/** Runs one job for all reviews, which is kept or rolled back as a whole. */
function runJob(session: Session, { selection, plugins }: Reviews): Promise<JobData> {
  session.signal.throwIfAborted()
  return session.finishJob((client) => client.startJob(plugins.map(agreedTo), { sync: selection.options.sync?.token }))
}

const isBlocked = ({ outcome: { kind, parts } }: JobData): boolean =>
  [kind, ...parts.map((part) => part.kind)].some((one) => one === 'build-blocked')

// Ends that the user can act on

/** Reasons to leave a plugin out, by error. */
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

const labelled = ({ code, text, next, data }: Failure, name: string): Failure =>
  new Failure(code, (words, locale) => words.labelled(name, textIn(locale, text)), { next, data })

function refused(session: Session, selection: Selection, { data, text }: ReviewedPlugin): Failure {
  const { code } = data.refusal!
  const allow = renderTyped(session, selection, ['--allow-verdict', data.verdict ?? ''])
  return new Failure(code as FailureCode, (words, locale) => words.labelled(data.id, refusalText(code, data, locale)), {
    next:
      withoutOne(session, selection, text, data.id) ??
      (code === 'refused-verdict'
        ? ({ failures }) => failures.allow(allow, session.canAsk)
        : code === 'not-installable'
          ? session.command('show', data.id)
          : null),
  })
}

/** Returns the command with what was probably meant by one of several names, or without it; null where there are none. */
function otherNames(session: Session, typed: TypedCommand, text: string, { data }: Failure): LocalizedText | null {
  const [meant] = (data as { readonly suggestions?: readonly string[] } | undefined)?.suggestions ?? []
  if (meant === undefined || typed.texts.length < 2) return withoutOne(session, typed, text)
  return renderTyped(session, { ...typed, texts: typed.texts.map((one) => (one === text ? meant : one)) }, [])
}

/** Returns the command that changes the others of several; null where there are none. @param text what named the one */
function withoutOne(session: Session, typed: TypedCommand, text: string, id = text): LocalizedText | null {
  const texts = typed.texts.filter((one) => one !== text)
  if (texts.length === 0 || texts.length === typed.texts.length) return null
  const command = renderTyped(session, { ...typed, texts }, [])
  return ({ failures }) => failures.others(id, command)
}

/** Returns the command that makes the other changes of a job of several; null where none is left. */
function withoutFailed(
  session: Session,
  { selection, plugins }: Reviews,
  outcome: JobData['outcome'],
): LocalizedText | null {
  const bad = outcome.parts.at(-1)
  if (selection.options.fromFile || bad === undefined || isDone(bad) || outcome.kind === 'cancelled') return null
  const text = plugins.find(({ data }) => data.id === bad.id)?.text ?? bad.id
  return withoutOne(session, { ...selection, texts: textsOf(plugins) }, text, bad.id)
}

const textsOf = (plugins: readonly ReviewedPlugin[]): string[] => plugins.map(({ text }) => text)

const dryRunOf = ({ dryRun }: ChangeOptions): string[] => (dryRun ? ['--dry-run'] : [])

/** Renders the typed command with more options. */
const renderTyped = (session: Session, { action, texts, profile, options }: TypedCommand, more: readonly string[]) =>
  session.command(
    ...[...(options.typed ?? [action, ...texts]), '--profile', profile],
    ...(options.unlisted ? ['--unlisted'] : []),
    ...dryRunOf(options),
    ...(options.allowVerdict && !more.includes('--allow-verdict') ? ['--allow-verdict', options.allowVerdict] : []),
    ...more,
  )

/** Returns the failure of an update of all plugins that leaves every one to the user. */
function allSetAside(
  session: Session,
  profile: string,
  [only, ...others]: readonly Skipped[],
  data: DataOf<'update'>,
): Failure {
  if (only && others.length === 0) {
    const { id, reason } = only
    const next = session.command('update', id, '--profile', profile)
    return new Failure('skipped', ({ failures }) => failures.oneSetAside[reason as 'gains'], { next, data })
  }
  const command = session.command('update', '--all', '--include-set-aside', '--profile', profile)
  return new Failure('skipped', ({ failures }) => failures.allSetAside(others.length + 1), {
    next: ({ failures }) => failures.includeSetAside(command),
    data,
  })
}
