import { isCategory, nameParts } from '@plugmark/shared/contract'
import { contractMessages, LOCALES, type Locale } from '@plugmark/shared/i18n'
import type { StoreListing } from '../protocol/index.ts'
import type { IndexedValue } from './facets.ts'
import { listingName } from './listings.ts'
import { fold } from './terms.ts'

/** A listing with everything that search and sort need, computed once. */
export interface Entry extends IndexedValue {
  /** The searched text, folded: its name first, then owner, repository, path and package, then both summaries. */
  readonly text: string
  /** End of its own name in the text, and end of the other names. */
  readonly nameEnd: number
  readonly namesEnd: number
  /** The name, folded, to sort by. */
  readonly name: string
  readonly category: string | null
  readonly riskFlags: readonly string[]
  /** Languages of its summaries; none while there is no summary. */
  readonly languages: readonly Locale[]
}

/** Words that find a category or a risk flag: its id and its labels in both languages, folded. */
export interface Labels {
  readonly words: readonly string[]
  /** Labels in Chinese, which are not split into words. */
  readonly han: readonly string[]
}

/** Returns the languages in which a listing has a summary, as it is written: authors do not keep to the field's language. */
export const languagesOf = ({ summary, summaryZh }: StoreListing): Locale[] =>
  [summary, summaryZh].flatMap((text) => (text ? (/\p{Script=Han}/u.test(text) ? 'zh' : 'en') : []))

export function entryOf(listing: StoreListing): Entry {
  const { owner, repo, subpath } = nameParts(listing.id)
  const name = fold(listingName(listing))
  // The whole id, as it is copied from a row, is a line too.
  const ids = subpath === null ? [`${owner}/${repo}`, ''] : [`${owner}/${repo}`, subpath, listing.id]
  const names = `${name}\n${fold([...ids, listing.npmPackage ?? ''].join('\n'))}`
  return {
    listing,
    text: `${names}\n${fold(listing.summary ?? '')}\n${fold(listing.summaryZh ?? '')}`,
    nameEnd: name.length,
    namesEnd: names.length,
    name,
    category: listing.category,
    riskFlags: listing.riskFlags,
    languages: languagesOf(listing),
    values: [],
    profile: null,
  }
}

/** Returns the labels of a category; none for an unknown one. */
export const categoryLabels = (id: string | null): Labels =>
  isCategory(id) ? labelsOf('category', id, (language) => contractMessages(language).category(id)) : NO_LABELS

/** Returns the labels of a risk flag. */
export const riskLabels = (flag: string): Labels =>
  labelsOf('risk', flag, (language) => contractMessages(language).riskFlag(flag).name)

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
