import {
  INDEX_FIELDS,
  IndexDocumentSchema,
  type IndexListing,
  IndexListingSchema,
  type PluginRecord,
  PluginRecordSchema,
} from '@plugmark/shared/contract'
import * as v from 'valibot'
import type { Answer, Asker } from './ask.ts'

/** A departure from the contract that Plugmark's clients survive. The message explains how. */
export class Quirk extends Error {}
/** A departure from the contract. */
export class Violation extends Error {}
/** The server has nothing to test the clause on. */
export class NotTested extends Error {}

/** One statement of the contract. */
export interface Clause {
  readonly id: string
  /** Full sentence. */
  readonly text: string
  /** Part of openapi.yaml that contains it. */
  readonly source: string
  /** @throws {Quirk | Violation | NotTested} */
  check(server: Server): Promise<void>
}

/** The answers that several clauses read. */
export interface Server extends Asker {
  readonly baseUrl: string
  index(): Promise<{ readonly document: v.InferOutput<typeof IndexDocumentSchema>; readonly listings: IndexListing[] }>
  plugins(query?: string): Promise<Page>
}
export interface Page {
  readonly total: number
  readonly count: number
  readonly results: readonly PluginRecord[]
}

export const INDEX = '/api/v1/index'
export const PLUGINS = '/api/v1/plugins'
export const INDEX_SOURCE = '#/paths/~1api~1v1~1index/get'
export const PLUGINS_SOURCE = '#/paths/~1api~1v1~1plugins/get'
export const parameter = (name: string) => `#/components/parameters/${name}`
export const schema = (name: string, property?: string) =>
  `#/components/schemas/${name}${property ? `/properties/${property}` : ''}`

export const PageSchema = v.object({
  total: v.pipe(v.number(), v.integer(), v.minValue(0)),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  results: v.array(v.unknown()),
})

/** Adds the reading of both endpoints to a sender of requests. */
export function createServer(baseUrl: string, asker: Asker): Server {
  return {
    baseUrl,
    ask: asker.ask,
    evidence: asker.evidence,
    get sent() {
      return asker.sent
    },
    async index() {
      const document = parseBody(IndexDocumentSchema, await asker.ask(INDEX), 'an index document')
      const { fields, plugins } = document
      const listings = plugins.flatMap((row) => {
        const named = Object.fromEntries(INDEX_FIELDS.map((field) => [field, cell(row, fields.indexOf(field))]))
        return v.is(IndexListingSchema, named) ? [named] : []
      })
      return { document, listings }
    },
    async plugins(query = '') {
      const page = parseBody(
        PageSchema,
        await asker.ask(query === '' ? PLUGINS : `${PLUGINS}?${query}`),
        'a page of listings',
      )
      return { ...page, results: page.results.filter((row): row is PluginRecord => v.is(PluginRecordSchema, row)) }
    },
  }
}

export const cell = (row: unknown, at: number): unknown => (Array.isArray(row) ? (row[at] ?? null) : undefined)

export function parseBody<S extends v.GenericSchema>(of: S, answer: Answer, name: string): v.InferOutput<S> {
  expect(answer.status === 200, `answers with status ${answer.status}`)
  const parsed = v.safeParse(of, answer.json)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new Violation(`is not ${name}: ${v.getDotPath(issue) ?? 'the body'}: ${issue.message}`)
}

export function expect(holds: boolean, message: string): void {
  if (!holds) throw new Violation(message)
}

/** Throws for the first item for which `problem` returns a text. */
export function expectEach<T>(items: Iterable<T>, problem: (item: T) => string | null): void {
  for (const item of items) {
    const text = problem(item)
    if (text !== null) throw new Violation(text)
  }
}

export const names = ({ results }: Page) => results.map(({ fullName }) => fullName)
export const textsOf = ({ fullName, name, summary, summaryZh, npmPackage }: PluginRecord) =>
  [fullName, name, summary, summaryZh, npmPackage].filter((text) => text != null)
