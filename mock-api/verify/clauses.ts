import {
  DEFAULTS,
  INDEX_FIELDS,
  IndexDocumentSchema,
  type IndexListing,
  IndexListingSchema,
  LIMITS,
  listingKey,
  nameParts,
  PAGE_SIZE,
  type PluginRecord,
  PluginRecordSchema,
} from '@plugmark/shared/contract'
import { bindInstall } from '@plugmark/shared/install'
import * as v from 'valibot'
import type { Answer, Asker } from './ask.ts'

/** A departure from the contract that Plugmark's clients survive. The message says what they do about it. */
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
  /** Part of openapi.yaml that says so. */
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
interface Page {
  readonly total: number
  readonly count: number
  readonly results: readonly PluginRecord[]
}

const INDEX = '/api/v1/index'
const PLUGINS = '/api/v1/plugins'
const INDEX_SOURCE = '#/paths/~1api~1v1~1index/get'
const PLUGINS_SOURCE = '#/paths/~1api~1v1~1plugins/get'
const parameter = (name: string) => `#/components/parameters/${name}`
const schema = (name: string, property?: string) =>
  `#/components/schemas/${name}${property ? `/properties/${property}` : ''}`
const CACHE = {
  [INDEX]: 'public, max-age=3600, s-maxage=21600',
  [PLUGINS]: 'public, max-age=300, s-maxage=900',
}

const PageSchema = v.object({
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

const cell = (row: unknown, at: number): unknown => (Array.isArray(row) ? (row[at] ?? null) : undefined)

function parseBody<S extends v.GenericSchema>(of: S, answer: Answer, name: string): v.InferOutput<S> {
  expect(answer.status === 200, `answers with status ${answer.status}`)
  const parsed = v.safeParse(of, answer.json)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new Violation(`is not ${name}: ${v.getDotPath(issue) ?? 'the body'}: ${issue.message}`)
}

function expect(holds: boolean, message: string): void {
  if (!holds) throw new Violation(message)
}

/** Throws for the first item that `problem` returns a text for. */
function expectEach<T>(items: Iterable<T>, problem: (item: T) => string | null): void {
  for (const item of items) {
    const text = problem(item)
    if (text !== null) throw new Violation(text)
  }
}

const names = ({ results }: Page) => results.map(({ fullName }) => fullName)
const textsOf = ({ fullName, name, summary, summaryZh, npmPackage }: PluginRecord) =>
  [fullName, name, summary, summaryZh, npmPackage].filter((text) => text != null)

const about = (path: typeof INDEX | typeof PLUGINS, source: string): Clause[] => [
  {
    id: `${path}: JSON`,
    text: `${path} answers with JSON.`,
    source,
    async check({ ask }) {
      const { status, headers, json } = await ask(path)
      expect(status === 200, `answers with status ${status}`)
      const type = headers.get('content-type') ?? 'none'
      expect(/^application\/json\b/.test(type), `has the content type ${type}`)
      expect(json !== undefined, 'is not JSON')
    },
  },
  {
    id: `${path}: CORS`,
    text: `${path} can be read by a page of any origin.`,
    source: '#/components/headers/Access-Control-Allow-Origin',
    async check({ ask }) {
      const { headers } = await ask(path)
      const allowed = headers.get('access-control-allow-origin')
      expect(allowed === '*', `has Access-Control-Allow-Origin: ${allowed ?? 'none'}`)
    },
  },
  {
    id: `${path}: Cache-Control`,
    text: `${path} says for how long it may be cached.`,
    source: `${source}/responses/200/headers/Cache-Control`,
    async check({ ask }) {
      const value = (await ask(path)).headers.get('cache-control')
      expect(value === CACHE[path], `has Cache-Control: ${value ?? 'none'}, not ${CACHE[path]}`)
    },
  },
  {
    id: `${path}: ETag`,
    text: `${path} has an ETag, and answers a request with that ETag with 304.`,
    source: `${source}/responses/304`,
    async check({ ask }) {
      const { headers } = await ask(path)
      const etag = headers.get('etag')
      if (etag === null) throw new Quirk('has no ETag. Clients download it whole.')
      const { status, text } = await ask(path, { 'if-none-match': etag })
      if (status === 200) throw new Quirk('ignores If-None-Match. Clients download it whole.')
      expect(status === 304 && text === '', `answers If-None-Match with status ${status} and ${text.length} characters`)
      if (!/\betag\b/i.test(headers.get('access-control-expose-headers') ?? ''))
        throw new Quirk('does not let pages read the ETag. Clients do not need it.')
    },
  },
]

/** Every clause that two GET endpoints can be held to. */
export const CLAUSES: readonly Clause[] = [
  ...about(INDEX, INDEX_SOURCE),
  {
    id: 'index: document',
    text: 'The index has generated, count, site, fields and plugins, as the schema says.',
    source: schema('IndexDocument'),
    async check(server) {
      await server.index()
    },
  },
  {
    id: 'index: generated',
    text: 'The index is not dated in the future.',
    source: schema('IndexDocument', 'generated'),
    async check(server) {
      const { generated } = (await server.index()).document
      expect(Date.parse(generated) <= Date.now() + 60_000, `is dated ${generated}`)
    },
  },
  {
    id: 'index: fields',
    text: `The index has the columns ${INDEX_FIELDS.join(', ')}.`,
    source: schema('IndexDocument', 'fields'),
    async check(server) {
      const { fields } = (await server.index()).document
      const missing = INDEX_FIELDS.filter((field) => !fields.includes(field))
      expect(missing.length === 0, `lacks the columns ${missing.join(', ')}`)
    },
  },
  {
    id: 'index: count',
    text: 'The index has as many rows as it says.',
    source: schema('IndexDocument', 'count'),
    async check(server) {
      const { count, plugins } = (await server.index()).document
      expect(count === plugins.length, `says ${count} and has ${plugins.length} rows`)
    },
  },
  {
    id: 'index: rows',
    text: 'Every row of the index is a listing: a full name, and text or null in each other column.',
    source: schema('IndexRow'),
    async check(server) {
      const { document } = await server.index()
      expectEach(document.plugins.entries(), ([number, row]) => {
        const named = Object.fromEntries(
          INDEX_FIELDS.map((field) => [field, cell(row, document.fields.indexOf(field))]),
        )
        const parsed = v.safeParse(IndexListingSchema, named)
        if (parsed.success) return null
        const [issue] = parsed.issues
        return `row ${number}: ${v.getDotPath(issue) ?? 'the row'}: ${issue.message}: ${JSON.stringify(row)}`
      })
    },
  },
  {
    id: 'index: one row for each listing',
    text: 'The index has one row for each full name, whatever the spelling of owner and repository.',
    source: schema('IndexRow'),
    async check(server) {
      const seen = new Map<string, string>()
      expectEach((await server.index()).listings, ({ fullName }) => {
        const key = listingKey(fullName)
        const before = seen.get(key)
        seen.set(key, fullName)
        return before === undefined ? null : `has both ${before} and ${fullName}`
      })
    },
  },
  {
    id: 'index: install',
    text: 'Every install command has the one accepted form, and installs its own listing.',
    source: `${schema('IndexRow')}/prefixItems/2`,
    async check(server) {
      expectEach((await server.index()).listings, (listing) => {
        if (listing.install === null) return null
        const bound = bindInstall(listing, { cli: DEFAULTS.cli })
        return bound.ok ? null : `${listing.fullName}: ${bound.reason}: ${listing.install}`
      })
    },
  },
  {
    id: 'index: no placeholders',
    text: 'Install, path and npm are null when there is nothing to say, and never an empty text; a path begins with /plugins/.',
    source: `${schema('IndexRow')}/prefixItems/3`,
    async check(server) {
      expectEach((await server.index()).listings, ({ fullName, install, path, npm }) => {
        if (install === '' || npm === '') return `${fullName} has an empty text`
        return path === null || /^\/plugins\/\S+$/.test(path)
          ? null
          : `${fullName} has the path ${JSON.stringify(path)}`
      })
    },
  },
  {
    id: 'index: subdirectories',
    text: 'A listing in a subdirectory has no command unless its package is published.',
    source: PLUGINS_SOURCE,
    async check(server) {
      expectEach((await server.index()).listings, ({ fullName, install, npm }) =>
        nameParts(fullName).subpath !== null && install !== null && npm === null ? `${fullName}: ${install}` : null,
      )
    },
  },
  ...about(PLUGINS, PLUGINS_SOURCE),
  {
    id: 'plugins: envelope',
    text: 'A page has total, count and results, and count is the number of results.',
    source: schema('PluginsPage'),
    async check(server) {
      const { count } = await server.plugins('limit=24')
      const { results } = parseBody(PageSchema, await server.ask(`${PLUGINS}?limit=24`), 'a page of listings')
      expect(count === results.length, `says ${count} and has ${results.length} results`)
    },
  },
  {
    id: 'plugins: records',
    text: 'Every result is a record as the schema says; installable is true exactly when install is not null.',
    source: schema('PluginRecord'),
    async check(server) {
      const { results } = parseBody(PageSchema, await server.ask(`${PLUGINS}?limit=24`), 'a page of listings')
      expectEach(results.entries(), ([number, row]) => {
        const parsed = v.safeParse(PluginRecordSchema, row)
        if (parsed.success) return null
        const [issue] = parsed.issues
        return `result ${number}: ${v.getDotPath(issue) ?? 'the record'}: ${issue.message}`
      })
    },
  },
  {
    id: 'plugins: total',
    text: 'Without a filter, the total is the number of listings in the index.',
    source: schema('PluginsPage', 'total'),
    async check(server) {
      const { total } = await server.plugins('limit=24')
      const { count } = (await server.index()).document
      expect(total === count, `says ${total}, and the index ${count}`)
    },
  },
  {
    id: 'plugins: same as the index',
    text: 'A record says the same as its row of the index: category, command, package and page.',
    source: PLUGINS_SOURCE,
    async check(server) {
      const { listings, document } = await server.index()
      const rows = new Map(listings.map((listing) => [listingKey(listing.fullName), listing]))
      expectEach((await server.plugins('limit=24')).results, (record) => {
        const row = rows.get(listingKey(record.fullName))
        if (row === undefined) return `${record.fullName} is not in the index`
        for (const [field, value] of [
          ['category', record.category],
          ['install', record.install],
          ['npm', record.npmPackage],
        ] as const)
          if (row[field] !== value) return `${record.fullName}: ${field} is ${value}, and ${row[field]} in the index`
        const page = row.path === null ? record.repoUrl : document.site.replace(/\/$/, '') + row.path
        return record.url === page ? null : `${record.fullName}: url is ${record.url}, not ${page}`
      })
    },
  },
  {
    id: 'plugins: order',
    text: 'Listings come by stars, most first.',
    source: PLUGINS_SOURCE,
    async check(server) {
      const { results } = await server.plugins('limit=24')
      expectEach(results.slice(1).entries(), ([at, record]) =>
        record.stars <= results[at]!.stars ? null : `${record.fullName} has more stars than the listing before it`,
      )
    },
  },
  {
    id: 'limit: default',
    text: `Without limit, a page has at most ${PAGE_SIZE.default} listings.`,
    source: parameter('limit'),
    async check(server) {
      const { count, total } = await server.plugins()
      expect(count === Math.min(total, PAGE_SIZE.default), `has ${count} of ${total}`)
    },
  },
  ...[...LIMITS.safePageSizes, PAGE_SIZE.max].map(
    (limit): Clause => ({
      id: `limit: ${limit}`,
      text: `limit=${limit} gives ${limit} listings, if there are so many.`,
      source: parameter('limit'),
      async check(server) {
        const { count, total } = await server.plugins(`limit=${limit}`)
        const wanted = Math.min(total, limit)
        if (limit === PAGE_SIZE.max && count === Math.min(total, 96) && count !== wanted)
          throw new Quirk('gives 96. Clients ask for 24, 48 or 96.')
        expect(count === wanted, `gives ${count} of ${total}`)
      },
    }),
  ),
  {
    id: 'limit: out of range',
    text: 'A limit that is not a whole number from 1 counts as absent, and more than 100 as 100.',
    source: parameter('limit'),
    async check(server) {
      const first = names(await server.plugins())
      for (const limit of ['0', 'many', '-4', '1.5']) {
        const { status } = await server.ask(`${PLUGINS}?limit=${limit}`)
        if (status !== 200) throw new Quirk(`limit=${limit} is answered with status ${status}. Clients never send it.`)
        if (String(names(await server.plugins(`limit=${limit}`))) !== String(first))
          throw new Quirk(`limit=${limit} gives other rows than no limit. Clients never send it.`)
      }
    },
  },
  {
    id: 'page: next',
    text: 'Page 2 begins where page 1 ends.',
    source: parameter('page'),
    async check(server) {
      const [first, second] = [await server.plugins('limit=24&page=1'), await server.plugins('limit=24&page=2')]
      expect(second.count === Math.min(24, Math.max(0, first.total - 24)), `page 2 has ${second.count} listings`)
      const both = new Set(names(first))
      const twice = names(second).filter((name) => both.has(name))
      if (twice.length > 0) throw new Quirk(`${twice.join(', ')} come twice. Clients remove duplicates.`)
    },
  },
  {
    id: 'page: any limit',
    text: 'Page 2 begins where page 1 ends, whatever the limit.',
    source: parameter('page'),
    async check(server) {
      const [long, short] = [await server.plugins('limit=48'), await server.plugins('limit=20&page=2')]
      if (long.total <= 24) throw new NotTested('There are too few listings.')
      if (String(names(short)) !== String(names(long).slice(20, 40)))
        throw new Quirk('limit=20 skips or repeats rows. Clients ask for 24, 48 or 96.')
    },
  },
  {
    id: 'page: past the last',
    text: 'A page past the last one is empty, with status 200.',
    source: parameter('page'),
    async check(server) {
      const { count, results } = await server.plugins('limit=24&page=99999')
      expect(count === 0 && results.length === 0, `has ${count} listings`)
    },
  },
  {
    id: 'q: full name',
    text: 'q finds a listing by its full name, whatever the case.',
    source: parameter('q'),
    async check(server) {
      const [listing] = (await server.index()).listings
      if (listing === undefined) throw new NotTested('There are no listings.')
      const found = names(await server.plugins(`limit=96&q=${encodeURIComponent(listing.fullName.toUpperCase())}`))
      expect(found.includes(listing.fullName), `does not find ${listing.fullName}`)
    },
  },
  {
    id: 'q: narrows',
    text: 'q that no text contains finds nothing.',
    source: parameter('q'),
    async check(server) {
      const { total, count } = await server.plugins('limit=24&q=qzxjvkqzxjvk')
      expect(total === 0 && count === 0, `finds ${total}`)
    },
  },
  {
    id: 'q: literal',
    text: '% and _ in q stand for themselves.',
    source: parameter('q'),
    async check(server) {
      const { results, total } = await server.plugins('limit=24&q=%25_%25')
      const all = await server.plugins('limit=24')
      const isWildcard =
        total > 0 &&
        (total === all.total || !results.some((record) => textsOf(record).some((text) => text.includes('%_%'))))
      if (isWildcard) throw new Quirk('% and _ are wildcards. Clients compare what they find.')
    },
  },
  {
    id: 'category: filters',
    text: 'category gives the listings of that category only.',
    source: parameter('category'),
    async check(server) {
      const { listings } = await server.index()
      const id = listings.find((listing) => listing.category)?.category
      if (id == null) throw new NotTested('No listing has a category.')
      const page = await server.plugins(`limit=24&category=${encodeURIComponent(id)}`)
      const expected = listings.filter((listing) => listing.category === id).length
      expect(page.total === expected, `category=${id} gives ${page.total} listings; the index has ${expected}`)
      expectEach(page.results, (record) =>
        record.category === id ? null : `${record.fullName} has the category ${record.category}, not ${id}`,
      )
    },
  },
  {
    id: 'category: unknown',
    text: 'An unknown category has no listings, with status 200.',
    source: parameter('category'),
    async check(server) {
      const { total } = await server.plugins('limit=24&category=no-such-category')
      expect(total === 0, `gives ${total}`)
    },
  },
  {
    id: 'installCheck: filters',
    text: 'installCheck gives the listings with that verdict only.',
    source: parameter('installCheck'),
    async check(server) {
      const [passed, failed, all] = [
        await server.plugins('limit=24&installCheck=passed'),
        await server.plugins('limit=24&installCheck=failed'),
        await server.plugins('limit=24'),
      ]
      const verdicts = passed.results.map(({ installCheck }) => installCheck ?? null)
      const isIgnored = passed.total === all.total && failed.total === all.total && all.total > 0
      if (isIgnored) throw new Quirk('is ignored. Clients filter by the verdict of each record.')
      const other = passed.results.find(({ installCheck }) => installCheck != null && installCheck !== 'passed')
      expect(other === undefined, `passed gives ${other?.fullName}, which has ${other?.installCheck}`)
      const both = names(passed).filter((name) => names(failed).includes(name))
      expect(both.length === 0, `${both[0]} is both passed and failed`)
      if (verdicts.length === 0) throw new NotTested('No listing has passed.')
    },
  },
  {
    id: 'installCheck: unknown',
    text: 'An installCheck that is no verdict is ignored.',
    source: parameter('installCheck'),
    async check(server) {
      const { total } = await server.plugins('limit=24&installCheck=verified')
      const all = await server.plugins('limit=24')
      expect(total === all.total, `gives ${total} of ${all.total}`)
    },
  },
]
