import type { IndexListing, PluginRecord, Verdict } from '@plugmark/shared/contract'
import { bindInstall, specKey } from '@plugmark/shared/install'
import type { StoreListing } from '../../bridge/index.ts'

/** A record that this host fetched itself, and what it knows of its verdict. */
export interface KnownRecord {
  readonly record: PluginRecord
  readonly verdict: Verdict | null
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
    riskFlags: [...new Set(record.riskFlags)],
    blockedBuilds: record.blockedBuilds ?? [],
    verdict,
    checkedAt: record.installCheckedAt ?? null,
    ...sourceOf(record, cli),
    repoUrl: record.repoUrl,
  }
}

/** A row of which only the index is known. */
export function rowOfIndex(listing: IndexListing, { cli }: { readonly cli: string }): StoreListing {
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
    ...sourceOf(listing, cli),
    repoUrl: null,
  }
}

function sourceOf(listing: PluginRecord | IndexListing, cli: string): Pick<StoreListing, 'specKey' | 'installable'> {
  const bound = bindInstall(listing, { cli })
  return { specKey: bound.ok ? specKey(bound.plan.spec) : null, installable: bound.ok }
}
