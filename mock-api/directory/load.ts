import { readFile } from 'node:fs/promises'
import {
  IndexDocumentSchema,
  type IndexListing,
  IndexListingSchema,
  listingKey,
  nameParts,
  type PluginRecord,
  PluginRecordSchema,
  repositoryKey,
} from '@plugmark/shared/contract'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import * as v from 'valibot'
import { type Catalogue, withSuccessRate } from './catalogue.ts'
import { createListing, type Listing } from './listings.ts'

/** A catalogue that was read from documents. */
export interface LoadedCatalogue extends Catalogue {
  /** One line for each row that was left out: its position, and the reason. */
  readonly rejected: readonly string[]
}

/**
 * Returns the position of a row, for a person.
 *
 * @param document position of the document
 * @param path path of the row in it
 */
type Locate = (document: number, path: readonly (string | number)[]) => string

/** A document that is no catalogue. The message names the file and the reason. */
export class CatalogueFileError extends Error {}

/**
 * Reads a catalogue from files, each an index document or an answer of `GET /api/v1/plugins`.
 *
 * @throws CatalogueFileError when a file is missing or is no such document
 */
export async function loadCatalogue(...files: readonly string[]): Promise<LoadedCatalogue> {
  const read = await Promise.all(files.map(readJson))
  const documents = read.map(({ value }) => value)
  try {
    return parseCatalogue(documents, (document, path) => {
      const { text } = read[document]!
      const tree = parseTree(text)
      const offset = (tree && findNodeAtLocation(tree, [...path])?.offset) ?? 0
      const before = text.slice(0, offset).split('\n')
      return `${files[document]}:${before.length}:${before.at(-1)!.length + 1}: `
    })
  } catch (error) {
    if (!(error instanceof CatalogueFileError)) throw error
    throw new CatalogueFileError(`Cannot use ${files.join(', ')} as a catalogue: ${error.message}`, { cause: error })
  }
}

async function readJson(file: string): Promise<{ text: string; value: unknown }> {
  try {
    const text = await readFile(file, 'utf8')
    return { text, value: JSON.parse(text) }
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is not JSON: ${error.message}` : (error as Error).message
    throw new CatalogueFileError(`Cannot use ${file} as a catalogue: ${reason}`, { cause: error })
  }
}

const EnvelopeSchema = v.union([
  v.array(v.unknown()),
  v.pipe(
    v.object({ results: v.array(v.unknown()) }),
    v.transform(({ results }) => results),
  ),
])

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
  for (const [number, document] of documents.entries()) {
    const rejectAt =
      (...path: string[]): Reject =>
      (row, reason) =>
        rejected.push(`${locate(number, [...path, row])}row ${row}: ${reason}`)
    const index = v.safeParse(IndexDocumentSchema, document)
    const envelope = v.safeParse(EnvelopeSchema, document)
    if (index.success) {
      const { fields, plugins, generated } = index.output
      rows.push(...parseRows(IndexListingSchema, namedRows(fields, plugins), rejectAt('plugins')))
      instants.push(generated)
      site ??= index.output.site
    } else if (envelope.success) {
      const reject = Array.isArray(document) ? rejectAt() : rejectAt('results')
      for (const record of parseRows(PluginRecordSchema, envelope.output, reject)) {
        const read = fromRecord(record)
        records.push(read.listing)
        site ??= read.site
      }
    } else {
      throw new CatalogueFileError('neither an index document nor an answer of /api/v1/plugins')
    }
  }
  const generated = instants.sort().at(-1) ?? new Date().toISOString()
  return { ...withSuccessRate({ generated, site, listings: mergeListings(rows, records) }), rejected }
}

type Reject = (row: number, reason: string) => void

/** Parses each row, and calls `reject` for each that breaks the contract. */
function parseRows<S extends v.GenericSchema>(schema: S, rows: readonly unknown[], reject: Reject): v.InferOutput<S>[] {
  return rows.flatMap((row, number) => {
    const result = v.safeParse(schema, row)
    if (result.success) return [result.output]
    const [issue] = result.issues
    reject(number, `${v.getDotPath(issue) ?? 'the row'}: ${issue.message}`)
    return []
  })
}

/** Returns the rows of an index document as objects, keyed by the column names in `fields`. */
function namedRows(fields: readonly string[], rows: readonly unknown[]): unknown[] {
  return rows.map((row) =>
    Array.isArray(row) ? Object.fromEntries(fields.map((field, column) => [field, row[column] ?? null])) : row,
  )
}

/** Returns the listing of a complete record. The address of its page also gives the site of the pages. */
function fromRecord(record: PluginRecord): { listing: Listing; site: string | null } {
  const { url, ...rest } = record
  const page = url === record.repoUrl ? -1 : url.indexOf('/plugins/')
  return {
    listing: createListing(rest, { path: page < 0 ? null : url.slice(page) }),
    site: page < 0 ? null : url.slice(0, page),
  }
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
 * Merges index rows and records into one listing each; a record takes precedence over a row. Keeps the order of the
 * index: it is by stars, though rows carry none. So a row without a record takes the stars of its repository from
 * another record, and else those of the next listing whose stars are known, as it has at least that many.
 */
function mergeListings(rows: readonly IndexListing[], records: readonly Listing[]): Listing[] {
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
