import { nameParts } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n'
import type { StoreListing } from '../protocol/index.ts'

/** What a listing is called everywhere: its package without the scope, else the end of its path, else its repository. */
export function listingName({ id, npmPackage }: Pick<StoreListing, 'id' | 'npmPackage'>): string {
  const { repo, subpath } = nameParts(id)
  return (npmPackage === null ? '' : packageName(npmPackage)) || (subpath ?? repo).split('/').findLast(Boolean) || repo
}

/** A package's name without its scope. */
export const packageName = (name: string): string => name.replace(/^@[^/]*\//, '')

/** Where a listing is from, beside its name: owner, then what the name does not say of repository and path. */
export function listingPlace(listing: Pick<StoreListing, 'id' | 'npmPackage'>): string {
  const { owner, repo, subpath } = nameParts(listing.id)
  if (subpath !== null) return `${owner}/${repo}/${subpath}`
  return listingName(listing) === repo ? owner : `${owner}/${repo}`
}

interface Summary {
  readonly text: string
  /** The language it is meant to be in; authors do not always keep to it. */
  readonly lang: string
}
type Summarised = Pick<StoreListing, 'summary' | 'summaryZh'>

/** Both summaries, that in the reader's language first; one alone comes first whatever its language. */
export function summariesOf(
  { summary, summaryZh }: Summarised,
  locale: Locale,
): { readonly first: Summary | undefined; readonly second: Summary | undefined } {
  const both = [
    { text: summary?.trim(), lang: 'en' },
    { text: summaryZh?.trim(), lang: 'zh' },
  ].filter((one): one is Summary => Boolean(one.text))
  const [first, second] = locale === 'zh' ? both.toReversed() : both
  return { first, second: second?.text === first?.text ? undefined : second }
}

/** The summary in the reader's language, else in the other one; null when there is none. */
export const summaryOf = (listing: Summarised, locale: Locale): string | null =>
  summariesOf(listing, locale).first?.text ?? null
