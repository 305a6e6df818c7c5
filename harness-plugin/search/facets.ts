import type { Codes } from './codes.ts'
import type { Entry, FacetCodes } from './entry.ts'
import { type Filters, TRAITS, type Trait, type VerdictFilter } from './filters.ts'

/** What a profile has: ids of listings. */
export interface ProfileFacts {
  readonly installed: ReadonlySet<string>
  readonly updatable: ReadonlySet<string>
}

/** How many listings each value would show, were its facet the only one to be changed. */
export interface Counts {
  readonly category: ReadonlyMap<string, number>
  readonly risk: ReadonlyMap<string, number>
  readonly license: ReadonlyMap<string, number>
  readonly verdict: Readonly<Record<VerdictFilter, number>>
  readonly traits: Readonly<Record<Trait, number>>
}

export interface Filtered {
  readonly entries: readonly Entry[]
  readonly counts: Counts
}

/** One bit a facet, set for a listing that it does not let pass. */
const CATEGORY = 1
const RISK = 2
const LICENSE = 4
const VERDICT = 8
const TRAIT_BITS: Readonly<Record<Trait, number>> = { installable: 16, installed: 32, updatable: 64 }

/**
 * The entries that pass every facet, and the counts: one look at each entry, which counts for a facet when all others
 * let it pass. This runs at every key, over every listing.
 */
export function filtered(
  entries: Iterable<Entry>,
  query: Filters,
  { codes, profile }: { readonly codes: FacetCodes; readonly profile: ProfileFacts },
): Filtered {
  const categories = chosen(query.category, codes.category)
  const risks = chosen(query.risk, codes.risk)
  const licenses = chosen(query.license, codes.license)
  const count = {
    category: new Uint32Array(codes.category.texts.length),
    risk: new Uint32Array(codes.risk.texts.length),
    license: new Uint32Array(codes.license.texts.length),
  }
  const verdict = { passed: 0, 'needs-approval': 0, all: 0 }
  const traits = { installable: 0, installed: 0, updatable: 0 }
  const passed: Entry[] = []
  const has: Record<Trait, boolean> = { installable: false, installed: false, updatable: false }

  for (const entry of entries) {
    const { listing } = entry
    has.installable = listing.installable
    has.installed = profile.installed.size > 0 && profile.installed.has(listing.id)
    has.updatable = profile.updatable.size > 0 && profile.updatable.has(listing.id)
    let failing = 0
    if (categories !== null && categories[entry.category] === 0) failing |= CATEGORY
    if (risks !== null && !entry.risks.some((code) => risks[code] === 1)) failing |= RISK
    if (licenses !== null && (entry.license === null || licenses[entry.license] === 0)) failing |= LICENSE
    if (query.verdict !== 'all' && listing.verdict !== query.verdict) failing |= VERDICT
    for (const trait of query.traits) if (!has[trait]) failing |= TRAIT_BITS[trait]

    const isMoreThanOne = (failing & (failing - 1)) !== 0
    if (isMoreThanOne) continue
    if (failing === 0) passed.push(entry)
    if ((failing | CATEGORY) === CATEGORY) count.category[entry.category]!++
    if ((failing | RISK) === RISK) for (const code of entry.risks) count.risk[code]!++
    if ((failing | LICENSE) === LICENSE && entry.license !== null) count.license[entry.license]!++
    if ((failing | VERDICT) === VERDICT) {
      verdict.all++
      if (listing.verdict === 'passed' || listing.verdict === 'needs-approval') verdict[listing.verdict]++
    }
    for (const trait of TRAITS) {
      if (has[trait] && (failing | TRAIT_BITS[trait]) === TRAIT_BITS[trait]) traits[trait]++
    }
  }
  return {
    entries: passed,
    counts: {
      category: byText(count.category, codes.category),
      risk: byText(count.risk, codes.risk),
      license: byText(count.license, codes.license),
      verdict,
      traits,
    },
  }
}

/** For each code 1 when its value is among those that were chosen; null when none was, and all are let pass. */
function chosen(values: readonly string[], codes: Codes): Uint8Array | null {
  if (values.length === 0) return null
  const folded = new Set(values.map((value) => value.toLowerCase()))
  return Uint8Array.from(codes.texts, (text) => Number(folded.has(text.toLowerCase())))
}

const byText = (counts: Uint32Array, { texts }: Codes): Map<string, number> =>
  new Map(texts.map((text, code) => [text, counts[code] ?? 0]))
