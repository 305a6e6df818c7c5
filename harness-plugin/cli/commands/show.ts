import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { DEFAULTS } from '@plugmark/shared/contract'
import { type Intent, needsListing } from '../../client/client.ts'
import { ClientError, unwrap } from '../../client/client-error.ts'
import { toDetailsData, toListingData } from '../../client/listing-data.ts'
import { findListing, findTarget, unlistedSpec } from '../../client/name-lookup.ts'
import { toFitData, toInstalledData } from '../../client/published.ts'
import { type StoreClient, unreadError } from '../../client/store-client.ts'
import type { Problem } from '../../host/index.ts'
import { agreedVersion, stateOfDeclared } from '../../protocol/fit.ts'
import type { Answer, DeclaredFit, Fit, InstalledPlugin, Review, StoreListing } from '../../protocol/index.ts'
import type { PackageVersions } from '../../protocol/package-facts.ts'
import { splitPackageId } from '../../protocol/package-id.ts'
import { plainLines, plainText, publish } from '../../protocol/text.ts'
import { DATA, type DataOf } from '../documents.ts'
import { Failure } from '../failure.ts'
import type { Profiled, Session } from '../session.ts'
import type { LocalizedText } from '../words/index.ts'

/** Time in which a registry tells about a plugin that is shown, in ms. */
const REGISTRY_TIMEOUT_MS = 4_000
/** Returns what is known in that time, else null. */
const inTime = <T>(known: Promise<T>): Promise<T | null> =>
  Promise.race([known, setTimeout(REGISTRY_TIMEOUT_MS, null, { ref: false })])

export interface ShowOptions extends Profiled {
  readonly notes?: boolean | undefined
  readonly unlisted?: boolean | undefined
}

export async function show(session: Session, id: string, options: ShowOptions): Promise<DataOf<'show'>> {
  if (options.unlisted) return showUnlisted(session, id, options)
  const profile = await session.likelyProfile(options.profile)
  const client = await session.openClient()
  const listing = await findShown(session, id, 'show')
  session.progress.work(session.words.asking)
  const { calls } = client.host
  const given = { id: listing.id, profile }
  const language = session.locale
  const [details, fit, versions, advisories, installed, notes] = await Promise.all([
    client.ask('details', given),
    calls.fit(given),
    inTime(calls.versions(given)),
    inTime(
      client.requestReview({ id: listing.id, action: 'install' }, profile).then((one) => readAdvisories(client, one)),
    ),
    // There may be no such profile.
    client.installed(profile).catch((): readonly InstalledPlugin[] => []),
    options.notes ? calls.repositoryText({ ...given, kind: 'changes', language }) : null,
  ])
  const plugin = installed.find((one) => one.listing === listing.id)
  const latest = plugin?.latest ?? (plugin && versions?.ok ? newerThan(plugin, versions.value) : null)
  const read = notes && unwrap(notes)
  // Its registry is asked all the same, for what the stored index says that is installed.
  const isUnread = versions?.ok === false && versions.code === 'directory'
  if (isUnread) await session.noteUnread()
  const spec = isUnread ? details.command?.split(' ').at(-1) : undefined
  const intent = spec === undefined ? null : ({ id: spec, action: 'install', isSpec: true } as const)
  const told = intent && (await inTime(readSpec(client, intent, profile).catch(() => null)))
  const shownFit = fit.ok ? fit.value : (told?.fit ?? null)
  return {
    ...toDetailsData(details, profile, session.locale),
    listed: true,
    fit: shownFit && toFitData(shownFit, session.locale),
    release: versions?.ok ? toRelease(versions.value) : told ? told.release : null,
    releaseProblem: versions?.ok ? problemOf(versions.value) : told ? null : 'unreachable',
    advisories: told ? told.advisories : advisories,
    installed: publish(
      DATA.show.entries.installed,
      plugin ? toInstalledData({ ...plugin, latest }, listing, session.locale, session.commandIn(profile)) : null,
    ),
    notes: read && { state: read.state, text: read.state === 'read' ? plainLines(read.markdown) : null },
  }
}

/** Finds the listing that a text names. What the directory does not know at all, the next step asks a registry about. */
export async function findShown(session: Session, text: string, verb: 'show' | 'diff'): Promise<StoreListing> {
  const client = await session.openClient()
  return findListing(client, text, await session.readListings(), { byName: true }).catch((error: unknown) => {
    if (!(error instanceof ClientError) || error.code !== 'unknown-listing' || error.suggestions.length > 0) throw error
    const spec = error.next?.call === 'search' && error.next.query === null ? unlistedSpec(text) : null
    if (spec === null) throw error
    const next = session.command(verb, spec.text, '--unlisted')
    const asks: LocalizedText = (words, locale) => words.joined(error.in(locale), words.failures.asksRegistry)
    throw new Failure('unknown-listing', asks, { next })
  })
}

/** Shows a package or a repository that the directory need not list, by the review of its install. */
async function showUnlisted(session: Session, text: string, options: ShowOptions): Promise<DataOf<'show'>> {
  const profile = await session.chooseProfile(options.profile)
  const client = await session.openClient()
  const request = { action: 'install', profile } as const
  const { intent } = await findTarget(client, text, request, null, { byName: true, unlisted: true })
  if (needsListing(intent)) return show(session, intent.id, { ...options, profile, unlisted: false })
  session.progress.work(session.words.asking)
  const { review, name, ...told } = await readSpec(client, intent, profile)
  const { id, license, repoUrl, command } = review
  const plugin = (await client.installed(profile)).find((one) => one.name === name)
  const none = { summary: null, summaryZh: null, category: null, stars: null, language: null, verdict: null }
  const details = { ...none, id, described: false, npmPackage: name, riskFlags: [], blockedBuilds: [], siblings: [] }
  const dates = { checkedAt: null, pushedAt: null, specKey: null, reason: null, page: null, options: [] }
  const about = { ...details, ...dates, license, repoUrl: repoUrl || null, command, installable: true }
  return {
    ...toDetailsData(about, profile, session.locale),
    listed: false,
    ...told,
    fit: told.fit && toFitData(told.fit, session.locale),
    releaseProblem: null,
    installed: publish(
      DATA.show.entries.installed,
      plugin ? toInstalledData(plugin, undefined, session.locale, session.commandIn(profile)) : null,
    ),
    notes: null,
  }
}

/** Reads what a registry or a code host tells of a spec. @throws ClientError */
async function readSpec(client: StoreClient, intent: Intent, profile: string) {
  const answer = await client.requestReview(intent, profile)
  const review = unwrap(answer)
  const { id, token } = review
  const [{ fit = null }, advisories] = await Promise.all([
    client.ask('facts', { id, token, wanted: ['fit'] }),
    inTime(readAdvisories(client, answer)),
  ])
  const version = agreedVersion(fit)
  return {
    review,
    name: version === null ? null : splitPackageId(fit!.plugin).name,
    fit: fit && fitOf(fit),
    release: version === null ? null : { version, publishedAt: null, sizeBytes: null, weeklyDownloads: null },
    advisories,
  }
}

/** Reads what is known against the plugin of a review; null where nobody tells. */
async function readAdvisories(client: StoreClient, review: Answer<Review>): Promise<DataOf<'show'>['advisories']> {
  if (!review.ok) return null
  const { id, token } = review.value
  const facts = await client.call('facts', { id, token, wanted: ['advisories'] })
  const advisories = facts.ok ? facts.value.advisories : null
  return advisories ? publish(DATA.show.entries.advisories, advisories) : null
}

/** Returns what a review knows of the fit as that of a listing. */
function fitOf(fit: DeclaredFit): Fit {
  const { state, trial, requirements, plugin, harnessVersion, fitting } = fit
  return {
    state: trial === null ? stateOfDeclared(state) : trial.runs ? 'runs' : 'does-not-run',
    ...{ plugin, harnessVersion, requirements, fitting, needs: null },
    breaksPage: trial?.breaksPage ?? false,
    why: trial?.why ?? [],
    triedAt: trial?.at ?? null,
  }
}

/** Returns the version that an update would install, which nobody may have looked for yet. */
function newerThan({ version, waiting }: InstalledPlugin, known: PackageVersions): string | null {
  if (known.state !== 'read' || waiting !== null) return null
  const at = (one: string | null) => known.versions.findIndex(({ version }) => version === one)
  return at(version) > at(known.newest) ? known.newest : null
}

const problemOf = ({ state }: PackageVersions): DataOf<'show'>['releaseProblem'] =>
  state === 'read' || state === 'repository' ? null : state

function toRelease(versions: PackageVersions): DataOf<'show'>['release'] {
  if (versions.state !== 'read') return null
  const { newest: version, weeklyDownloads } = versions
  const { publishedAt = null, sizeBytes = null } = versions.versions.find((one) => one.version === version) ?? {}
  return { version: plainText(version), publishedAt, sizeBytes, weeklyDownloads }
}

/** Opens a page of a plugin in the browser. In a pipe and with --json, only writes its address. */
export async function open(
  session: Session,
  id: string,
  { what }: { readonly what?: 'page' | 'source' | 'releases' | undefined },
): Promise<DataOf<'open'>> {
  const client = await session.openClient()
  const listing = await findListing(client, id, await session.readListings(), { byName: true })
  const details = await client.ask('details', { id: listing.id, profile: DEFAULTS.profile })
  const { page, source: repository } = toDetailsData(details, DEFAULTS.profile, session.locale)
  const base = repository?.replace(/\/+$/, '') ?? null
  const [, folder] = listing.id.split('#')
  const source = base && folder ? `${base}/tree/HEAD/${folder.split('/').map(encodeURIComponent).join('/')}` : base
  const addresses = { page: page ?? source, source, releases: base && `${base}/releases` }
  const url = addresses[what ?? 'page']
  if (url === null || !/^https?:\/\//.test(url))
    throw new Failure('no-page', ({ failures }) => failures.noPage(listing.id))
  const isOpened = session.canAsk && session.stdout.isTTY === true && (await openInBrowser(url, session.env))
  return { id: listing.id, url, opened: isOpened }
}

/** Time in which a program that opens nothing has ended, in ms. A browser may run on in place of that program. */
const OPEN_MS = 1_500

/** Opens an address with the system's command, without a shell. @returns false when there is none, or it fails */
async function openInBrowser(url: string, env: Session['env']): Promise<boolean> {
  const [program, ...args] = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] }[
    process.platform as string
  ] ?? ['xdg-open']
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const child = spawn(program!, [...args, url], { env: { ...env }, stdio: 'ignore', detached: true })
  child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0))
  const isOpened = await Promise.race([promise, setTimeout(OPEN_MS, true, { ref: false })])
  child.unref()
  return isOpened
}

/** Problems that mean that the index was not read. */
const UNREAD: readonly Problem[] = ['index-unfetched', 'index-refused', 'index-locked']

/**
 * Returns the stored index.
 *
 * @param given.replace true to replace it by one of another site, or an older one
 * @throws Failure when there is no index, and when a new one could not be read or differs
 */
export async function index(session: Session, { refresh: isAsked = false, replace = false }) {
  const refresh = isAsked || replace
  const askedAt = Date.now()
  const { rows, status } = await session.readListings({ refresh, replace })
  if (refresh && status.difference) {
    const { offered, stored } = status.difference
    throw new Failure('index-differs', ({ failures }) => failures.indexDiffers(offered, stored), {
      // A program that runs the next step must not agree for the user.
      next: ({ failures }) => failures.askToReplace,
      data: { accept: session.command('index', '--replace') },
    })
  }
  const isUnread = UNREAD.some((problem) => session.problems.has(problem))
  if (refresh && (isUnread || (status.loadedAt ?? 0) < askedAt)) throw unreadError(status)
  return {
    count: rows.length,
    described: status.described,
    rejected: status.rejected,
    folder: existsSync(session.folder) ? session.folder : null,
    listings: rows.map(toListingData),
  } satisfies DataOf<'index'>
}
