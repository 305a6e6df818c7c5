/** The data of listings as `published.ts` describes it. A search needs nothing else of it. */
import { contractMessages, type Locale } from '@plugmark/shared/i18n'
import * as v from 'valibot'
import { DetailsSchema, type ListingDetails, ListingSchema, type StoreListing } from '../protocol/listings.ts'
import { Exact, Name, publish, Text, TextOrNull } from '../protocol/text.ts'

/** Published names of a listing's facts. */
const FACTS = { package: TextOrNull, risks: v.array(Name), source: TextOrNull }
const factsOf = (row: StoreListing) => ({
  ...row,
  package: row.npmPackage,
  risks: row.riskFlags,
  source: row.repoUrl,
})

export const ListingData = v.object({
  ...v.omit(ListingSchema, ['npmPackage', 'riskFlags', 'repoUrl', 'specKey']).entries,
  ...FACTS,
})
export type ListingData = v.InferOutput<typeof ListingData>
export const toListingData = (row: StoreListing): ListingData => publish(ListingData, factsOf(row))

export const DetailsData = v.object({
  ...v.omit(DetailsSchema, ['npmPackage', 'riskFlags', 'repoUrl', 'specKey']).entries,
  ...FACTS,
  profile: Exact,
  /** Reason why there is no command, in words. */
  reason: TextOrNull,
  riskMeanings: v.array(v.object({ flag: Name, meaning: Text })),
})
export type DetailsData = v.InferOutput<typeof DetailsData>

export function toDetailsData(details: ListingDetails, profile: string, locale: Locale): DetailsData {
  const messages = contractMessages(locale)
  return publish(DetailsData, {
    ...details,
    ...factsOf(details),
    profile,
    reason: details.reason && messages.reason(details.reason),
    riskMeanings: details.riskFlags.map((flag) => ({ flag, meaning: messages.riskFlag(flag).sentence })),
  })
}
