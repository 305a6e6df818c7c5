import { FullNameSchema, LIMITS } from '@plugmark/shared/contract'
import { isProfileName } from '@plugmark/shared/install'
import * as v from 'valibot'
import type {
  Answer,
  CatalogueStatus,
  Compatibility,
  InstalledPlugin,
  Job,
  ListingDetails,
  ListingsPage,
  Overview,
  Review,
  StoreListing,
} from '../../protocol/index.ts'
import { JOB_ACTIONS } from '../job/request.ts'

const Id = v.pipe(v.string(), v.uuid())
const Token = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/))
const Profile = v.custom<string>(isProfileName)

/** The calls of a page and the shape of each one's argument. An unknown key is a malformed call. */
export const CALLS = {
  overview: v.strictObject({}),
  listings: v.strictObject({ from: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)) }),
  search: v.strictObject({ words: v.pipe(v.string(), v.nonEmpty(), v.maxLength(LIMITS.queryLength)) }),
  describe: v.strictObject({ ids: v.pipe(v.array(FullNameSchema), v.nonEmpty(), v.maxLength(100)) }),
  details: v.strictObject({ id: FullNameSchema, profile: Profile }),
  refresh: v.strictObject({}),
  download: v.strictObject({}),
  stopDownload: v.strictObject({}),
  review: v.strictObject({ id: FullNameSchema, profile: Profile, action: v.picklist(JOB_ACTIONS) }),
  compatibility: v.strictObject({ id: FullNameSchema, token: Token }),
  start: v.strictObject({
    id: FullNameSchema,
    token: Token,
    acknowledged: v.boolean(),
  }),
  cancel: v.strictObject({ job: Id }),
  installed: v.strictObject({ profile: Profile }),
  checkUpdates: v.strictObject({ profile: Profile }),
} as const

export type CallName = keyof typeof CALLS
export type CallInput<K extends CallName> = v.InferOutput<(typeof CALLS)[K]>

export const CALL_NAMES = Object.keys(CALLS) as CallName[]

/** The results of the calls in `CALLS`. */
export interface CallResults {
  overview: Overview
  listings: ListingsPage
  search: readonly StoreListing[]
  describe: readonly StoreListing[]
  details: ListingDetails
  refresh: CatalogueStatus
  download: CatalogueStatus
  stopDownload: CatalogueStatus
  review: Review
  compatibility: Compatibility | null
  start: Job
  cancel: Job
  installed: readonly InstalledPlugin[]
  checkUpdates: readonly InstalledPlugin[]
}

/** The calls themselves. They assume that caller and argument were checked; `serve` does that. */
export type StoreCalls = { [K in CallName]: (input: CallInput<K>) => Promise<Answer<CallResults[K]>> }
