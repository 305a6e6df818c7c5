/** The search: in what was prepared of the stored copy, or in the listings that the host reads. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unwrap } from '../../client/client-error.ts'
import { toListingData } from '../../client/listing-data.ts'
import { copyFolder } from '../../host/catalogue/stored-copy.ts'
import type { AllListings } from '../../host/index.ts'
import { readLoaded } from '../../host/profile/harness-home.ts'
import type { Fits, StoreListing } from '../../protocol/index.ts'
import type { Entry } from '../../search/entry.ts'
import { DEFAULT_FILTERS, type Key } from '../../search/facets.ts'
import { entriesOf, findEntries, mergeEntries, readProfileFacts } from '../../search/find.ts'
import { installedListings, isFresh, lookAgain, parseLook } from '../../search/listings.ts'
import {
  type AbsentValues,
  absentValues,
  KEYS,
  keyOf,
  nearFilters,
  type Problem,
  parseQuery,
  parseReference,
  problemTexts,
  type Token,
  tokensOf,
} from '../../search/query.ts'
import type { DataOf } from '../documents.ts'
import { Failure } from '../failure.ts'
import { filterValues, hasExamples } from '../filters.ts'
import { type PreparedSearch, readPrepared, writePrepared } from '../prepared-search.ts'
import type { Profiled, Session } from '../session.ts'

export interface SearchOptions extends Pick<Profiled, 'profile'> {
  readonly all?: boolean | undefined
  /** Number of listings to return. */
  readonly limit: number
}

export async function search(session: Session, words: readonly string[], options: SearchOptions) {
  const { all = false, limit } = options
  const profile = options.profile === undefined ? session.profileSet : await session.chooseProfile(options.profile)
  const text = words.join(' ')
  const typed = parseQuery(text, { ...DEFAULT_FILTERS, ...(all && { verdict: ['all'] }) })
  const noFilter = typed.problems.find(({ kind }) => kind === 'key')
  if (noFilter) throw unknownKey(noFilter)
  // What a shell leaves of `stars:>1000`.
  const empty = parseReference(text).kind === 'name' ? tokensOf(text).find(isEmptyFilter) : undefined
  if (empty) throw unknownValue({ kind: 'value', key: keyOf(empty.key)!, values: [] })
  if (typed.traits.includes('updatable'))
    throw new Failure('usage', ({ failures }) => failures.searchesNoUpdates, { next: session.command('outdated') })
  const wrong = typed.problems.filter(({ kind }) => kind === 'value')
  const notCategory = wrong.find(({ key }) => key !== 'category')
  if (notCategory) throw unknownValue(notCategory)
  const { status, entries: stored } = (await readFreshCopy(session)) ?? (await readEntries(session))
  // A directory may have categories that this version does not know.
  const isThere = (value: string) => stored.some(({ category }) => category === value)
  const nowhere = wrong.find(({ values }) => !values.every(isThere))
  if (nowhere) throw unknownValue(nowhere)
  const [absent] = absentValues(stored, typed)
  if (absent) throw unknownValue(absent.problem, absent)
  const categories = [...typed.category, ...wrong.flatMap(({ values }) => values)]
  const asked = typed.verdict.includes('all') ? await askDirectory(session, typed.words.join(' ')) : []
  const known = asked.length === 0 ? stored : mergeEntries(stored, asked)
  const entries = wrong.length === 0 ? known : known.filter(({ category }) => categories.includes(category ?? ''))
  const query = wrong.length === 0 ? typed : { ...typed, category: [], problems: [] }
  const verdictsKnown = status.state !== 'unverifiable'
  const { listings, hidden, hasEveryWord, found, meant, offered, missing, problems } = findEntries(entries, query, {
    verdictsKnown,
    locale: session.locale,
    more: entries.filter(({ listing }) => asked.some(({ id }) => id === listing.id)),
    ...(await readProfileFacts(query, {
      installed: () => allInstalled(session, profile, entries),
      fits: () => readFits(session, profile),
      unseen: () => readUnseen(session, { status, entries }),
    })),
  })
  const shown = await describe(session, listings.slice(0, limit))
  const installed = installedIn(await readLoaded(session.home, profile), shown)
  return {
    query: text,
    total: listings.length,
    hidden,
    everyWord: hasEveryWord,
    meant,
    offered,
    missing: [...missing],
    problems: [...problems],
    verdictsKnown,
    listings: shown.map((row) => ({
      ...toListingData(row),
      found: found.has(row.id) ? [...found.get(row.id)!] : null,
      installed: installed.has(row.id),
    })),
  } satisfies DataOf<'search'>
}

/** Has the directory search too: it alone has all texts of what did not pass. Optional, as without a network. */
async function askDirectory(session: Session, words: string): Promise<readonly StoreListing[]> {
  if (words === '') return []
  const found = await (await session.openClient()).call('search', { query: words })
  if (!found.ok) session.progress.warn(session.words.onlyNames)
  return found.ok ? found.value : []
}

/** Returns the listings that are shown, each with its record, which is stored only of those that passed. */
async function describe(session: Session, shown: readonly StoreListing[]): Promise<readonly StoreListing[]> {
  const missing = shown.filter(({ described }) => !described).map(({ id }) => id)
  if (missing.length === 0) return shown
  const read = await (await session.openClient()).call('describe', { ids: missing })
  const records = new Map(read.ok ? read.value.map((row) => [row.id, row]) : [])
  return shown.map((row) => records.get(row.id) ?? row)
}

/** Command that lists the filters and their values. */
const LIST = 'plugmark help filters'

/** Returns the failure for a name that no filter has: without it, the search would show everything. */
function unknownKey(problem: Problem): Failure {
  const [typed = ''] = problemTexts({ problems: [problem] })
  const near = problem.values.length === 0 ? null : nearFilters({ problems: [problem] })
  return new Failure(
    'usage',
    ({ failures }) => failures.unknownFilter(problem.key, near === null ? KEYS.join(', ') : ''),
    near === null ? { next: LIST } : { data: { typed, suggestions: [near] } },
  )
}

const isEmptyFilter = (token: Token): token is Token & { readonly kind: 'filter' } =>
  token.kind === 'filter' && token.values.length === 0

/** Returns the failure for a value that its filter does not know: without it, the search would show everything, or nothing. */
function unknownValue(problem: Problem, absent?: AbsentValues): Failure {
  const [filter = ''] = problemTexts({ problems: [problem] })
  const near = absent ? absent.near : nearFilters({ problems: [problem] })
  const known = near === null ? (absent?.known ?? filterValues(problem.key as Key)) : []
  return new Failure(
    'usage',
    ({ failures }) =>
      failures.unknownValue(filter, known.join(', '), absent === undefined && hasExamples(problem.key as Key)),
    near === null ? { next: LIST } : { data: { typed: filter, suggestions: [near] } },
  )
}

const folderOf = ({ folder, copy }: Session) => copyFolder(folder, copy)

/** Returns what was prepared of the stored copy, without opening the host; null unless the copy is fresh. */
async function readFreshCopy(session: Session): Promise<PreparedSearch | null> {
  const prepared = await readPrepared(folderOf(session))
  if (prepared === null || !isFresh(prepared.status)) return null
  session.noteDirectory(prepared.status, true)
  return prepared
}

/** Reads every listing, and prepares the next search if they are stored. */
async function readEntries(session: Session): Promise<PreparedSearch> {
  return prepareSearch(session, await session.readListings())
}

/** Prepares the next search in all listings, if they are stored. */
export async function prepareSearch(session: Session, { rows, status, copy }: AllListings): Promise<PreparedSearch> {
  session.unprepared = null
  const read = { status, entries: entriesOf(rows) }
  // Optional: without it, the next search takes longer.
  if (copy !== null) await writePrepared(folderOf(session), copy, read).catch(() => {})
  return read
}

/** Returns the listings that the directory did not have at the last search for new ones, and remembers this one. */
async function readUnseen(session: Session, { status, entries }: PreparedSearch): Promise<ReadonlySet<string>> {
  const file = join(folderOf(session), 'look.json')
  const last = parseLook(await readFile(file, 'utf8').catch(() => null))
  const ids = entries.map(({ listing }) => listing.id)
  const look = lookAgain(last, ids)
  // Without the index, the rest of the listings would be new the next time.
  if (status.generated !== null) {
    const { writeFileAtomic } = await import('@plugmark/shared/file-lock')
    // Optional: the next search then looks from here too.
    await writeFileAtomic(file, JSON.stringify(look)).catch(() => {})
    if (last === null) session.progress.warn(session.words.firstLook)
  }
  return new Set(look.unseen)
}

/** Returns the listings that are installed in these profiles. */
const installedIn = (profiles: Awaited<ReturnType<typeof readLoaded>>, rows: readonly StoreListing[]): Set<string> =>
  new Set(profiles.flatMap((profile) => [...installedListings(rows, profile)]))

/** Returns the listings that are installed in a profile, or in any of this machine. @throws Failure where there is none */
async function allInstalled(
  session: Session,
  profile: string | undefined,
  entries: readonly Entry[],
): Promise<Set<string>> {
  const all = await (await session.openHost()).profiles()
  // What is installed is unknown then, and not nothing.
  if (all.length === 0) await session.chooseProfile()
  const profiles = all.filter(({ name }) => profile === undefined || name === profile)
  if (profiles.length > 1)
    session.progress.warn(session.words.installedInAny(profiles.map(({ name }) => name).join(', ')))
  return installedIn(
    profiles,
    entries.map(({ listing }) => listing),
  )
}

/** Returns the known compatibility of listings with the harness, and says how many of them were looked at. */
async function readFits(session: Session, profile: string | undefined): Promise<Fits> {
  const { calls } = await session.openHost()
  const known: Fits = unwrap(await calls.fits({ profile: await session.likelyProfile(profile) }))
  if (known.fits.length < known.total) session.progress.warn(session.words.fit.known(known.fits.length, known.total))
  return known
}
