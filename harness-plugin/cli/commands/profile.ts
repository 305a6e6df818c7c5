import { ClientError, unwrap } from '../../client/client-error.ts'
import { findInstalled } from '../../client/name-lookup.ts'
import { isDone, toInstalledData, toPastJobData } from '../../client/published.ts'
import type { AllListings } from '../../host/index.ts'
import { messagesFor } from '../../messages/index.ts'
import { advisoryLine } from '../../messages/inspection-lines.ts'
import type { Advisory, HistoryEntry, InstalledPlugin } from '../../protocol/index.ts'
import { MAX_REASON } from '../../protocol/limits.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import { malwareIn } from '../../protocol/review-facts.ts'
import { plainText, publish } from '../../protocol/text.ts'
import { OWN_PACKAGE } from '../cli-settings.ts'
import { DATA, type DataOf } from '../documents.ts'
import { Failure, jobFailure } from '../failure.ts'
import type { Profiled, Session } from '../session.ts'
import { undoLines } from '../text/profile-lines.ts'
import type { Page } from '../text/terminal.ts'
import type { LocalizedText } from '../words/index.ts'
import { ask } from './agreement.ts'

export async function list(
  session: Session,
  options: Profiled & { readonly outdated?: boolean | undefined },
): Promise<DataOf<'list'>> {
  const profile = await session.chooseProfile(options.profile)
  const { outdated = false } = options
  const { rows } = await listingsIfAny(session)
  const client = await session.openClient()
  const plugins = outdated ? await checkUpdates(session, profile) : await client.installed(profile)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const { checkedAt } = await client.ask('updateChecks', { profile })
  return {
    profile,
    checkedAt: checkedAt === null ? null : new Date(checkedAt).toISOString(),
    plugins: plugins
      .filter(
        ({ latest, waiting, updateProblem, news }) =>
          !outdated || latest !== null || waiting !== null || updateProblem !== null || news.length > 0,
      )
      .map((plugin) => {
        // An update that is known not to exist is no step.
        const isNewest = checkedAt !== null && plugin.latest === null && plugin.updateProblem === null
        const steps = plugin.state.steps.filter((step) => step !== 'update' || !isNewest)
        const one = { ...plugin, state: { ...plugin.state, steps } }
        return toInstalledData(one, byId.get(plugin.listing ?? ''), session.locale, session.commandIn(profile))
      }),
  }
}

/** Asks for newer versions of the plugins of a profile. @throws Failure with the address that did not answer */
export async function checkUpdates(session: Session, profile: string): Promise<readonly InstalledPlugin[]> {
  const client = await session.openClient()
  session.progress.work(session.words.asking)
  return client.installed(profile, { checkUpdates: true }).catch(async (error: unknown) => {
    if (!(error instanceof ClientError && error.code === 'package-manager')) throw error
    const asked = await client.host.registryAddress(profile)
    const text: LocalizedText = ({ joined, failures }, locale) => joined(error.in(locale), failures.asked(asked))
    throw new Failure(error.code, text)
  })
}

/** Returns the listings, or none without a directory, because the plugins of a profile can be listed without them. */
const listingsIfAny = (session: Session): Promise<Pick<AllListings, 'rows'>> =>
  session.readListings().catch((error: unknown) => {
    if (error instanceof ClientError && error.code === 'directory') return { rows: [] }
    throw error
  })

/** Names what is known against what a change brings back. @throws Failure for malware, which the host refuses too */
function warnOf({ progress, locale }: Session, advisories: readonly Advisory[]): void {
  for (const one of advisories) {
    const { text, places } = advisoryLine(one, messagesFor(locale))
    progress.warn(`${places[0]}: ${text}`)
  }
  if (malwareIn(advisories).length > 0) throw new Failure('malware', (_, locale) => messagesFor(locale).refused.malware)
}

/** Enables or disables an installed plugin. Does not ask: the opposite command reverts it. */
export async function switchPlugin(
  session: Session,
  text: string,
  options: Profiled & { readonly enabled: boolean },
): Promise<DataOf<'enable'>> {
  const profile = await session.chooseProfile(options.profile)
  const { enabled } = options
  const nothing = { profile, digest: '', reviews: [], jobs: [], skipped: [] }
  const plugin = await findInstalled(await session.openClient(), text, profile, { byName: true })
  const skip = (reason: 'installed' | 'dry-run', message: string) => ({
    ...nothing,
    skipped: [{ id: plainText(plugin.name), reason, message }],
  })
  // The job would change nothing.
  if (plugin.enabled === enabled) return skip('installed', session.words.alreadySwitched(enabled))
  if (enabled) warnOf(session, plugin.advisories)
  else if (plugin.name === OWN_PACKAGE) session.progress.warn(session.words.isPlugmark)
  if (options.dryRun) return skip('dry-run', session.words.wouldSwitch(enabled))
  const job = await session.finishJob((client) => client.requestSwitch(plugin, profile, enabled))
  const data = { ...nothing, jobs: [job] }
  if (!isDone(job.outcome)) throw jobFailure(job, session, profile, { data })
  return data
}

/** Holds an installed plugin at its version, so that `update --all` leaves it out, or ends that. */
export async function hold(
  session: Session,
  text: string,
  options: Profiled & { readonly reason?: string | undefined; readonly held: boolean },
): Promise<DataOf<'hold'>> {
  const { held, dryRun = false } = options
  const given = options.reason?.trim()
  if (given !== undefined && given.length > MAX_REASON)
    throw new Failure('usage', ({ failures }) => failures.reasonTooLong(MAX_REASON))
  const profile = await session.chooseProfile(options.profile)
  const client = await session.openClient()
  const plugin = await findInstalled(client, text, profile, { byName: true })
  const reason = held ? (given ?? plugin.hold?.reason) || null : null
  if (!dryRun) unwrap(await client.requestHold(plugin, profile, held ? { reason } : null))
  return { profile, package: plainText(plugin.name), version: plugin.version, held, reason, dryRun }
}

/**
 * Returns the jobs that ran on a profile, newest first; with the beginning of a job's id, that job with its log.
 *
 * @throws Failure when no job, or several, have such an id
 */
export async function history(
  session: Session,
  job: string | undefined,
  options: Profiled & { readonly limit: number },
): Promise<DataOf<'history'>> {
  const profile = await session.chooseProfile(options.profile)
  const { calls, logFile } = await session.openHost()
  const entries = unwrap(await calls.history({ profile }))
  const toData = async (entry: HistoryEntry, output: readonly string[]) =>
    toPastJobData(entry, session.locale, {
      log: await logFile(profile, entry.id),
      output,
    })
  if (job === undefined) {
    const jobs = await Promise.all(entries.slice(0, options.limit).map((entry) => toData(entry, [])))
    return { profile, total: entries.length, jobs }
  }
  const [entry, ...others] = entries.filter(({ id }) => id.startsWith(job))
  if (entry === undefined || others.length > 0)
    throw new Failure(entry ? 'ambiguous' : 'unknown-job', ({ failures }) => failures.noJob(job, others.length + 1), {
      next: session.command('history', '--profile', profile),
    })
  const output = unwrap(await calls.jobLog({ profile, job: entry.id }))
  return { profile, total: 1, jobs: [await toData(entry, output)] }
}

/**
 * Looks up what is known against the packages of a profile.
 *
 * @throws Failure when something is known, and when a registry did not tell
 */
export async function audit(session: Session, options: Profiled): Promise<DataOf<'audit'>> {
  const profile = await session.chooseProfile(options.profile)
  const host = await session.openHost()
  const audit = await host.audit(profile, session.signal)
  session.signal.throwIfAborted()
  const data = publish(DATA.audit, { profile, audit })
  const { found, unknown } = audit.state === 'read' ? audit : { found: [], unknown: [] }
  const [worst] = found
  if (worst) {
    const fixable = found.find(({ without }) => without !== null)
    const [step, about] = worst.isMalware ? ['remove', worst] : fixable ? ['update', fixable] : ['disable', worst]
    throw new Failure('advisories', ({ failures }) => failures.advisories(found.length), {
      data,
      next: session.command(step, splitPackageId(about.path[0] ?? about.package).name, '--profile', profile),
    })
  }
  // What comes from elsewhere than a registry stays unknown, however often it is looked up.
  const untold = unknown.filter(({ host }) => host !== null)
  if (audit.state !== 'no-lockfile' && untold.length === 0) return data
  const next = audit.state === 'no-lockfile' ? session.command('doctor', '--profile', profile) : null
  throw new Failure('advisories-unknown', ({ failures }) => failures.advisoriesUnknown, {
    data,
    next,
  })
}

/** Undoes the last change of a profile, or makes an undone one again. At a terminal, shows it first and asks. */
export async function undo(session: Session, step: 'undo' | 'redo', options: Profiled): Promise<DataOf<'undo'>> {
  const profile = await session.chooseProfile(options.profile)
  const host = await session.openHost()
  const last = unwrap(await host.calls.lastChange({ profile }))
  const nothing = (next: string, data?: DataOf<'undo'>) =>
    new Failure(`nothing-to-${step}`, ({ failures }) => failures.nothingTo[step](profile, last !== null), {
      next,
      data,
    })
  const history = session.command('history', '--profile', profile)
  if (last === null) throw nothing(history)
  // Both are the same job of the host. A second undo must not make the change again.
  if ((last.job.action === 'undo') !== (step === 'redo'))
    throw nothing(step === 'undo' ? session.command('redo', '--profile', profile) : history)
  const { job, endedAt, packages } = last
  const change = {
    action: job.action,
    ids: job.listing === null ? [] : [job.listing, ...job.more],
    endedAt: new Date(endedAt).toISOString(),
    changes: publish(
      DATA.undo.entries.change.entries.changes,
      packages.map((one) => ({ ...one, package: one.name })),
    ),
  }
  warnOf(session, last.advisories)
  if (options.dryRun) return { profile, change, job: null }
  if (session.canAsk) {
    const toLines = (page: Page) => undoLines({ profile, change, job: null }, page)
    if (!(await ask(session, session.words.question[step], toLines)))
      throw new Failure('cancelled', ({ declined }) => declined)
  }
  const undone = await session.finishJob(() => host.calls.undo({ profile, change: job.id }))
  const data = { profile, change, job: undone }
  if (undone.outcome.kind === 'nothing-to-do') throw nothing(history, data)
  if (!isDone(undone.outcome)) throw jobFailure(undone, session, profile, { data })
  return data
}
