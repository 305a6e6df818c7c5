import {
  countsAsInstallable,
  INDEX_FIELDS,
  type IndexDocument,
  type PluginRecord,
  type Verdict,
  verdictOf,
} from '@plugmark/shared/contract'

export interface Listing {
  /** Its record without `url`, which depends on where the API is served. */
  readonly record: Omit<PluginRecord, 'url'>
  readonly verdict: Verdict | null
  /** `/plugins/<slug>`, or null when the listing has no page. */
  readonly path: string | null
  /** The strings that `q` searches, case folded: full name, both summaries, description of the repository. */
  readonly searchTexts: readonly string[]
}

export interface Catalogue {
  /** Instant of the index, ISO 8601 in UTC with milliseconds. */
  readonly generated: string
  /** Address that the listings' pages are below, without a trailing slash; null for the origin of the request. */
  readonly site: string | null
  /** By stars, descending; equals stay in the order of the source. */
  readonly listings: readonly Listing[]
  /** The published success rate, 0 to 1, over tested listings; null when none was tested. */
  readonly successRate: number | null
}

/**
 * Folds case in any script, for comparison only. Lower case first and upper case after it unites letters with several
 * lower-case forms (Greek σ and ς, long s, the Kelvin sign) and those whose upper case is longer (ß).
 */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase()
}

/** Creates a listing from a record, and from facts that a record does not have. */
export function createListing(
  record: Listing['record'],
  { path, description }: { readonly path: string | null; readonly description?: string | null },
): Listing {
  const texts = [record.fullName, record.summary, record.summaryZh, description]
  return { record, verdict: verdictOf(record), path, searchTexts: texts.filter((text) => text != null).map(foldCase) }
}

/**
 * The published success rate: (passed + needs-approval) / (all verdicts except not-a-layer), a share of
 * tested plugins, not of the catalogue.
 *
 * @returns a number from 0 to 1, or null when no listing that counts was tested
 */
function successRate(verdicts: Iterable<Verdict | null>): number | null {
  let good = 0
  let tested = 0
  for (const verdict of verdicts) {
    if (verdict === null || verdict === 'not-a-layer') continue
    tested++
    if (countsAsInstallable(verdict)) good++
  }
  return tested === 0 ? null : good / tested
}

export function withSuccessRate(catalogue: Omit<Catalogue, 'successRate'>): Catalogue {
  return { ...catalogue, successRate: successRate(catalogue.listings.map(({ verdict }) => verdict)) }
}

/** Returns the record as it is served at `site`; the `url` of a listing without a page is its repository. */
export function toRecord({ record, path }: Listing, site: string): PluginRecord {
  return { ...record, url: path === null ? record.repoUrl : site + path }
}

/** Returns the index document as it is served at `site`. */
export function toIndexDocument({ generated, listings }: Catalogue, site: string): IndexDocument {
  return {
    generated,
    count: listings.length,
    site,
    fields: [...INDEX_FIELDS],
    plugins: listings.map(({ record, path }) => [
      record.fullName,
      record.category,
      record.install,
      path,
      record.npmPackage,
    ]),
  }
}
