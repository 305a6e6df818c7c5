import { type IndexListing, repositoryKey, type Verdict } from '@plugmark/shared/contract'
import {
  bindInstall,
  type InstallResult,
  type NotInstallableReason,
  renderInstall,
  specKey,
} from '@plugmark/shared/install'
import * as v from 'valibot'
import type { ListingDetails, StoreListing } from '../../protocol/index.ts'

const text = v.string()
const nullableText = v.nullable(text)
const optionalText = v.optional(nullableText)
/**
 * The fields of a plugin record that the store uses and keeps. Their content was validated when the directory sent it,
 * which takes seconds for 20,000 records.
 */
export const ListedRecordSchema = v.object({
  fullName: text,
  summary: nullableText,
  summaryZh: nullableText,
  category: nullableText,
  stars: v.number(),
  license: nullableText,
  language: optionalText,
  npmPackage: nullableText,
  install: nullableText,
  installOptions: v.array(v.object({ label: text, cmd: text, note: text })),
  installCheckedAt: optionalText,
  blockedBuilds: v.optional(v.nullable(v.array(text))),
  riskFlags: v.array(text),
  pushedAt: optionalText,
  repoUrl: text,
  url: text,
})
export type ListedRecord = Readonly<v.InferOutput<typeof ListedRecordSchema>>

/** A record that the directory sent, and its verdict: its own, or that of the server's filter. */
export interface KnownRecord {
  readonly record: ListedRecord
  readonly verdict: Verdict | null
}

/** A listing as far as it is known: its row of the index, its record, or both. */
export interface Known {
  readonly indexed: IndexListing | null
  readonly known: KnownRecord | null
}

/**
 * Creates the row of a listing. Its install command is parsed when it is first asked for: a search reads every row, and
 * the commands of the few that it finds.
 */
export function toRow({ indexed, known }: Known, cli: string): StoreListing {
  const record = known?.record
  const listing = record ?? indexed!
  let parsed: InstallResult | undefined
  const bound = () => (parsed ??= bindInstall(listing, { cli }))
  return {
    id: listing.fullName,
    described: record !== undefined,
    summary: record?.summary ?? null,
    summaryZh: record?.summaryZh ?? null,
    category: listing.category,
    stars: record?.stars ?? null,
    license: record?.license ?? null,
    language: record?.language ?? null,
    npmPackage: packageOf({ indexed, known }),
    riskFlags: record ? [...new Set(record.riskFlags)] : [],
    blockedBuilds: record?.blockedBuilds ?? [],
    verdict: known?.verdict ?? null,
    checkedAt: record?.installCheckedAt ?? null,
    pushedAt: record?.pushedAt ?? null,
    get specKey() {
      const install = bound()
      return install.ok ? specKey(install.plan.spec) : null
    },
    get installable() {
      return bound().ok
    },
    repoUrl: record?.repoUrl ?? null,
  }
}

/** Returns the package that a listing is published as; null when it is not. */
export const packageOf = ({ indexed, known }: Known): string | null =>
  known ? known.record.npmPackage : (indexed?.npm ?? null)

/** Returns true if two keys are of different listings of the same repository. */
export const areSiblings = (key: string, other: string): boolean =>
  key !== other && repositoryKey(key) === repositoryKey(other)

interface DetailsOptions {
  readonly cli: string
  readonly profile: string
  /** Address of the directory. */
  readonly baseUrl: string
  readonly siblings: readonly string[]
}

/** Creates the details of a listing: its row, its commands for one profile, and its page. */
export function toDetails(listing: Known, { siblings, baseUrl, cli, profile }: DetailsOptions): ListingDetails {
  const record = listing.known?.record
  const commandOf = (part: unknown): { command: string | null; reason: NotInstallableReason | null } => {
    const bound = bindInstall(part, { cli })
    if (!bound.ok) return { command: null, reason: bound.reason }
    const command = renderInstall(bound.plan, { profile })
    return { command, reason: command === null ? 'bad-profile' : null }
  }
  return {
    ...toRow(listing, cli),
    ...commandOf(record ?? listing.indexed),
    siblings,
    // The record of a listing without a page has the address of its repository here.
    page: record && isSameOrigin(record.url, baseUrl) ? record.url : null,
    options: (record?.installOptions ?? []).map(({ label, note, cmd }) => ({
      label,
      note,
      command: commandOf({ ...record, install: cmd }).command,
    })),
  }
}

const isSameOrigin = (address: string, other: string): boolean =>
  URL.canParse(address) && new URL(address).origin === new URL(other).origin
