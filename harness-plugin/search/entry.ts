import { isCategory, nameParts } from '@plugmark/shared/contract'
import { contractMessages, LOCALES } from '@plugmark/shared/i18n'
import type { StoreListing } from '../protocol/index.ts'
import type { FacetIndex, Indexed } from './facets.ts'
import { listingName } from './listings.ts'
import { fold } from './terms.ts'

/** A listing with everything that search and sort need, computed once. */
export interface Entry extends Indexed {
  /** The searched text, folded: its name first, then owner, repository, path and package, then both summaries. */
  readonly text: string
  /** End of its own name in the text, and end of the other names. */
  readonly nameEnd: number
  readonly namesEnd: number
  /** Names of its category, and of its risk flags, in both languages, folded. */
  readonly categoryLabels: Labels
  readonly riskLabels: Labels
  /** The name, folded, to sort by. */
  readonly name: string
}

/** Words that find a value: its id and its labels. */
export interface Labels {
  readonly words: readonly string[]
  /** Labels in Chinese, which are not split into words. */
  readonly han: readonly string[]
}

export function entryOf(listing: StoreListing, index: FacetIndex): Entry {
  const { owner, repo, subpath } = nameParts(listing.id)
  const name = fold(listingName(listing))
  const names = `${name}\n${fold(`${owner}/${repo}\n${subpath ?? ''}\n${listing.npmPackage ?? ''}`)}`
  return {
    listing,
    text: `${names}\n${fold(listing.summary ?? '')}\n${fold(listing.summaryZh ?? '')}`,
    nameEnd: name.length,
    namesEnd: names.length,
    categoryLabels: categoryLabels(listing.category),
    riskLabels: riskLabels(listing.riskFlags),
    name,
    codes: index.codesOf(listing),
    profile: null,
  }
}

/** Returns the labels of a category; none for an unknown one. */
export const categoryLabels = (id: string | null): Labels =>
  isCategory(id) ? labelsOf('category', id, (language) => contractMessages(language).category(id)) : NO_LABELS

/** Returns the labels of some risk flags. */
export const riskLabels = (flags: readonly string[]): Labels =>
  joined(flags.map((flag) => labelsOf('risk', flag, (language) => contractMessages(language).riskFlag(flag).name)))

const NO_LABELS: Labels = { words: [], han: [] }
/** Words of labels that say nothing about the purpose of a plugin. */
const FILLERS = new Set(['and', 'needs', 'requires', 'install', 'surface', 'access'])
/** Parts of Chinese labels that are in every plugin’s text. */
const FILLERS_HAN = /插件|安装|需要|与/g

const known = new Map<string, Labels>()
function labelsOf(
  kind: 'category' | 'risk',
  id: string,
  label: (language: (typeof LOCALES)[number]) => string,
): Labels {
  const before = known.get(`${kind} ${id}`)
  if (before) return before
  const texts = [id, ...LOCALES.map(label)].map(fold)
  const labels = {
    words: [...new Set(texts.flatMap((text) => text.match(/[a-z\d]+/g) ?? []))].filter((word) => !FILLERS.has(word)),
    han: texts.filter((text) => /\p{Script=Han}/u.test(text)).map((text) => text.replaceAll(FILLERS_HAN, ' ')),
  }
  known.set(`${kind} ${id}`, labels)
  return labels
}

const joinedLabels = new Map<string, Labels>()
/** Joins labels. Listings with the same flags share the result. */
function joined(all: readonly Labels[]): Labels {
  if (all.length < 2) return all[0] ?? NO_LABELS
  const labels = { words: all.flatMap(({ words }) => words), han: all.flatMap(({ han }) => han) }
  const key = labels.words.join(' ')
  const before = joinedLabels.get(key) ?? labels
  joinedLabels.set(key, before)
  return before
}
