import type { IndexListing, PluginRecord, Verdict } from '@plugmark/shared/contract'
import { bindInstall } from '@plugmark/shared/install'
import type { StoreListing } from '../../bridge/index.ts'

/** A record that this host fetched itself, and what it knows of its verdict. */
export interface KnownRecord {
  readonly record: PluginRecord
  readonly verdict: Verdict | null
}

/** What is kept of an index row. */
export interface IndexRow {
  readonly id: string
  readonly category: string | null
  readonly npm: string | null
  readonly installable: boolean
}

export function toListing({ record, verdict }: KnownRecord, { cli }: { readonly cli: string }): StoreListing {
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
    riskFlags: record.riskFlags,
    blockedBuilds: record.blockedBuilds ?? [],
    verdict,
    checkedAt: record.installCheckedAt ?? null,
    installable: bindInstall(record, { cli }).ok,
    repoUrl: record.repoUrl,
  }
}

export function toIndexRow(listing: IndexListing, { cli }: { readonly cli: string }): IndexRow {
  const { fullName, category, npm } = listing
  return { id: fullName, category, npm, installable: bindInstall(listing, { cli }).ok }
}

/** A row of which only the index is known. */
export function rowOfIndex({ id, category, npm, installable }: IndexRow): StoreListing {
  return {
    id,
    described: false,
    summary: null,
    summaryZh: null,
    category,
    stars: null,
    license: null,
    language: null,
    npmPackage: npm,
    riskFlags: [],
    blockedBuilds: [],
    verdict: null,
    checkedAt: null,
    installable,
    repoUrl: null,
  }
}

export const sameIndexRow = (a: IndexRow, b: IndexRow): boolean =>
  a.id === b.id && a.category === b.category && a.npm === b.npm && a.installable === b.installable
