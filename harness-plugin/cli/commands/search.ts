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
import { DEFAULT_FILTERS, FACETS, type Key, SORTS } from '../../search/facets.ts'
import { entriesOf, findEntries, mergeEntries, readProfileFacts } from '../../search/find.ts'
import { installedListings, isFresh, lookAgain, parseLook } from '../../search/listings.ts'
import {
  type AbsentValues,
  absentValues,
  facetsOf,
  KEYS,
  nearFilters,
  type Problem,
  parseQuery,
  problemTexts,
} from '../../search/query.ts'
import type { DataOf } from '../documents.ts'
import { Failure } from '../failure.ts'
import { type PreparedSearch, readPrepared, writePrepared } from '../prepared-search.ts'
import type { Session } from '../session.ts'

export interface SearchOptions {
  readonly all?: boolean | undefined
  /** Number of listings to return. */
  readonly limit: number
}

export async function search(session: Session, words: readonly string[], options: SearchOptions) {
  const { all = false, limit } = options
  const text = words.join(' ')
  const typed = parseQuery(text, { ...DEFAULT_FILTERS, ...(all && { verdict: ['all'] }) })
  const noFilter = typed.problems.find(({ kind, values }) => kind === 'key' && values.length > 0)
  if (noFilter) throw unknownKey(noFilter)
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
  const problemsLeft = typed.problems.filter(({ kind }) => kind === 'key')
  const query = wrong.length === 0 ? typed : { ...typed, category: [], problems: problemsLeft }
  const verdictsKnown = status.state !== 'unverifiable'
  const { listings, hidden, hasEveryWord, found, meant, offered, missing, problems } = findEntries(entries, query, {
    verdictsKnown,
    locale: session.locale,
    more: entries.filter(({ listing }) => asked.some(({ id }) => id === listing.id)),
    ...(await readProfileFacts(query, {
      installed: () => allInstalled(session, entries),
      fits: () => readFits(session),
      unseen: () => readUnseen(session, { status, entries }),
    })),
  })
  const shown = await describe(session, listings.slice(0, limit))
  const installed = installedIn(await readLoaded(session.home), shown)
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

/** Returns the failure for a name that no filter has: without it, the search would show everything. */
function unknownKey(problem: Problem): Failure {
  const [typed = ''] = problemTexts({ problems: [problem] })
  const near = nearFilters({ problems: [problem] })
  return new Failure(
    'usage',
    ({ failures }) => failures.unknownFilter(problem.key, near === null ? KEYS.join(', ') : ''),
    {
      data: near === null ? undefined : { typed, suggestions: [near] },
    },
  )
}

/** Examples of the filters whose values are limits. */
const BOUNDS: Readonly<Record<string, readonly string[]>> = {
  stars: ['>1000', '<=50'],
  pushed: ['>2026-08-01', '<2026'],
}

/** Returns the failure for a value that its filter does not know: without it, the search would show everything, or nothing. */
function unknownValue(problem: Problem, absent?: AbsentValues): Failure {
  const [filter = ''] = problemTexts({ problems: [problem] })
  const near = absent ? absent.near : nearFilters({ problems: [problem] })
  const values = problem.key === 'sort' ? SORTS : facetsOf(problem.key as Key).flatMap((id) => FACETS[id].values)
  const known = near === null ? (absent?.known ?? BOUNDS[problem.key] ?? values) : []
  return new Failure('usage', ({ failures }) => failures.unknownValue(filter, known.join(', ')), {
    data: near === null ? undefined : { typed: filter, suggestions: [near] },
  })
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

/** Returns the listings that are installed in the profiles of this machine. @throws Failure where there is none */
async function allInstalled(session: Session, entries: readonly Entry[]): Promise<Set<string>> {
  const profiles = await (await session.openHost()).profiles()
  // What is installed is unknown then, and not nothing.
  if (profiles.length === 0) await session.chooseProfile()
  return installedIn(
    profiles,
    entries.map(({ listing }) => listing),
  )
}

/** Returns the known compatibility of listings with the harness, and says how many of them were looked at. */
async function readFits(session: Session): Promise<Fits> {
  const { calls } = await session.openHost()
  const known: Fits = unwrap(await calls.fits({ profile: await session.likelyProfile() }))
  if (known.fits.length < known.total) session.progress.warn(session.words.fit.known(known.fits.length, known.total))
  return known
}
