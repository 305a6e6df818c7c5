import { INDEX_FRESH_MS, listingTitle, nameParts, packageName } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n'
import { installedSpecKeys, listingKeys } from '@plugmark/shared/install'
import type { CatalogueStatus, Profile, StoreListing } from '../protocol/index.ts'

export { packageName }

/** Returns the title of a listing. */
export const listingName = ({ id, npmPackage }: Pick<StoreListing, 'id' | 'npmPackage'>): string =>
  listingTitle({ fullName: id, npmPackage })

/** Returns true if a listing is a part of a repository, and shares its stars with the others. */
export const isPartOfRepository = (id: string): boolean => id.includes('#')

/** Returns the origin of a listing, shown beside its title: owner, then the parts of repository and path not in it. */
export function listingPlace(listing: Pick<StoreListing, 'id' | 'npmPackage'>): string {
  const { owner, repo, subpath } = nameParts(listing.id)
  if (subpath !== null) return `${owner}/${repo}/${subpath}`
  return listingName(listing) === repo ? owner : `${owner}/${repo}`
}

interface Summary {
  readonly text: string
  /** The language that it should be in. Authors do not always keep to it. */
  readonly lang: string
}
type Summarised = Pick<StoreListing, 'summary' | 'summaryZh'>

/** Returns the summary in the reader's language, else in the other one; null when there is none. */
export function summaryFor({ summary, summaryZh }: Summarised, locale: Locale): Summary | null {
  const both = [
    { text: summary?.trim(), lang: 'en' },
    { text: summaryZh?.trim(), lang: 'zh' },
  ].filter((one): one is Summary => Boolean(one.text))
  return (locale === 'zh' ? both.at(-1) : both[0]) ?? null
}

/** Returns the text of that summary. */
export const summaryOf = (listing: Summarised, locale: Locale): string | null =>
  summaryFor(listing, locale)?.text ?? null

/** Returns the ids of the listings that are a layer of a profile, from their repository or as their package. */
export function installedListings(rows: readonly StoreListing[], profile: Profile | undefined): Set<string> {
  if (profile === undefined) return new Set()
  const keys = installedSpecKeys(profile)
  return new Set(
    rows
      .filter(({ id, npmPackage, specKey }) =>
        listingKeys({ fullName: id, npmPackage, specKey }).some((key) => keys.has(key)),
      )
      .map(({ id }) => id),
  )
}

/** Returns true if the listings were read lately, so that a search need not read them again. */
export function isFresh({ loadedAt, count, generated }: CatalogueStatus): boolean {
  if (loadedAt === null || generated === null || count === 0) return false
  const ageMs = Date.now() - loadedAt
  return ageMs >= 0 && ageMs < INDEX_FRESH_MS
}
