import { toListingData } from '../../client/published.ts'
import { DEFAULT_FILTERS } from '../../search/facets.ts'
import { findListings } from '../../search/find.ts'
import { installedListings } from '../../search/listings.ts'
import { parseQuery, problemTexts, withoutScreenTraits } from '../../search/query.ts'
import type { DataOf } from '../documents.ts'
import { readListings } from '../read-listings.ts'
import type { Session } from '../session.ts'
import { readFits } from './fits.ts'

export interface SearchOptions {
  readonly category?: string[] | undefined
  readonly risk?: string[] | undefined
  readonly license?: string[] | undefined
  readonly language?: string[] | undefined
  readonly all?: boolean | undefined
  readonly fits?: string[] | undefined
  /** True to request the compatibility of all plugins first. */
  readonly askFits?: boolean | undefined
  readonly limit: number
}

export async function search(session: Session, words: readonly string[], options: SearchOptions) {
  const {
    category = [],
    risk = [],
    license = [],
    language = [],
    fits = [],
    all = false,
    askFits = false,
    limit,
  } = options
  const text = words.join(' ')
  const typed = parseQuery(text, {
    ...DEFAULT_FILTERS,
    category,
    risk,
    license,
    language,
    fits,
    ...(all ? { verdict: ['all'] } : {}),
  })
  const query = withoutScreenTraits(typed)
  const stored = await readListings(session)
  const verdictsKnown = stored.status.state !== 'unverifiable'
  const installed = query.traits.length > 0 ? await installedIn(session, stored.rows) : new Set<string>()
  const needsFits = askFits || query.fits.length > 0
  const { listings, hidden, hasEveryWord, found, meant, offered, missing } = findListings(
    stored,
    verdictsKnown ? query : { ...query, verdict: ['all'] },
    {
      profile: {
        installed,
        updatable: new Set(),
        ...(needsFits && { fits: await readFits(session, { ask: askFits }) }),
      },
    },
  )
  return {
    query: text,
    total: listings.length,
    hidden,
    everyWord: hasEveryWord,
    meant,
    offered,
    missing: [...missing],
    problems: problemTexts(query),
    verdictsKnown,
    listings: listings
      .slice(0, limit)
      .map((row) => ({ ...toListingData(row), found: found.has(row.id) ? [...found.get(row.id)!] : null })),
  } satisfies DataOf<'search'>
}

/** Returns the listings that are installed in the profiles of this machine. */
async function installedIn(session: Session, rows: Parameters<typeof installedListings>[0]): Promise<Set<string>> {
  const profiles = await (await session.openHost()).profiles()
  return new Set(profiles.flatMap((profile) => [...installedListings(rows, profile)]))
}
