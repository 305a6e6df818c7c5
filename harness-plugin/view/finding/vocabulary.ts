import type { Messages } from '../../messages/index.ts'
import type { Vocabulary } from '../../search/complete.ts'
import { NONE } from '../../search/filters.ts'
import { FACET_LABELS, facetValues } from '../../search/labels.ts'

/** What can stand behind each key, in the words of a language. @param found values that listings have */
export function vocabularyOf(
  { locale, contract }: Messages,
  found: { readonly license: Iterable<string>; readonly risk: Iterable<string> },
): Vocabulary {
  const values = facetValues(locale)
  const newer = [...found.risk].filter((flag) => !values.risk.some(({ value }) => value === flag))
  return {
    keys: FACET_LABELS[locale].keys,
    values: {
      ...values,
      risk: [...values.risk, ...newer.map((value) => ({ value, name: contract.riskFlag(value).name }))],
      license: [
        ...values.license,
        ...Array.from(found.license, (value) => ({ value, name: value })).filter(({ value }) => value !== NONE),
      ],
    },
  }
}
