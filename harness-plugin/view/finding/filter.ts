import type { StoreListing } from '../../bridge/index.ts'

export interface Filter {
  /** Every word must occur somewhere in the listing. */
  readonly text: string
  /** A category id; null for all, `other` for those without a known one. */
  readonly category: string | null
}

/** The text a listing is searched in, folded. */
export function searchText({ id, summary, summaryZh, npmPackage }: StoreListing): string {
  return fold([id, npmPackage, summary, summaryZh].filter((part) => part !== null).join('\n'))
}

/** Predicate over a listing's search text and category. */
export function matches({ text, category }: Filter, categoryOf: (listing: StoreListing) => string) {
  const words = fold(text).split(/\s+/).filter(Boolean)
  return (listing: StoreListing, searchable: string): boolean =>
    (category === null || categoryOf(listing) === category) && words.every((word) => searchable.includes(word))
}

/** Case, width and compatibility forms folded: full-width letters are common in Chinese input. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase()
