import { type IndexListing, listingKey, type PluginRecord, type Verdict } from '@plugmark/shared/contract'
import { bindInstall, type NotInstallableReason, renderInstall, specKey } from '@plugmark/shared/install'
import type { ListingDetails, StoreListing } from '../../protocol/index.ts'

/** Returns the key of a listing by its id. */
export const keyOf = listingKey

/** The fields of a plugin record that the store uses. */
export type ListedRecord = Pick<
  PluginRecord,
  | 'fullName'
  | 'summary'
  | 'summaryZh'
  | 'category'
  | 'stars'
  | 'license'
  | 'language'
  | 'npmPackage'
  | 'install'
  | 'installOptions'
  | 'installCheckedAt'
  | 'blockedBuilds'
  | 'riskFlags'
  | 'pushedAt'
  | 'repoUrl'
  | 'url'
>

/** A fetched record and its verdict. */
export interface KnownRecord {
  readonly record: ListedRecord
  readonly verdict: Verdict | null
}

/** A known record whose fields stay JSON text, because few of 20,000 records are read at a time. */
export interface PackedRecord {
  /** JSON of a `ListedRecord`. Two packed records are the same if this and their verdicts are. */
  readonly json: string
  readonly verdict: Verdict | null
  /** Stars of the record, to sort by. */
  readonly stars: number
}

export function packRecord(record: PluginRecord, verdict: Verdict | null): PackedRecord {
  const listed: ListedRecord = {
    fullName: record.fullName,
    summary: record.summary,
    summaryZh: record.summaryZh,
    category: record.category,
    stars: record.stars,
    license: record.license,
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
  }
  return { json: JSON.stringify(listed), verdict, stars: record.stars }
}

export const unpackRecord = ({ json, verdict }: PackedRecord): KnownRecord => ({ record: JSON.parse(json), verdict })

/** Creates the row of a listing whose record is known. */
export function toRow({ record, verdict }: KnownRecord, cli: string): StoreListing {
  const source = lazySource(record, cli)
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
    get specKey() {
      return source().specKey
    },
    get installable() {
      return source().installable
    },
    repoUrl: record.repoUrl,
  }
}

/** Creates the row of a listing of which only the index row is known. */
export function toIndexRow(listing: IndexListing, cli: string): StoreListing {
  const source = lazySource(listing, cli)
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
    get specKey() {
      return source().specKey
    },
    get installable() {
      return source().installable
    },
    repoUrl: null,
  }
}

/** Parses an install command on first use: a search of 20,000 rows shows 20. */
function lazySource(listing: ListedRecord | IndexListing, cli: string) {
  let source: Pick<StoreListing, 'specKey' | 'installable'> | null = null
  return () => {
    if (source === null) {
      const bound = bindInstall(listing, { cli })
      source = { specKey: bound.ok ? specKey(bound.plan.spec) : null, installable: bound.ok }
    }
    return source
  }
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
 * @param indexed its row of the index; null when the index does not have it
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
    // The record of a listing without a page has the address of its repository here.
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
