import {
  IndexDocumentSchema,
  type IndexListing,
  IndexListingSchema,
  nameParts,
  type PluginRecord,
  PluginRecordSchema,
  repositoryKey,
  verdictOf,
} from '@plugmark/shared/contract'
import * as v from 'valibot'
import { type Catalogue, catalogueOf, DEFAULT_GENERATED } from './catalogue.ts'
import { type Entry, Listing } from './listing.ts'

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
function entryOfRecord(record: PluginRecord): { entry: Entry; site: string | null } {
  const { url, ...rest } = record
  const page = url === record.repoUrl ? -1 : url.indexOf('/plugins/')
  return {
    entry: {
      record: rest,
      path: page < 0 ? null : url.slice(page),
      texts: [record.fullName, record.summary, record.summaryZh],
    },
    site: page < 0 ? null : url.slice(0, page),
  }
}

/** What an index row gives: it knows neither summaries nor stars nor a verdict. */
function entryOfRow(row: IndexListing): Entry {
  const { owner, repo, subpath } = nameParts(row.fullName)
  return {
    record: {
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
      stars: 0,
      pushedAt: null,
      repoUrl: `https://github.com/${owner}/${repo}`,
      npmPackage: row.npm,
      installKind: row.npm !== null ? 'npm' : row.install !== null ? 'github' : 'unknown',
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
    path: row.path,
    texts: [row.fullName],
  }
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

/**
 * Reads real documents: index documents, plugins envelopes, bare arrays of records, in any number. A listing that
 * both know is taken from its record; one that only an index knows has nulls, and no stars.
 *
 * @throws UnknownDocument when one is neither
 */
export function readDocuments(documents: readonly unknown[]): DocumentCatalogue {
  const rejected: string[] = []
  const records: Entry[] = []
  const rows: Entry[] = []
  let site: string | null = null
  let generated: string | null = null
  for (const document of documents) {
    const index = v.safeParse(IndexDocumentSchema, document)
    const envelope = v.safeParse(EnvelopeSchema, document)
    if (index.success) {
      const { fields, plugins } = index.output
      rows.push(...parsed(IndexListingSchema, namedRows(fields, plugins), rejected).map(entryOfRow))
      site ??= index.output.site
      generated ??= index.output.generated
    } else if (envelope.success) {
      for (const record of parsed(PluginRecordSchema, envelope.output, rejected)) {
        const read = entryOfRecord(record)
        records.push(read.entry)
        site ??= read.site
      }
    } else {
      throw new UnknownDocument('neither an index document nor an answer of /api/v1/plugins')
    }
  }
  const entries = new Map<string, Entry>()
  for (const entry of [...records, ...rows]) {
    const key = entry.record.fullName.replace(/^[^#]*/, repositoryKey)
    if (!entries.has(key)) entries.set(key, entry)
  }
  const listings = [...entries.values()].map(
    (entry) => new Listing(entry.record.stars, verdictOf(entry.record), () => entry),
  )
  return {
    ...catalogueOf({ listings, generated: generated ?? DEFAULT_GENERATED, site }),
    rejected,
  }
}
