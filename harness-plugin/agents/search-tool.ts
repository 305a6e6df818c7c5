import { CATEGORIES, LIMITS } from '@plugmark/shared/contract'
import * as v from 'valibot'
import type { StoreListing } from '../protocol/index.ts'
import { plainText } from '../protocol/text.ts'
import { union } from '../search/facets.ts'
import { findListings } from '../search/find.ts'
import { installedListings } from '../search/listings.ts'
import { parseQuery, problemTexts, withoutScreenTraits } from '../search/query.ts'
import { checkOf, factsOf, QUOTED } from './facts.ts'
import type { Tool } from './tool.ts'
import { BOUNDS } from './tool-declarations.ts'

const SUMMARY_LENGTH = 220

const input = v.strictObject({
  query: v.pipe(v.string(), v.trim(), v.maxLength(LIMITS.queryLength)),
  category: v.optional(v.picklist(CATEGORIES)),
  unchecked: v.optional(v.boolean(), false),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(BOUNDS.maxLimit)), BOUNDS.defaultLimit),
})

/** Finds listings as the screen does. */
export const searchTool: Tool<typeof input> = {
  input,
  async run({ query, category, unchecked, limit }, { client, profile }) {
    const asking = withoutScreenTraits(parseQuery(query))
    const words = asking.words.join(' ')
    const { calls } = client.host
    // The directory also searches texts that are not here.
    const [asked, stored] = await Promise.all([
      words === '' ? nothing : calls.search({ query: words }),
      client.listings({ stale: 'use' }),
    ])
    const others = asked.ok ? asked.value : []
    const profiles = await client.host.profiles()
    const target = profiles.find(({ name }) => name === profile)
    const installed =
      asking.traits.length > 0 ? installedListings([...stored.rows, ...others], target) : new Set<string>()
    const known = asking.fits.length > 0 ? await calls.fits({ profile }) : null
    const fits = known?.ok ? { fits: new Map(known.value.fits) } : {}
    const isVerified = !unchecked && stored.status.state !== 'unverifiable'
    const found = findListings(
      stored,
      {
        ...asking,
        category: union(asking.category, category === undefined ? [] : [category]),
        verdict: isVerified ? asking.verdict : ['all'],
      },
      { profile: { installed, updatable: new Set(), ...fits }, more: others },
    )
    const { meant, offered, hasEveryWord, missing, hidden } = found
    const isPartial = ({ id }: StoreListing) => Number(found.found.has(id))
    const passedFirst = (a: StoreListing, b: StoreListing) =>
      isPartial(a) - isPartial(b) || Number(b.verdict === 'passed') - Number(a.verdict === 'passed')
    const plugins = asking.sort === null ? found.listings.toSorted(passedFirst) : found.listings
    const shown = plugins.slice(0, limit)
    const installedHits = installedListings(shown, target)
    const notes = [
      QUOTED,
      asking.problems.length > 0 && `Not a filter here, so it was ignored: ${problemTexts(asking).join(', ')}.`,
      meant !== null &&
        plugins.length > 0 &&
        `Nothing has these words as they were typed; these are results for "${meant}".`,
      offered !== null && `Did you mean "${offered}"?`,
      shown.some(isPartial) &&
        `${hasEveryWord ? 'Only the first plugins have' : 'No plugin has'} all of these words; "found" names the words that each other one has.`,
      missing.length > 0 && `Found nowhere: ${missing.join(', ')}.`,
      plugins.length === 0 && hidden === 0 && 'Nothing matches. Try fewer or other words, in English or Chinese.',
      hidden > 0 && `${hidden} more did not pass the install check or were not checked: ask again with "unchecked".`,
      stored.status.state === 'unverifiable' && 'The directory does not say which plugins passed its install check.',
      !asked.ok && 'Directory not reachable. These are results from the stored list.',
    ]
    return {
      ok: true,
      matching: plugins.length,
      plugins: shown.map((hit) =>
        hitOf(hit, { query, found: found.found.get(hit.id) ?? null, installed: installedHits.has(hit.id) }),
      ),
      notes: notes.filter((note) => note !== false),
    }
  },
}

const nothing = Promise.resolve({ ok: true, value: [] } as const)

function hitOf(
  listing: StoreListing,
  { query, found, installed }: { query: string; found: readonly string[] | null; installed: boolean },
) {
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
    found: found && [...found],
    quoted: quoted && plainText(quoted, SUMMARY_LENGTH),
  }
}
