import { type IndexListing, nameParts, type PluginRecord, type Verdict, verdictOf } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n'
import { type Command, type CommandOptions, commandOf } from '../../catalogue/badges.ts'

export interface Details {
  readonly summary: string | null
  readonly stars: number
  /** SPDX id; null when none is known. */
  readonly license: string | null
  /** Verdict on the listing's own command only; null when it is unknown. */
  readonly verdict: Verdict | null
  /** ISO 8601; null when the verdict is. */
  readonly checkedAt: string | null
  readonly riskFlags: readonly string[]
  /** True if the directory has taken back the listing's own command. */
  readonly isWithdrawn: boolean
  /** Note on the listing's own command; may be empty. */
  readonly note: string
  /** Other ways to install it. None of them was checked. */
  readonly options: readonly { readonly label: string; readonly note: string; readonly command: Command }[]
}

/**
 * Returns the facts that a record adds to its listing. Uses a verdict only if it is about the listing's own command.
 */
export function detailsOf(
  listing: IndexListing,
  record: PluginRecord,
  options: CommandOptions & { readonly locale: Locale },
): Details {
  const { summary, summaryZh, stars, license, riskFlags, installOptions } = record
  const own = installOptions.find(({ cmd }) => cmd === listing.install)
  const verdict = record.install === listing.install ? verdictOf(record) : null
  return {
    summary: options.locale === 'zh' ? (summaryZh ?? summary) : (summary ?? summaryZh),
    stars,
    license: license === 'NOASSERTION' ? null : license,
    verdict,
    checkedAt: verdict === null ? null : (record.installCheckedAt ?? null),
    riskFlags,
    isWithdrawn: listing.install !== null && record.install === null,
    note: own?.note ?? '',
    options: installOptions
      .filter((option) => option !== own)
      .map(({ label, note, cmd }) => ({ label, note, command: commandOf(listing, options, cmd) })),
  }
}

/**
 * Returns the addresses of a listing's page, which is `https:` only, and of its source, which is on `codeHost` only.
 */
export function linksOf(
  { fullName, path }: IndexListing,
  { site, codeHost }: { site: string | null; codeHost: string },
): { readonly page: string | null; readonly source: string } {
  const { owner, repo, subpath } = nameParts(fullName)
  const names = subpath?.split('/') ?? []
  // The browser resolves empty segments, `.` and `..`, and the address could leave the repository.
  const isPlain = names.length > 0 && !names.some((name) => /^\.{0,2}$/.test(name))
  const segments = [owner, repo, ...(isPlain ? ['tree', 'HEAD', ...names] : [])]
  const page = listingUrl(site, path)
  return {
    page: page?.startsWith('https:') ? page : null,
    source: `${codeHost}/${segments.map(encodeURIComponent).join('/')}`,
  }
}

/**
 * `/plugins/<slug>`, where the slug is the full name of the listing in lower-case ASCII letters and digits, with hyphens
 * for all other characters (seen in the index of the live directory, 2026-08).
 */
const LISTING_PATH = /^\/plugins\/[a-z0-9]+(?:-+[a-z0-9]+)*$/
const SLUG_MAX = 200

/**
 * Returns the URL of a listing's page on the directory's site.
 *
 * @param site `site` of the index: an http or https URL, perhaps with a path
 * @param path `path` of a row, `/plugins/<slug>`
 * @returns a URL of the same origin, or null when either is not valid; never throws
 */
export function listingUrl(site: unknown, path: unknown): string | null {
  if (typeof site !== 'string' || typeof path !== 'string') return null
  if (path.length > '/plugins/'.length + SLUG_MAX || !LISTING_PATH.test(path)) return null
  try {
    const { protocol, origin, pathname } = new URL(site)
    return /^https?:$/.test(protocol) ? `${origin}${pathname.replace(/\/$/, '')}${path}` : null
  } catch {
    return null
  }
}
