import { parseAddress } from '@plugmark/shared/client/core'
import {
  DEFAULTS,
  FullNameSchema,
  IndexDocumentSchema,
  type IndexListing,
  IndexListingSchema,
  LISTING_PATH,
  listingKey,
  nameParts,
  type PluginRecord,
  PluginRecordSchema,
  repositoryKey,
  WholeNumberSchema,
} from '@plugmark/shared/contract'
import { contractMessages } from '@plugmark/shared/i18n'
import { bindInstall, parseInstallCommand } from '@plugmark/shared/install'
import * as v from 'valibot'
import { type Catalogue, createListing, type Listing, withSuccessRate } from './catalogue.ts'

/** A catalogue that was read from documents. */
export interface LoadedCatalogue extends Catalogue {
  /** One line for each row that was left out: its position, and all its faults. */
  readonly rejected: readonly string[]
}

/**
 * Returns the position of a row, as text.
 *
 * @param document position of the document
 * @param path path of the row in it
 */
type Locate = (document: number, path: readonly (string | number)[]) => string

/** A document that is not a catalogue. The message names the file and the reason. */
export class CatalogueFileError extends Error {}

const EnvelopeSchema = v.union([
  v.pipe(
    v.array(v.unknown()),
    v.transform((results) => ({ results, count: results.length })),
  ),
  v.object({ results: v.array(v.unknown()), count: v.optional(WholeNumberSchema) }),
])

/** A date further in the future than this is wrong: in no time zone is it that late. ms */
const MAX_AHEAD_MS = 24 * 3_600_000

const isAhead = (instant: string | null | undefined): boolean => Date.parse(instant ?? '') > Date.now() + MAX_AHEAD_MS

/**
 * Parses index documents, plugins envelopes and bare arrays of records, in any number, into one catalogue.
 *
 * @param locate prefix of each line of `rejected`
 * @throws CatalogueFileError when a document is none of these
 */
export function parseCatalogue(documents: readonly unknown[], locate: Locate = () => ''): LoadedCatalogue {
  const rejected: string[] = []
  const records: Listing[] = []
  const rows: IndexListing[] = []
  const instants: string[] = []
  let site: string | null = null
  const claims = new Claims()
  for (const [number, document] of documents.entries()) {
    /** @throws CatalogueFileError that names the place of a field of the document */
    const refuse = (field: string, problem: string): never => {
      throw new CatalogueFileError(`${locate(number, [field])}${problem}`)
    }
    /** A file that was cut, and closed again, announces more rows than it has. */
    const checkCount = (count: number, found: number) => {
      if (count !== found) refuse('count', `count is ${count}, but there are ${found} rows: is the file complete?`)
    }
    claims.forgetNames()
    const rejectAt =
      (...path: string[]): Reject =>
      (row, faults) =>
        rejected.push(`${locate(number, [...path, row])}row ${row}: ${faults.join('; ')}`)
    const index = v.safeParse(IndexDocumentSchema, document)
    const envelope = v.safeParse(EnvelopeSchema, document)
    if (index.success) {
      const { fields, plugins, generated } = index.output
      const address = parseAddress(index.output.site)
      if (address === null) refuse('site', 'its site is not an http or https address without user, query and hash')
      checkCount(index.output.count, plugins.length)
      if (isAhead(generated))
        refuse('generated', `it is dated ${generated}, in the future: clients refuse such an index`)
      for (const row of parseRows(IndexListingSchema, namedRows(fields, plugins), claims, rejectAt('plugins')))
        rows.push(row)
      instants.push(generated)
      site ??= address
    } else if (envelope.success) {
      const { results, count } = envelope.output
      if (count !== undefined) checkCount(count, results.length)
      const reject = Array.isArray(document) ? rejectAt() : rejectAt('results')
      for (const record of parseRows(PluginRecordSchema, results, claims, reject)) {
        const read = fromRecord(record)
        records.push(read.listing)
        site ??= read.site
      }
    } else {
      throw new CatalogueFileError(`${locate(number, [])}neither an index document nor an answer of /api/v1/plugins`)
    }
  }
  const now = new Date().toISOString()
  // A verdict may be newer than the index that it is merged into, and clients take only what is newer.
  const checked = records.flatMap(({ record }) => record.installCheckedAt ?? []).filter((instant) => instant <= now)
  const generated = instants.length === 0 ? now : [...instants, ...checked].reduce((a, b) => (a > b ? a : b))
  return { ...withSuccessRate({ generated, site, listings: mergeListings(rows, records) }), rejected }
}

type Reject = (row: number, faults: readonly string[]) => void

/** Tells apart what only one listing can have: its name, in one document, and its page, in all of them. */
class Claims {
  readonly #rows = new Map<string, number>()
  /** Listing keys by path. */
  readonly #paths = new Map<string, string>()

  /** Another document may have the same listing. */
  forgetNames(): void {
    this.#rows.clear()
  }

  /** Claims name and page for a row. @returns its faults; with any, nothing is claimed */
  claim(row: number, fullName: string, path: string | null): string[] {
    const key = listingKey(fullName)
    const before = this.#rows.get(key)
    if (before !== undefined) return [`fullName: row ${before} has it already`]
    const owner = path === null ? key : (this.#paths.get(path) ?? key)
    if (owner !== key) return [`path: ${owner} has ${path} already`]
    this.#rows.set(key, row)
    if (path !== null) this.#paths.set(path, key)
    return []
  }
}

/** Parses each row, and calls `reject` with all faults of each that breaks the contract. */
function parseRows<S extends typeof IndexListingSchema | typeof PluginRecordSchema>(
  schema: S,
  rows: readonly unknown[],
  claims: Claims,
  reject: Reject,
): v.InferOutput<S>[] {
  return rows.flatMap((row, number) => {
    const result = v.safeParse(schema, row)
    const faults = (result.issues ?? []).map((issue) => `${v.getDotPath(issue) ?? 'the row'}: ${issue.message}`)
    faults.push(...installFaults(Object(row)))
    if (result.success) {
      const parsed: IndexListing | PluginRecord = result.output
      const checkedAt = 'installCheckedAt' in parsed ? parsed.installCheckedAt : null
      if (isAhead(checkedAt)) faults.push(`installCheckedAt: ${checkedAt} is in the future`)
      if (faults.length === 0)
        faults.push(...claims.claim(number, parsed.fullName, 'path' in parsed ? parsed.path : pageOf(parsed).path))
    }
    if (result.success && faults.length === 0) return [result.output]
    reject(number, faults)
    return []
  })
}

/** Returns the faults of a command and of a package's name, which the schemas do not see. */
function installFaults(row: Readonly<Record<string, unknown>>): string[] {
  const { fullName, install } = row
  const faults = ['npm', 'npmPackage']
    .filter((field) => row[field] === '')
    .map((field) => `${field}: null when there is none, not empty`)
  if (typeof install !== 'string') return faults
  // Without a full name, a command belongs to no listing.
  const result = v.is(FullNameSchema, fullName)
    ? bindInstall(row, { cli: DEFAULTS.cli })
    : parseInstallCommand(install, { cli: DEFAULTS.cli })
  if (!result.ok) faults.push(`install: ${contractMessages('en').reason(result.reason)}`)
  return faults
}

/** Returns the rows of an index document as objects, keyed by the column names in `fields`. */
function namedRows(fields: readonly string[], rows: readonly unknown[]): unknown[] {
  return rows.map((row) =>
    Array.isArray(row) ? Object.fromEntries(fields.map((field, column) => [field, row[column] ?? null])) : row,
  )
}

/** Returns site and path of a record's page, both null where it is the repository. */
function pageOf({ url, repoUrl }: PluginRecord): { readonly site: string | null; readonly path: string | null } {
  // The site may have a path of its own, and /plugins/ in it.
  const at = url.lastIndexOf('/plugins/')
  const [site, path] = [url.slice(0, Math.max(0, at)), url.slice(at)]
  const hasPage = url !== repoUrl && parseAddress(site) !== null && LISTING_PATH.test(path)
  return hasPage ? { site, path } : { site: null, path: null }
}

/** Returns the listing of a complete record. The address of its page also gives the site of the pages. */
function fromRecord(record: PluginRecord): { listing: Listing; site: string | null } {
  const { url: _, ...rest } = record
  const { site, path } = pageOf(record)
  return { listing: createListing(rest, { path }), site }
}

/** Returns the listing of an index row, which has neither summaries nor stars nor a verdict. */
function fromRow(row: IndexListing, stars: number): Listing {
  const { owner, repo, subpath } = nameParts(row.fullName)
  return createListing(
    {
      fullName: row.fullName,
      name: subpath?.split('/').at(-1) ?? repo,
      owner,
      repo,
      subpath,
      summary: null,
      summaryZh: null,
      category: row.category,
      language: null,
      license: null,
      stars,
      pushedAt: null,
      repoUrl: `https://github.com/${owner}/${repo}`,
      npmPackage: row.npm,
      installKind: row.npm !== null ? 'npm' : row.install !== null || subpath !== null ? 'github' : 'unknown',
      install: row.install,
      installable: row.install !== null,
      installOptions:
        row.install === null ? [] : [{ label: row.npm === null ? 'GitHub' : 'npm', cmd: row.install, note: '' }],
      installCheck: null,
      installCheckedAt: null,
      blockedBuilds: null,
      riskFlags: [],
      inRegistry: null,
    },
    { path: row.path },
  )
}

/** Maps items by `fullName`, its `owner/repo` case folded. The first of two items counts. */
function byName<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T> {
  const found = new Map<string, T>()
  for (const item of items) {
    const name = listingKey(nameOf(item))
    if (!found.has(name)) found.set(name, item)
  }
  return found
}

/**
 * Merges index rows and records into one listing each, by stars; a record takes precedence over a row. Rows of the index
 * are by stars too, though they carry none. So a row without a record takes the stars of its repository from another
 * record, and else the most that a listing after it has; and listings with equal stars keep the order of the index.
 */
function mergeListings(rows: readonly IndexListing[], records: readonly Listing[]): Listing[] {
  const indexed = byName(rows, ({ fullName }) => fullName)
  const recorded = byName(records, ({ record }) => record.fullName)
  const starsOf = new Map(records.map(({ record }) => [repositoryKey(record.fullName), record.stars]))
  let atLeast = 0
  const listed = [...indexed].reverse().map(([name, row]) => {
    const stars = starsOf.get(repositoryKey(row.fullName))
    atLeast = Math.max(atLeast, stars ?? 0)
    return recorded.get(name) ?? fromRow(row, stars ?? atLeast)
  })
  const others = [...recorded].flatMap(([name, listing]) => (indexed.has(name) ? [] : listing))
  return [...listed.reverse(), ...others].sort((a, b) => b.record.stars - a.record.stars)
}
