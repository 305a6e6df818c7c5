import { INDEX_FRESH_MS, repositoryKey } from '@plugmark/shared/contract'
import { isPackageName } from '@plugmark/shared/install'
import type { StoreHost } from '../host/index.ts'
import { messagesFor } from '../messages/index.ts'
import { plainName, plainText } from '../messages/plain.ts'
import type { CatalogueStatus, StoreListing } from '../protocol/index.ts'
import { findListings } from '../search/find.ts'
import { createListingCopy } from '../search/listing-copy.ts'
import { parseQuery } from '../search/query.ts'
import { quoted } from '../search/tokens.ts'
import type { ListingData } from './documents.ts'
import { Failure, unwrap } from './failure.ts'
import type { Session } from './session.ts'

/** How long a run waits for the directory to be read where a copy will do, ms, and where it will not. */
const WAIT_MS = 20_000
const FIRST_WAIT_MS = 120_000

export interface Listings {
  readonly rows: readonly StoreListing[]
  readonly status: CatalogueStatus
}

/**
 * Every listing, from the copy while that is recent, else read anew. Where the directory cannot be reached, an older copy
 * does, and `session.directory` says so.
 *
 * @throws Failure when there is neither
 */
export async function readListings(session: Session, { refresh = false } = {}): Promise<Listings> {
  const host = await session.openHost()
  const { status } = unwrap(await host.calls.listings({ from: 0 }))
  if (refresh || !isRecent(status))
    await readDirectory(session, host, status.count > 0 && !refresh ? WAIT_MS : FIRST_WAIT_MS)
  const listings = await copyRows(host)
  noteDirectory(session, listings.status)
  session.signal.throwIfAborted()
  const { failure, count } = listings.status
  if (count === 0 && failure) throw unread(listings.status)
  return listings
}

export const unread = ({ failure }: CatalogueStatus): Failure =>
  new Failure('directory', failure?.message ?? (({ problems }) => problems['directory-unread']), {
    next: ({ failures }) => failures.tryAgain,
  })

const isRecent = ({ loadedAt, count, generated }: CatalogueStatus) =>
  loadedAt !== null &&
  generated !== null &&
  count > 0 &&
  loadedAt <= Date.now() &&
  Date.now() - loadedAt < INDEX_FRESH_MS

async function copyRows(host: StoreHost): Promise<Listings> {
  const copy = createListingCopy()
  for (;;) {
    const page = unwrap(await host.calls.listings({ from: copy.next() }))
    if (!copy.take(page)) return { rows: copy.rows(), status: page.status }
  }
}

/** Reads the directory, up to this long, or until a person cancels. */
async function readDirectory(session: Session, host: StoreHost, waitMs: number): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const limit = setTimeout(resolve, waitMs)
  session.signal.addEventListener('abort', () => resolve())
  try {
    await Promise.race([host.readDirectory(), over])
  } finally {
    clearTimeout(limit)
    session.progress.end()
  }
}

/** Notes what the copy is, for the document. */
export function noteDirectory(session: Session, status: CatalogueStatus): void {
  const { loadedAt, generated, count, state } = status
  const ageMs = loadedAt === null ? null : Math.max(0, Date.now() - loadedAt)
  const isCurrent = loadedAt !== null && state !== 'failed' && ageMs !== null && ageMs < INDEX_FRESH_MS
  session.directory = {
    ...session.directory,
    generated,
    readAt: loadedAt === null ? null : new Date(loadedAt).toISOString(),
    ageMs,
    state: isCurrent ? 'current' : count > 0 ? 'stored' : 'unreachable',
  }
  if (session.directory.state === 'stored')
    session.progress.warn(session.words.stored(ageText(session, loadedAt), problemText(session, status)))
}

const ageText = ({ locale }: Session, at: number | null) =>
  at === null ? null : messagesFor(locale).ago(at, Date.now())

/** What the host says of it is English. */
const problemText = ({ locale, words }: Session, { failure }: CatalogueStatus): string =>
  (locale === 'en' ? failure?.message : null) ?? words.problems['directory-unread']

/** A listing as documents have it: texts of the directory are made plain, as what is not seen may be meant to mislead. */
export function toListing(row: StoreListing): ListingData {
  return {
    id: plainText(row.id),
    described: row.described,
    package: row.npmPackage === null ? null : plainText(row.npmPackage),
    category: row.category && plainName(row.category),
    summary: row.summary && plainText(row.summary),
    summaryZh: row.summaryZh && plainText(row.summaryZh),
    stars: row.stars,
    license: row.license && plainName(row.license),
    language: row.language && plainName(row.language),
    verdict: row.verdict,
    checkedAt: row.checkedAt,
    risks: row.riskFlags.map(plainName),
    blockedBuilds: row.blockedBuilds.map((name) => plainText(name)),
    installable: row.installable,
    source: row.repoUrl,
  }
}

const fold = (text: string) => text.toLowerCase()
/** How many suggestions an error has. */
const MOST_SUGGESTIONS = 5

/**
 * Finds the one listing of a full name or a package name. Never a similar one: what is only near is a suggestion.
 *
 * @throws Failure when there is none, or when there are several
 */
export async function resolveListing(session: Session, id: string, { rows }: Listings): Promise<StoreListing> {
  const isPackage: boolean = isPackageName(id)
  if (isPackage) {
    const found = rows.filter(({ npmPackage }) => npmPackage === id)
    if (found.length === 1) return found[0]!
    if (found.length > 1) throw ambiguous(session, id, found)
    throw unknown(session, id, rows)
  }
  if (!/^[^/\s#]+\/[^/\s#]+(?:#\S+)?$/.test(id)) throw unknown(session, id, rows)
  const found = rows.find((row) => fold(row.id) === fold(id))
  if (found) return found
  const others = rows.filter((row) => repositoryKey(row.id) === repositoryKey(id))
  if (others.length > 0 && !id.includes('#')) throw ambiguous(session, id, others)
  // It may be newer than the copy.
  const host = await session.openHost()
  if (session.directory.state !== 'current') throw unknown(session, id, rows)
  const details = await host.calls.details({ id, profile: 'web' })
  if (details.ok) return details.value
  throw unknown(session, id, rows, details.code === 'directory')
}

function ambiguous(session: Session, id: string, found: readonly StoreListing[]): Failure {
  const suggestions = found.map((row) => plainText(row.id)).slice(0, 20)
  return new Failure('ambiguous', ({ failures }) => failures.ambiguousListing(plainText(id), found.length), {
    data: { suggestions },
    next: session.command('show', suggestions[0]!),
  })
}

/** @param isCopy whether only the copy was asked */
function unknown(
  session: Session,
  id: string,
  rows: readonly StoreListing[],
  isCopy = session.directory.state === 'stored',
): Failure {
  const suggestions = nearest(id, rows)
  return new Failure('unknown-listing', ({ failures }) => failures.notListed(plainText(id), isCopy), {
    data: { suggestions },
    next: session.command('search', words(id.split(/[/#]/).findLast(Boolean) ?? '')),
  })
}

/** What was looked for, as words. */
const words = (id: string) => plainText(id.replace(/[^\p{L}\p{N}]+/gu, ' ')) || 'plugin'

/** As the search finds them. */
function nearest(id: string, rows: readonly StoreListing[]): string[] {
  const name = id.split(/[/#]/).findLast(Boolean) ?? ''
  for (const text of [id, name, words(name)]) {
    const query = { ...parseQuery(quoted(text)), verdict: ['all'] }
    const { listings, hasEveryWord } = findListings(rows, query, { profile: NO_PROFILE })
    if (hasEveryWord && listings.length > 0)
      return listings.slice(0, MOST_SUGGESTIONS).map((listing) => plainText(listing.id))
  }
  return []
}

const NO_PROFILE = { installed: new Set<string>(), updatable: new Set<string>() }
