import { isVerdict } from '@plugmark/shared/contract'
import { contractMessages, type Locale } from '@plugmark/shared/i18n'
import { messagesFor } from '../messages/index.ts'
import { plainText } from '../messages/plain.ts'
import type { Job, Outcome } from '../protocol/index.ts'
import type { ReviewData } from './documents.ts'
import type { Failure } from './failure.ts'
import { sayIn, wordsOf } from './words/index.ts'

/** How a job ended, as a person reads it. */
export function outcomeText(
  outcome: Outcome,
  action: Job['action'],
  locale: Locale,
): { readonly title: string; readonly message: string } {
  const t = messagesFor(locale)
  const { title, next } = t.outcome[outcome.kind]({ ...outcome, subjects: outcome.subjects.map(plain), action })
  // The screen names its own configuration.
  const here = (wordsOf(locale).outcomes as Readonly<Record<string, string>>)[outcome.kind]
  return {
    title,
    message: t.sentences(
      here ?? next,
      ...(outcome.rollback === null ? [] : [t.rollback(outcome.rollback, outcome.profile)]),
      ...(outcome.quarantined.length > 0 ? [t.quarantined(outcome.quarantined)] : []),
    ),
  }
}

const plain = (text: string) => plainText(text)

/** Why a change is refused before it is tried, as a person reads it. */
export function refusalText(
  code: string,
  { compatibility, verdict }: Pick<ReviewData, 'compatibility' | 'verdict'>,
  locale: Locale,
): string {
  const t = messagesFor(locale)
  if (code === 'incompatible' && compatibility !== null) return t.review.compatibility.sentence(compatibility)
  const { name, sentence } = contractMessages(locale).verdict(isVerdict(verdict) ? verdict : null)
  return wordsOf(locale).explained(name, sentence)
}

/** Why a run failed, as a person reads it. What the host says is English; the screen has words for its refusals. */
export function failureText({ code, say }: Failure, locale: Locale): string {
  const refused: Readonly<Record<string, string>> = messagesFor(locale).refused
  return typeof say === 'string' && locale !== 'en' ? (refused[code] ?? say) : sayIn(locale, say)
}
