import { CATEGORIES, RISK_FLAGS } from '@plugmark/shared/contract'
import type { Vocabulary } from '../../search/complete.ts'
import { NONE, OTHER_CATEGORY, SORTS, TRAITS, VERDICT_FILTERS } from '../../search/query.ts'
import type { Lexicon } from '../words/index.ts'

/** What can stand behind each key, in the words of a language. @param licenses those that listings have */
export function vocabularyOf({ ids, store }: Lexicon, licenses: Iterable<string>): Vocabulary {
  const words = store.finding
  return {
    category: [...CATEGORIES, OTHER_CATEGORY].map((value) => ({ value, name: ids.category(value) })),
    risk: [
      { value: NONE, name: words.noFlags },
      ...RISK_FLAGS.map((value) => ({ value, name: ids.riskFlag(value).name })),
    ],
    license: Array.from(licenses, (value) => ({ value, name: value === NONE ? store.noLicense : value })),
    is: [
      ...VERDICT_FILTERS.map((value) => ({ value, name: words.verdicts[value] })),
      ...TRAITS.map((value) => ({ value, name: words.trait[value] })),
    ],
    sort: SORTS.map((value) => ({ value, name: words.sorts[value] })),
  }
}
