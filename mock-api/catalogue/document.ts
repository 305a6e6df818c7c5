import {
  IndexDocumentSchema,
  type IndexListing,
  IndexListingSchema,
  nameParts,
  type PluginRecord,
  PluginRecordSchema,
  repositoryKey,
} from '@plugmark/shared/contract'
import * as v from 'valibot'
import { type Catalogue, catalogueOf } from './catalogue.ts'
import { type Listing, toListing } from './listing.ts'

/** A catalogue that was read from documents, and what could not be read. */
export interface DocumentCatalogue extends Catalogue {
  /** One line for each row that was left out. */
  readonly rejected: readonly string[]
}

/** Neither an index document nor a plugins envelope. */
export class UnknownDocument extends Error {}

const EnvelopeSchema = v.union([
  v.array(v.unknown()),
  v.pipe(
    v.object({ results: v.array(v.unknown()) }),
    v.transform((e) => e.results),
  ),
])

/** What a complete record gives. Its page tells where the listings' pages are. */
function fromRecord(record: PluginRecord): { listing: Listing; site: string | null } {
  const { url, ...rest } = record
  const page = url === record.repoUrl ? -1 : url.indexOf('/plugins/')
  return {
    listing: toListing(rest, { path: page < 0 ? null : url.slice(page) }),
    site: page < 0 ? null : url.slice(0, page),
  }
}

/** What an index row gives: it knows neither summaries nor stars nor a verdict. */
function fromRow(row: IndexListing, stars: number): Listing {
  const { owner, repo, subpath } = nameParts(row.fullName)
  return toListing(
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

/** Rows of an index document as objects, by the names that `fields` gives their columns. */
function namedRows(fields: readonly string[], rows: readonly unknown[]): unknown[] {
  return rows.map((row) =>
    Array.isArray(row) ? Object.fromEntries(fields.map((field, column) => [field, row[column] ?? null])) : row,
  )
}

/** Parses each row, and says of the others why not. */
function parsed<S extends v.GenericSchema>(
  schema: S,
  rows: readonly unknown[],
  rejected: string[],
): v.InferOutput<S>[] {
  return rows.flatMap((row, number) => {
    const result = v.safeParse(schema, row)
    if (result.success) return [result.output]
    const [issue] = result.issues
    rejected.push(`row ${number}: ${v.getDotPath(issue) ?? 'the row'}: ${issue.message}`)
    return []
  })
}

/** By name, its repository in any case; of two the first. */
function byName<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T> {
  const found = new Map<string, T>()
  for (const item of items) {
    const name = nameOf(item).replace(/^[^#]*/, repositoryKey)
    if (!found.has(name)) found.set(name, item)
  }
  return found
}

/**
 * The listings of these documents, each once, from its record where there is one. They keep the order of the index,
 * which is by stars though it carries none: what only it knows has the stars of its repository where a record tells
 * them, else as many as the next listing whose stars are known, and so at least that many.
 */
function merged(rows: readonly IndexListing[], records: readonly Listing[]): Listing[] {
  const indexed = byName(rows, ({ fullName }) => fullName)
  const recorded = byName(records, ({ record }) => record.fullName)
  const starsOf = new Map(records.map(({ record }) => [repositoryKey(record.fullName), record.stars]))
  let atLeast = 0
  const ranked = [...indexed].reverse().map(([name, row]) => {
    const stars = starsOf.get(repositoryKey(row.fullName))
    atLeast = Math.max(atLeast, stars ?? 0)
    return { rank: atLeast, listing: recorded.get(name) ?? fromRow(row, stars ?? atLeast) }
  })
  const others = [...recorded].filter(([name]) => !indexed.has(name)).map(([, listing]) => listing)
  return [...ranked.reverse(), ...others.map((listing) => ({ rank: listing.record.stars, listing }))]
    .sort((a, b) => b.rank - a.rank)
    .map(({ listing }) => listing)
}

/**
 * Reads real documents: index documents, plugins envelopes, bare arrays of records, in any number.
 *
 * @throws UnknownDocument when one is neither
 */
export function readDocuments(documents: readonly unknown[]): DocumentCatalogue {
  const rejected: string[] = []
  const records: Listing[] = []
  const rows: IndexListing[] = []
  const instants: string[] = []
  let site: string | null = null
  for (const document of documents) {
    const index = v.safeParse(IndexDocumentSchema, document)
    const envelope = v.safeParse(EnvelopeSchema, document)
    if (index.success) {
      const { fields, plugins, generated } = index.output
      rows.push(...parsed(IndexListingSchema, namedRows(fields, plugins), rejected))
      instants.push(generated)
      site ??= index.output.site
    } else if (envelope.success) {
      for (const record of parsed(PluginRecordSchema, envelope.output, rejected)) {
        const read = fromRecord(record)
        records.push(read.listing)
        site ??= read.site
      }
    } else {
      throw new UnknownDocument('neither an index document nor an answer of /api/v1/plugins')
    }
  }
  const generated = instants.sort().at(-1) ?? new Date().toISOString()
  return { ...catalogueOf({ generated, site, listings: merged(rows, records) }), rejected }
}
