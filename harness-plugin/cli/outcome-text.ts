import type { Locale } from '@plugmark/shared/i18n'
import { lexicon } from '../messages/index.ts'
import { plainText } from '../messages/plain.ts'
import type { Job, Outcome } from '../protocol/index.ts'
import { wordsOf } from './words/index.ts'

/** How a job ended, as a person reads it. */
export function outcomeText(
  outcome: Outcome,
  action: Job['action'],
  locale: Locale,
): { readonly title: string; readonly message: string } {
  const { store, sentences } = lexicon(locale)
  const { title, next } = store.outcome[outcome.kind]({ ...outcome, subjects: outcome.subjects.map(plain), action })
  // The screen names its own configuration.
  const here = (wordsOf(locale).outcomes as Readonly<Record<string, string>>)[outcome.kind]
  return {
    title,
    message: sentences(
      here ?? next,
      ...(outcome.rollback === null ? [] : [store.rollback(outcome.rollback, outcome.profile)]),
      ...(outcome.quarantined.length > 0 ? [store.quarantined(outcome.quarantined)] : []),
    ),
  }
}

const plain = (text: string) => plainText(text)
