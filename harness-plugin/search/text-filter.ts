import { CATEGORIES, RISK_FLAGS } from '@plugmark/shared/contract'
import { categoryLabels, riskLabels } from './entry.ts'
import { matchesLabel } from './search.ts'

/**
 * Characters that `fold` may replace by others. It keeps ASCII apart from case, Chinese characters with their usual
 * punctuation, arrows and most emoji.
 */
const FOLDED =
  '[^\\0-\\x7f\\u2010-\\u2027\\u2190-\\u21ff\\u2500-\\u27bf\\u3001-\\u303f\\u3400-\\u9fff\\ufe0f\\uff01\\uff08\\uff09\\uff0c\\uff1a\\uff1b\\uff1f\\ud83d\\ud83e\\udc00-\\udfff]'

/**
 * Creates a test for the JSON text of a listing, so that a search parses few of 20,000 listings. It is false only for
 * listings that do not have every term.
 *
 * @param terms as `termsOf` returns them
 */
export function textFilter(terms: readonly string[]): (json: string) => boolean {
  const patterns = terms.map((term) => {
    const texts = [
      inJson(term),
      ...CATEGORIES.filter((id) => matchesLabel(categoryLabels(id), term)).map(
        (id) => `"category":${JSON.stringify(id)}`,
      ),
      ...RISK_FLAGS.filter((flag) => matchesLabel(riskLabels([flag]), term)).map((flag) => JSON.stringify(flag)),
    ]
    return new RegExp([FOLDED, ...texts.map(escaped)].join('|'), 'i')
  })
  return (json) => patterns.every((pattern) => pattern.test(json))
}

/** Returns a text as it is within a JSON string. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Escapes a text for a regular expression. Node has `RegExp.escape` only since version 24. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
