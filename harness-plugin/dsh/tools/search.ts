import { CATEGORIES, LIMITS } from '@plugmark/shared/contract'
import * as v from 'valibot'
import { plainText } from '../../client/plain-text.ts'
import type { StoreBridge, StoreListing } from '../../protocol/index.ts'
import { union } from '../../search/facets.ts'
import { findListings } from '../../search/find.ts'
import { installedListings } from '../../search/installed.ts'
import { parseQuery, problemTexts, withoutUpdatable } from '../../search/query.ts'
import { BOUNDS } from './declarations.ts'
import { checkOf, factsOf, QUOTED } from './facts.ts'
import { currentProfile, readCatalogue } from './store.ts'
import { type Tool, unlessAborted } from './tool.ts'

const SUMMARY_LENGTH = 220

const input = v.strictObject({
  query: v.pipe(v.string(), v.trim(), v.maxLength(LIMITS.queryLength)),
  category: v.optional(v.picklist(CATEGORIES)),
  unchecked: v.optional(v.boolean(), false),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(BOUNDS.maxLimit)), BOUNDS.defaultLimit),
})

/** Creates the tool that finds listings as the screen does. */
export const searchTool = (store: StoreBridge): Tool<typeof input> => ({
  input,
  async run({ query, category, unchecked, limit }, { signal }) {
    const asking = withoutUpdatable(parseQuery(query))
    const words = asking.words.join(' ')
    // The directory also searches texts that are not here.
    const [asked, catalogue] = await Promise.all([
      unlessAborted(signal, words === '' ? nothing : store.call('search', { query: words })),
      readCatalogue(store, signal),
    ])
    if (!catalogue.ok) return catalogue
    const { status } = catalogue.value
    const others = asked.ok ? asked.value : []
    const rows = joined(catalogue.value.rows, others)
    if (rows.length === 0 && !asked.ok) return asked
    if (rows.length === 0 && status.failure) return { ok: false, code: 'directory', message: status.failure.message }

    const overview = await store.call('overview', {})
    const installed = installedListings(rows, overview.ok ? currentProfile(overview.value) : undefined)
    const isVerified = !unchecked && status.state !== 'unverifiable'
    const found = findListings(
      rows,
      {
        ...asking,
        category: union(asking.category, category === undefined ? [] : [category]),
        verdict: isVerified ? asking.verdict : ['all'],
      },
      { profile: { installed, updatable: new Set() }, more: others.map(({ id }) => id) },
    )
    const { meant, hasEveryWord, hidden } = found
    const passedFirst = (a: StoreListing, b: StoreListing) =>
      Number(b.verdict === 'passed') - Number(a.verdict === 'passed')
    const plugins = asking.sort === null ? found.listings.toSorted(passedFirst) : found.listings
    const notes = [
      QUOTED,
      asking.problems.length > 0 && `Not a filter here, so it was ignored: ${problemTexts(asking).join(', ')}.`,
      meant !== null && plugins.length > 0 && `Little has these words as they stand; "${meant}" is looked for too.`,
      !hasEveryWord && plugins.length > 0 && 'No plugin has all of these words; these have the most of them.',
      plugins.length === 0 && hidden === 0 && 'Nothing matches. Try fewer or other words, in English or Chinese.',
      hidden > 0 && `${hidden} more did not pass the install check or were not checked: ask again with "unchecked".`,
      status.state === 'unverifiable' && 'The directory does not say which plugins passed its install check.',
      !asked.ok && 'Directory not reachable. These are results from the stored list.',
    ]
    return {
      ok: true,
      matching: plugins.length,
      plugins: plugins.slice(0, limit).map((hit) => hitOf(hit, { query, installed: installed.has(hit.id) })),
      notes: notes.filter((note) => note !== false),
    }
  },
})

const nothing = Promise.resolve({ ok: true, value: [] } as const)

/** Returns every listing once; the last of the same id counts. */
const joined = (...lists: readonly (readonly StoreListing[])[]): StoreListing[] => [
  ...new Map(lists.flat().map((listing) => [listing.id, listing])).values(),
]

function hitOf(listing: StoreListing, { query, installed }: { query: string; installed: boolean }) {
  const { summary, summaryZh } = listing
  const quoted = /\p{Script=Han}/u.test(query) ? (summaryZh ?? summary) : (summary ?? summaryZh)
  const { facts } = factsOf(listing)
  return {
    id: listing.id,
    package: facts.package,
    category: facts.category,
    stars: listing.stars,
    check: checkOf(listing.verdict, listing.checkedAt),
    installable: listing.installable,
    installed,
    risks: facts.risks.length > 0 ? facts.risks : null,
    quoted: quoted && plainText(quoted, SUMMARY_LENGTH),
  }
}
