/** The search: in what was prepared of the stored copy, or in the listings that the host reads. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unwrap } from '../../client/client-error.ts'
import { toListingData } from '../../client/listing-data.ts'
import { copyFolder } from '../../host/catalogue/copy.ts'
import type { AllListings } from '../../host/index.ts'
import type { Fits } from '../../protocol/index.ts'
import type { Entry } from '../../search/entry.ts'
import { DEFAULT_FILTERS } from '../../search/facets.ts'
import { entriesOf, findEntries, readProfileFacts } from '../../search/find.ts'
import { installedListings, isFresh, lookAgain, parseLook } from '../../search/listings.ts'
import { nearFilters, parseQuery, problemTexts } from '../../search/query.ts'
import type { DataOf } from '../documents.ts'
import { Failure } from '../failure.ts'
import { type Prepared, readPrepared, writePrepared } from '../prepared-search.ts'
import type { Session } from '../session.ts'

export interface SearchOptions {
  readonly category?: string[] | undefined
  readonly risk?: string[] | undefined
  readonly license?: string[] | undefined
  readonly language?: string[] | undefined
  readonly all?: boolean | undefined
  readonly fits?: string[] | undefined
  /** Number of listings to return. */
  readonly limit: number
}

export async function search(session: Session, words: readonly string[], options: SearchOptions) {
  const { category = [], risk = [], license = [], language = [], fits = [], all = false, limit } = options
  const text = words.join(' ')
  const query = parseQuery(text, {
    ...DEFAULT_FILTERS,
    category,
    risk,
    license,
    language,
    fits,
    ...(all ? { verdict: ['all'] } : {}),
  })
  // A known filter with a wrong value would show everything, as --category with that value does not.
  const wrong = { ...query, problems: query.problems.filter(({ kind }) => kind === 'value').slice(0, 1) }
  const [filter] = problemTexts(wrong)
  if (filter !== undefined) {
    const near = nearFilters(wrong)
    throw new Failure('usage', ({ failures }) => failures.unknownValue(filter), {
      data: near === null ? undefined : { typed: filter, suggestions: [near] },
    })
  }
  const { status, entries } = (await readFreshCopy(session)) ?? (await readEntries(session))
  const verdictsKnown = status.state !== 'unverifiable'
  const { listings, hidden, hasEveryWord, found, meant, offered, missing, problems } = findEntries(entries, query, {
    verdictsKnown,
    locale: session.locale,
    ...(await readProfileFacts(query, {
      installed: () => installedIn(session, entries),
      fits: () => readFits(session),
      unseen: () => readUnseen(session, { status, entries }),
    })),
  })
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
    listings: listings
      .slice(0, limit)
      .map((row) => ({ ...toListingData(row), found: found.has(row.id) ? [...found.get(row.id)!] : null })),
  } satisfies DataOf<'search'>
}

const folderOf = ({ folder, copy }: Session) => copyFolder(folder, copy)

/** Returns what was prepared of the stored copy, without opening the host; null unless the copy is fresh. */
async function readFreshCopy(session: Session): Promise<Prepared | null> {
  const prepared = await readPrepared(folderOf(session))
  if (prepared === null || !isFresh(prepared.status)) return null
  session.noteDirectory(prepared.status, true)
  return prepared
}

/** Reads every listing, and prepares the next search if they are stored. */
async function readEntries(session: Session): Promise<Prepared> {
  return prepareSearch(session, await session.readListings())
}

/** Prepares the next search in all listings, if they are stored. */
export async function prepareSearch(session: Session, { rows, status, copy }: AllListings): Promise<Prepared> {
  session.unprepared = null
  const read = { status, entries: entriesOf(rows) }
  // Optional: without it, the next search takes longer.
  if (copy !== null) await writePrepared(folderOf(session), copy, read).catch(() => {})
  return read
}

/** Returns the listings that the directory did not have at the last search for new ones, and remembers this one. */
async function readUnseen(session: Session, { status, entries }: Prepared): Promise<ReadonlySet<string>> {
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

/** Returns the listings that are installed in the profiles of this machine. @throws Failure where there is none */
async function installedIn(session: Session, entries: readonly Entry[]): Promise<Set<string>> {
  const rows = entries.map(({ listing }) => listing)
  const profiles = await (await session.openHost()).profiles()
  // What is installed is unknown then, and not nothing.
  if (profiles.length === 0) await session.chooseProfile()
  return new Set(profiles.flatMap((profile) => [...installedListings(rows, profile)]))
}

/** Returns the known compatibility of listings with the harness, and says how many of them were looked at. */
async function readFits(session: Session): Promise<Fits> {
  const { calls } = await session.openHost()
  const known: Fits = unwrap(await calls.fits({ profile: await session.likelyProfile() }))
  if (known.fits.length < known.total) session.progress.warn(session.words.fit.known(known.fits.length, known.total))
  return known
}
