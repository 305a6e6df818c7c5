import {
  type IndexListing,
  isVerdict,
  type PluginRecord,
  PluginRecordSchema,
  type Verdict,
  WholeNumberSchema,
} from '@plugmark/shared/contract'
import { bindInstall, type NotInstallableReason, renderInstall, specKey } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { ListingDetails, StoreListing } from '../../protocol/index.ts'

/** The key of a listing: its id, folded. */
export const keyOf = (id: string): string => id.toLowerCase()

const { entries } = PluginRecordSchema
const ListedRecordSchema = v.object({
  fullName: entries.fullName,
  summary: entries.summary,
  summaryZh: entries.summaryZh,
  category: entries.category,
  stars: entries.stars,
  license: entries.license,
  language: entries.language,
  npmPackage: entries.npmPackage,
  install: entries.install,
  installOptions: entries.installOptions,
  installCheckedAt: entries.installCheckedAt,
  blockedBuilds: entries.blockedBuilds,
  riskFlags: entries.riskFlags,
  pushedAt: entries.pushedAt,
  repoUrl: entries.repoUrl,
  url: entries.url,
})
/** The fields of a plugin record that the store uses. */
export type ListedRecord = v.InferOutput<typeof ListedRecordSchema>

/** A record that was fetched, and what is known of its verdict. */
export interface KnownRecord {
  readonly record: ListedRecord
  readonly verdict: Verdict | null
}

export const StoredRecordSchema = v.object({
  record: ListedRecordSchema,
  verdict: v.nullable(v.custom<Verdict>(isVerdict)),
  /** When it was last received, ms since 1970. */
  seenAt: WholeNumberSchema,
})
export type StoredRecord = Readonly<v.InferOutput<typeof StoredRecordSchema>>

export const toKnownRecord = (record: PluginRecord, verdict: Verdict | null): KnownRecord => ({
  record: {
    fullName: record.fullName,
    summary: record.summary,
    summaryZh: record.summaryZh,
    category: record.category,
    stars: record.stars,
    license: record.license,
    // Null, not undefined: JSON leaves that out, and the record would differ from itself once it was stored.
    language: record.language ?? null,
    npmPackage: record.npmPackage,
    install: record.install,
    installOptions: record.installOptions,
    installCheckedAt: record.installCheckedAt ?? null,
    blockedBuilds: record.blockedBuilds ?? null,
    riskFlags: record.riskFlags,
    pushedAt: record.pushedAt ?? null,
    repoUrl: record.repoUrl,
    url: record.url,
  },
  verdict,
})

/** The row of a listing whose record is known. */
export function toRow({ record, verdict }: KnownRecord, cli: string): StoreListing {
  return {
    id: record.fullName,
    described: true,
    summary: record.summary,
    summaryZh: record.summaryZh,
    category: record.category,
    stars: record.stars,
    license: record.license,
    language: record.language ?? null,
    npmPackage: record.npmPackage,
    riskFlags: [...new Set(record.riskFlags)],
    blockedBuilds: record.blockedBuilds ?? [],
    verdict,
    checkedAt: record.installCheckedAt ?? null,
    pushedAt: record.pushedAt ?? null,
    ...sourceOf(record, cli),
    repoUrl: record.repoUrl,
  }
}

/** The row of a listing of which only the index is known. */
export function toIndexRow(listing: IndexListing, cli: string): StoreListing {
  return {
    id: listing.fullName,
    described: false,
    summary: null,
    summaryZh: null,
    category: listing.category,
    stars: null,
    license: null,
    language: null,
    npmPackage: listing.npm,
    riskFlags: [],
    blockedBuilds: [],
    verdict: null,
    checkedAt: null,
    pushedAt: null,
    ...sourceOf(listing, cli),
    repoUrl: null,
  }
}

function sourceOf(listing: ListedRecord | IndexListing, cli: string): Pick<StoreListing, 'specKey' | 'installable'> {
  const bound = bindInstall(listing, { cli })
  return { specKey: bound.ok ? specKey(bound.plan.spec) : null, installable: bound.ok }
}

interface DetailsOptions {
  readonly cli: string
  readonly profile: string
  /** Address of the directory. */
  readonly baseUrl: string
  readonly siblings: readonly string[]
}

/**
 * @param record null while only the index is known
 * @param indexed its row of the index; null when that does not have it
 */
export function toDetails(
  row: StoreListing,
  { record, indexed }: { readonly record: ListedRecord | null; readonly indexed: IndexListing | null },
  { siblings, baseUrl, ...options }: DetailsOptions,
): ListingDetails {
  const { command, reason } = commandOf(record ?? indexed, options)
  return {
    ...row,
    command,
    reason,
    siblings,
    // A listing without a page of its own names its repository there.
    page: record && isSameOrigin(record.url, baseUrl) ? record.url : null,
    options: (record?.installOptions ?? []).map(({ label, note, cmd }) => ({
      label,
      note,
      command: commandOf({ ...record, install: cmd }, options).command,
    })),
  }
}

function isSameOrigin(address: string, other: string): boolean {
  return URL.canParse(address) && new URL(address).origin === new URL(other).origin
}

function commandOf(
  listing: unknown,
  { cli, profile }: Pick<DetailsOptions, 'cli' | 'profile'>,
): { readonly command: string | null; readonly reason: NotInstallableReason | null } {
  const bound = bindInstall(listing, { cli })
  if (!bound.ok) return { command: null, reason: bound.reason }
  const command = renderInstall(bound.plan, { profile })
  return { command, reason: command === null ? 'bad-profile' : null }
}
