import type { StoreListing } from '../types.ts'
import type { KnownRecord } from './listings.ts'

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
