import { CATEGORIES } from '@plugmark/shared/contract'
import { DEFAULT_FILTERS, OTHER_CATEGORY } from '../../search/filters.ts'
import { installedListings } from '../../search/installed.ts'
import { parseQuery, renderWords } from '../../search/query.ts'
import type { DataOf } from '../documents.ts'
import { Failure, unwrap } from '../failure.ts'
import { findListings } from '../find.ts'
import { readListings, toListing } from '../listings.ts'
import type { Session } from '../session.ts'

export interface SearchOptions {
  readonly category?: string[] | undefined
  readonly risk?: string[] | undefined
  readonly license?: string[] | undefined
  readonly all?: boolean | undefined
  readonly limit: number
}

export async function search(session: Session, words: readonly string[], options: SearchOptions) {
  const { category = [], risk = [], license = [], all = false, limit } = options
  const wrong = category.find((id) => ![...CATEGORIES, OTHER_CATEGORY].includes(id as never))
  if (wrong !== undefined)
    throw new Failure(
      'usage',
      `There is no category "${wrong}". There are: ${[...CATEGORIES, OTHER_CATEGORY].join(', ')}.`,
    )
  const query = parseQuery(words.join(' '), {
    ...DEFAULT_FILTERS,
    ...{ category, risk, license },
    verdict: all ? 'all' : DEFAULT_FILTERS.verdict,
  })
  const { rows, status } = await readListings(session)
  const verdictsKnown = status.state !== 'unverifiable'
  const filters = verdictsKnown ? query : { ...query, verdict: 'all' as const }
  const installed = query.traits.length > 0 ? await installedIn(session, rows) : new Set<string>()
  const { entries, hidden, meant } = findListings(rows, { words: query.words, filters, installed })
  return {
    query: words.join(' '),
    total: entries.length,
    hidden,
    meant: meant && renderWords(meant),
    problems: query.problems.map(({ key, values }) => `${key}:${values.join(',')}`),
    verdictsKnown,
    listings: entries.slice(0, limit).map(({ listing }) => toListing(listing)),
  } satisfies DataOf<'search'>
}

/** What the profiles of this machine have. */
async function installedIn(session: Session, rows: Parameters<typeof installedListings>[0]): Promise<Set<string>> {
  const { profiles } = unwrap(await (await session.openHost()).calls.overview({}))
  return new Set(profiles.flatMap((profile) => [...installedListings(rows, profile)]))
}
