import type { PluginRecord, Verdict } from '@plugmark/shared/contract'
import type { StoreListing } from '../../bridge/index.ts'

/** A record that this host fetched itself, and what it knows of its verdict. */
export interface KnownRecord {
  readonly record: PluginRecord
  readonly verdict: Verdict | null
}

/** What a row and the details beside it show of a record that passed its install check. */
export function toListing({ record, verdict }: KnownRecord): StoreListing {
  return {
    id: record.fullName,
    summary: record.summary,
    summaryZh: record.summaryZh,
    category: record.category,
    stars: record.stars,
    license: record.license,
    language: record.language ?? null,
    npmPackage: record.npmPackage,
    riskFlags: record.riskFlags,
    blockedBuilds: record.blockedBuilds ?? [],
    verdict: verdict ?? 'passed',
    checkedAt: record.installCheckedAt ?? null,
    repoUrl: record.repoUrl,
  }
}
