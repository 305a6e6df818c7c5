import { INDEX_FRESH_MS, listingTitle, nameParts, packageName } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n'
import { installedSpecKeys, listingKeys } from '@plugmark/shared/install'
import type { CatalogueStatus, Profile, StoreListing } from '../protocol/index.ts'

export { packageName }

/** Returns the title of a listing. */
export const listingName = ({ id, npmPackage }: Pick<StoreListing, 'id' | 'npmPackage'>): string =>
  listingTitle({ fullName: id, npmPackage })

/** Prefixes that many names share: what follows is what the plugin is called. */
const SHARED_PREFIX = /^(?:(?:dsh|plugin|harness)-)+(?=.)/
export const withoutPrefix = (name: string): string => name.replace(SHARED_PREFIX, '')

/** Returns the names of a listing's repository and title in lower case, which may be another listing's too. */
export const shortNames = (listing: Pick<StoreListing, 'id' | 'npmPackage'>): string[] => [
  ...new Set([nameParts(listing.id).repo, listingName(listing)].map((name) => name.toLowerCase())),
]

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
type Summaries = Pick<StoreListing, 'summary' | 'summaryZh'>

/** Returns the summary in the reader's language, else in the other one; null when there is none. */
export function summaryFor({ summary, summaryZh }: Summaries, locale: Locale): Summary | null {
  const both = [
    { text: summary?.trim(), lang: 'en' },
    { text: summaryZh?.trim(), lang: 'zh' },
  ].filter((one): one is Summary => Boolean(one.text))
  return (locale === 'zh' ? both.at(-1) : both[0]) ?? null
}

/** Returns the text of that summary. */
export const summaryOf = (listing: Summaries, locale: Locale): string | null =>
  summaryFor(listing, locale)?.text ?? null

/** Returns the ids of the listings that are a layer of a profile, from their repository or as their package. */
export function installedListings(
  rows: readonly StoreListing[],
  profile: Pick<Profile, 'layers' | 'dependencies'> | undefined,
): Set<string> {
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

/** A look at the directory, by which `is:new` tells what is new. */
export interface Look {
  /** Ms since 1970. */
  readonly at: number
  /** Holds what the directory listed. */
  readonly ids: readonly string[]
  /** Those of them that the look before did not have. */
  readonly unseen: readonly string[]
}
/** Time after which another visit is another look, in ms. */
const LOOK_MS = 60 * 60_000

/** Looks at the directory again. Nothing is new at the first look. */
export function lookAgain(last: Look | null, ids: readonly string[], now = Date.now()): Look {
  if (last === null) return { at: now, ids, unseen: [] }
  // A clock can be set back.
  const isSame = Math.abs(now - last.at) < LOOK_MS
  const seen = new Set(last.ids)
  if (isSame) for (const id of last.unseen) seen.delete(id)
  return { at: isSame ? last.at : now, ids, unseen: ids.filter((id) => !seen.has(id)) }
}

/** Reads a stored look; null for any other text. */
export function parseLook(text: string | null): Look | null {
  try {
    const { at, ids, unseen } = JSON.parse(text ?? '')
    return typeof at === 'number' && Array.isArray(ids) && Array.isArray(unseen) ? { at, ids, unseen } : null
  } catch {
    return null
  }
}

/** Returns a page of a repository on its code host; null where the code host has none by that address. */
export function repositoryPage(repoUrl: string | null, page: 'releases' | 'issues'): string | null {
  const url = repoUrl === null ? null : URL.parse(repoUrl)
  return url?.hostname === 'github.com' && /^\/[^/]+\/[^/]+\/?$/.test(url.pathname)
    ? `${url.origin}${url.pathname.replace(/\/$/, '')}/${page}`
    : null
}
