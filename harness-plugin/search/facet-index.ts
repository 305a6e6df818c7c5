import type { StoreListing } from '../protocol/index.ts'
import { byFacet, FACET_IDS, FACETS, type FacetId, type Filters, foldValue, type ProfileFacts } from './facets.ts'

/** Number of listings that each value of each facet would show, if only that facet were changed. */
export type Counts = Readonly<Record<FacetId, ReadonlyMap<string, number>>>

/** A listing with its cached facet codes. */
export interface Indexed {
  readonly listing: StoreListing
  readonly codes: FacetCodes
  /** The profile that its codes are for; null before they are read. */
  profile: ProfileFacts | null
}

/** The values of a listing as small numbers, by the position of the facet: every key press compares them. */
type FacetCodes = (readonly number[])[]

export type FacetIndex = ReturnType<typeof createFacetIndex>

const NO_PROFILE: ProfileFacts = { installed: new Set(), updatable: new Set() }

/** Creates an index that reads the facets of listings, and filters and counts by them. */
export function createFacetIndex() {
  let bits = 0
  const columns = FACET_IDS.map((id, at) => {
    const { choice, values, isOfProfile = false, valuesOf } = FACETS[id]
    const isEvery = choice === 'every'
    // The bit is set when the facet excludes a listing. When every value is required, each value has its own bit.
    const firstBit = 1 << bits
    const bitCount = isEvery ? values.length : 1
    bits += bitCount
    const codes = createCodes(isEvery ? values : [])
    const read = (listing: StoreListing, profile: ProfileFacts) => codes.ofAll(valuesOf(listing, profile))
    return {
      id,
      at,
      isEvery,
      isOfProfile,
      read,
      codes,
      bitCount,
      bitOf: (code: number) => firstBit << (isEvery ? code : 0),
    }
  })
  const ofProfile = columns.filter(({ isOfProfile }) => isOfProfile)

  /** Returns the required values, with the bit that marks a listing without them. */
  const requirementsOf = (filters: Filters) =>
    columns.flatMap(({ id, at, isEvery, codes, bitOf }) => {
      const matching = filters[id].map((value) => codes.matching(value))
      if (matching.length === 0) return []
      if (isEvery) return matching.map((some) => ({ at, bit: bitOf(some[0]!), wanted: codes.flagsOf(some) }))
      return [{ at, bit: bitOf(0), wanted: codes.flagsOf(matching.flat()) }]
    })

  return {
    /** Returns the codes of a listing. Those that depend on a profile are read when they are needed. */
    codesOf: (listing: StoreListing): FacetCodes =>
      columns.map(({ isOfProfile, read }) => (isOfProfile ? [] : read(listing, NO_PROFILE))),

    /**
     * Returns the entries that pass every facet, and the counts, in one pass: an entry counts for a facet when it passes
     * all others. This runs at every key press, over every listing.
     *
     * @param entries entries of this index
     */
    filter<T extends Indexed>(
      entries: readonly T[],
      filters: Filters,
      profile: ProfileFacts,
    ): { readonly entries: readonly T[]; readonly counts: Counts } {
      for (const entry of entries) {
        if (entry.profile === profile) continue
        for (const { at, read } of ofProfile) entry.codes[at] = read(entry.listing, profile)
        entry.profile = profile
      }
      const required = requirementsOf(filters)
      const counters = columns.map(({ at, codes: { texts }, bitOf }) => ({
        at,
        counts: new Uint32Array(texts.length),
        bits: Uint32Array.from(texts, (_, code) => bitOf(code)),
      }))
      const ofBit = columns.flatMap(({ at, bitCount }) => Array.from({ length: bitCount }, () => counters[at]!))
      const passed: T[] = []
      for (const entry of entries) {
        const { codes } = entry
        let failing = 0
        for (const { at, bit, wanted } of required) if (!hasAny(codes[at]!, wanted)) failing |= bit
        if (failing === 0) {
          passed.push(entry)
          for (const { at, counts } of counters) for (const code of codes[at]!) counts[code]!++
          continue
        }
        const isMoreThanOne = (failing & (failing - 1)) !== 0
        if (isMoreThanOne) continue
        const { at, counts, bits } = ofBit[31 - Math.clz32(failing)]!
        for (const code of codes[at]!) if (bits[code] === failing) counts[code]!++
      }
      return {
        entries: passed,
        counts: byFacet((id) => {
          const { at, codes } = columns[FACET_IDS.indexOf(id)]!
          return new Map(codes.texts.map((text, code) => [text, counters[at]!.counts[code]!]))
        }),
      }
    },
  }
}

function hasAny(codes: readonly number[], wanted: Uint8Array): boolean {
  for (const code of codes) if (wanted[code] === 1) return true
  return false
}

/** Numbers the texts of one facet in order of appearance. @param first texts that get the first numbers */
function createCodes(first: readonly string[]) {
  const texts: string[] = [...first]
  const numbers = new Map(texts.map((text, code) => [text, code]))
  /** Shared one-element lists: most listings have a single value. */
  const lists: (readonly number[])[] = []
  function codeOf(text: string): number {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, texts.length)
    return texts.push(text) - 1
  }
  return {
    texts: texts as readonly string[],
    ofAll(values: readonly string[]): readonly number[] {
      if (values.length !== 1) return values.map(codeOf)
      const code = codeOf(values[0]!)
      lists[code] ??= [code]
      return lists[code]
    },
    /** Returns the codes of a chosen value, ignoring case and width. */
    matching(value: string): readonly number[] {
      const folded = foldValue(value)
      return texts.flatMap((text, code) => (foldValue(text) === folded ? code : []))
    },
    /** Returns an array over all codes with 1 for each of these. */
    flagsOf: (some: readonly number[]): Uint8Array => Uint8Array.from(texts, (_, code) => Number(some.includes(code))),
  }
}
