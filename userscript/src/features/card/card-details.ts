import { type IndexListing, nameParts, type PluginRecord, verdictOf } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n'
import { type CommandOptions, commandOf } from '../../catalogue/offers.ts'

export type Details = ReturnType<typeof detailsOf>

/** A note of the directory that says no more than its command does. */
const PUBLISHED = 'Installs the published package.'

/**
 * Returns the facts that a record adds to its listing. Uses a verdict only if it is about the listing's own command.
 */
export function detailsOf(
  listing: IndexListing,
  record: PluginRecord,
  options: CommandOptions & { readonly locale: Locale },
) {
  const { summary, summaryZh, stars, license, pushedAt, riskFlags, installOptions } = record
  const own = installOptions.find(({ cmd }) => cmd === listing.install)
  const verdict = record.install === listing.install ? verdictOf(record) : null
  return {
    summary: options.locale === 'zh' ? (summaryZh ?? summary) : (summary ?? summaryZh),
    stars,
    /** SPDX id; null when none is known. */
    license: license === 'NOASSERTION' ? null : license,
    /** Date of the last change of its repository, ISO 8601; null when it is unknown. */
    pushedAt: pushedAt ?? null,
    /** Verdict on the listing's own command only; null when it is unknown. */
    verdict,
    checkedAt: verdict === null ? null : (record.installCheckedAt ?? null),
    riskFlags,
    /** True if the directory has taken back the listing's own command. */
    isWithdrawn: listing.install !== null && record.install === null,
    note: own && own.note !== PUBLISHED ? own.note : '',
    /** Other sources to install it from. None of them was checked. */
    options: installOptions
      .filter((option) => option !== own)
      .map(({ label, note, cmd }) => ({
        label,
        note: note === PUBLISHED ? '' : note,
        command: commandOf(listing, options, cmd),
      })),
  }
}

/**
 * Returns the addresses of a listing's page, which is `https:` only, and of its source, which is on `codeHost` only.
 *
 * @param options.site address of the directory's pages, without a trailing slash
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
  return {
    page: path !== null && site?.startsWith('https://') ? site + path : null,
    source: `${codeHost}/${segments.map(encodeURIComponent).join('/')}`,
  }
}
