import type { Locale } from '@plugmark/shared/i18n'
import type { StoreListing } from '../../protocol/index.ts'

interface Summary {
  readonly text: string
  /** The language it is meant to be in; authors do not always keep to it. */
  readonly lang: string
}
type Summarised = Pick<StoreListing, 'summary' | 'summaryZh'>

/** Both summaries, that in the reader's language first; one alone comes first whatever its language. */
export function summariesOf(
  { summary, summaryZh }: Summarised,
  language: Locale,
): { readonly first: Summary | undefined; readonly second: Summary | undefined } {
  const both = [
    { text: summary?.trim(), lang: 'en' },
    { text: summaryZh?.trim(), lang: 'zh' },
  ].filter((one): one is Summary => Boolean(one.text))
  const [first, second] = language === 'zh' ? both.toReversed() : both
  return { first, second: second?.text === first?.text ? undefined : second }
}

/** The summary in the reader's language, else in the other one; null when there is none. */
export const summaryOf = (listing: Summarised, language: Locale): string | null =>
  summariesOf(listing, language).first?.text ?? null
