import {
  DEFAULTS,
  INDEX_FIELDS,
  INDEX_FRESH_MS,
  IndexListingSchema,
  LIMITS,
  listingKey,
  PAGE_SIZE,
  type PluginRecord,
  PluginRecordSchema,
} from '@plugmark/shared/contract'
import { contractMessages } from '@plugmark/shared/i18n'
import { bindInstall } from '@plugmark/shared/install'
import * as v from 'valibot'
import { CACHE_CONTROL } from '../../api/api.ts'
import {
  CLIENT_LIMIT_MS,
  type Endpoint,
  INDEX,
  NotTested,
  nameOf,
  PLUGINS,
  Quirk,
  type Server,
  Violation,
} from './server.ts'

/** One statement of the contract. */
export interface Clause {
  readonly id: string
  readonly text: string
  /** Part of openapi.yaml that contains it. */
  readonly source: string
  /** @throws {Quirk | Violation | NotTested} */
  check(server: Server): Promise<void>
}

const INDEX_SOURCE = '#/paths/~1api~1v1~1index/get'
const PLUGINS_SOURCE = '#/paths/~1api~1v1~1plugins/get'
const parameter = (name: string) => `#/components/parameters/${name}`
const schema = (name: string, property?: string) =>
  `#/components/schemas/${name}${property ? `/properties/${property}` : ''}`

function expect(holds: boolean, message: string): void {
  if (!holds) throw new Violation(message)
}

/**
 * Throws when items have a problem, with the first one and their number. Skips listings whose fault is reported already.
 *
 * @param problem returns the problem of an item, or null
 */
function expectEach<T>({ faulty }: Server, items: readonly T[], problem: (item: T, at: number) => string | null): void {
  const problems = items.map((item, at) => (faulty.has(nameOf(item, at)) ? null : problem(item, at)))
  const found = problems.filter((text) => text !== null)
  if (found[0] === undefined) return
  for (const [at, text] of problems.entries()) if (text !== null) faulty.add(nameOf(items[at], at))
  throw new Violation(found.length === 1 ? found[0] : `${found[0]} (and ${found.length - 1} more)`)
}

/** Returns all faults of a row by its schema, or null. */
function schemaFaults(of: v.GenericSchema, row: unknown): string | null {
  const issues = v.safeParse(of, row).issues ?? []
  return issues.length === 0
    ? null
    : issues.map((issue) => `${v.getDotPath(issue) ?? 'row'}: ${issue.message}`).join('; ')
}

/** Returns why a command does not install its listing, or null. */
function installFault(listing: { readonly install: string | null }): string | null {
  if (listing.install === null) return null
  const bound = bindInstall(listing, { cli: DEFAULTS.cli })
  return bound.ok ? null : `${contractMessages('en').reason(bound.reason)}: ${listing.install}`
}

const httpClauses = (path: Endpoint, source: string, cacheControl: string): Clause[] => [
  {
    id: `${path}: redirect`,
    text: `${path} answers at its own address.`,
    source,
    async check(server) {
      await server.ask(path)
      const target = server.redirectOf(path)
      if (target !== null) throw new Quirk(`redirects to ${target}. Clients follow it.`)
    },
  },
  {
    id: `${path}: time`,
    text: `${path} answers within ${CLIENT_LIMIT_MS / 1000} seconds.`,
    source,
    async check({ ask }) {
      const { tookMs } = await ask(path)
      expect(tookMs <= CLIENT_LIMIT_MS, `takes ${(tookMs / 1000).toFixed(1)} s. Clients give up.`)
    },
  },
  {
    id: `${path}: size`,
    text: `${path} answers with at most ${LIMITS.bodyBytes.toLocaleString('en')} bytes, decompressed.`,
    source,
    // The server reads no more than that.
    async check({ ask }) {
      await ask(path)
    },
  },
  {
    id: `${path}: JSON`,
    text: `${path} answers with JSON.`,
    source,
    async check({ ask }) {
      const type = (await ask(path)).headers.get('content-type') ?? 'none'
      expect(/^application\/json\b/.test(type), `has the content type ${type}`)
    },
  },
  {
    id: `${path}: CORS`,
    text: `${path} can be read by a page of any origin.`,
    source: '#/components/headers/Access-Control-Allow-Origin',
    async check({ ask }) {
      const allowed = (await ask(path)).headers.get('access-control-allow-origin')
      expect(allowed === '*', `has Access-Control-Allow-Origin: ${allowed ?? 'none'}`)
    },
  },
  {
    id: `${path}: Cache-Control`,
    text: `${path} says for how long it may be cached.`,
    source: `${source}/responses/200/headers/Cache-Control`,
    async check({ ask }) {
      const value = (await ask(path)).headers.get('cache-control') ?? 'none'
      const ages = [...value.matchAll(/\b(?:s-)?max-?age=(\d+)/gi)].map(([, seconds]) => 1000 * Number(seconds))
      expect(ages.length > 0, `has Cache-Control: ${value}, without a max-age such as that of ${cacheControl}`)
      if (Math.max(...ages) > INDEX_FRESH_MS)
        throw new Quirk(
          `has Cache-Control: ${value}. Clients ask every ${INDEX_FRESH_MS / 3_600_000} hours, and get old data.`,
        )
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
      const { status, text } = await ask(path, '', { 'if-none-match': etag })
      if (status === 200) throw new Quirk('ignores If-None-Match. Clients download it whole.')
      expect(status === 304 && text === '', `answers If-None-Match with status ${status} and ${text.length} characters`)
      if (!/\betag\b/i.test(headers.get('access-control-expose-headers') ?? ''))
        throw new Quirk('does not let pages read the ETag. Clients do not need it.')
    },
  },
]

const INDEX_CLAUSES: readonly Clause[] = [
  {
    id: 'index: document',
    text: 'The index has generated, count, site, fields and plugins, as the schema says.',
    source: schema('IndexDocument'),
    async check(server) {
      await server.index()
    },
  },
  {
    id: 'index: fields',
    text: `The index has the columns ${INDEX_FIELDS.join(', ')}.`,
    source: schema('IndexDocument', 'fields'),
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
    text: 'Every row of the index is a listing: a full name, a path below /plugins/, and text or null in each other column.',
    source: schema('IndexRow'),
    async check(server) {
      expectEach(server, (await server.index()).rows, (row, at) => {
        const faults = schemaFaults(IndexListingSchema, row)
        return faults && `row ${at}: ${faults}: ${JSON.stringify(Object.values(row))}`
      })
    },
  },
  {
    id: 'index: one row for each listing',
    text: 'The index has one row for each full name, in any spelling of owner and repository.',
    source: schema('IndexRow'),
    async check(server) {
      const seen = new Map<string, string>()
      expectEach(server, (await server.index()).listings, ({ fullName }) => {
        const key = listingKey(fullName)
        const before = seen.get(key)
        seen.set(key, fullName)
        return before === undefined ? null : `lists both ${before} and ${fullName}`
      })
    },
  },
  {
    id: 'index: no placeholders',
    text: 'Install and npm are null when there is nothing to say, and never empty.',
    source: `${schema('IndexRow')}/prefixItems/2`,
    async check(server) {
      expectEach(server, (await server.index()).listings, ({ fullName, install, npm }) =>
        install === '' || npm === '' ? `${fullName} has an empty ${install === '' ? 'install' : 'npm'}` : null,
      )
    },
  },
  {
    id: 'index: install',
    text: 'Every install command has the accepted form, and installs its own listing; one in a subdirectory by its package.',
    source: `${schema('IndexRow')}/prefixItems/2`,
    async check(server) {
      expectEach(server, (await server.index()).listings, (listing) => {
        const fault = installFault(listing)
        return fault && `${listing.fullName}: ${fault}`
      })
    },
  },
]

const PAGE_CLAUSES: readonly Clause[] = [
  {
    id: 'plugins: envelope',
    text: 'A page has total, count and results, and count is the number of results.',
    source: schema('PluginsPage'),
    async check(server) {
      const { count, rows } = await server.page('limit=24')
      expect(count === rows.length, `says ${count} and has ${rows.length} results`)
    },
  },
  {
    id: 'plugins: records',
    text: 'Every result is a record as the schema says; installable is true exactly when install is not null, and install installs the listing.',
    source: schema('PluginRecord'),
    async check(server) {
      expectEach(server, (await server.page('limit=24')).rows, (row, at) => {
        const faults = schemaFaults(PluginRecordSchema, row) ?? installFault(row as PluginRecord)
        return faults && `result ${at}: ${faults}`
      })
    },
  },
  {
    id: 'plugins: total',
    text: 'Without a filter, the total is the number of listings in the index.',
    source: schema('PluginsPage', 'total'),
    async check(server) {
      const { total } = await server.page('limit=24')
      const names = new Set((await server.index()).rows.map(nameOf))
      expect(total === names.size, `says ${total}, and the index has ${names.size} listings`)
    },
  },
  {
    id: 'plugins: same as the index',
    text: 'A record says the same as its row of the index: category, command, package and page.',
    source: PLUGINS_SOURCE,
    async check(server) {
      const { listings, document } = await server.index()
      const rows = new Map(listings.map((listing) => [listingKey(listing.fullName), listing]))
      expectEach(server, (await server.page('limit=24')).records, (record) => {
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
      const { records } = await server.page('limit=24')
      const wrong = records.find((record, at) => record.stars > (records[at - 1]?.stars ?? Number.POSITIVE_INFINITY))
      expect(wrong === undefined, `${wrong?.fullName} has more stars than the listing before it`)
    },
  },
]

const PAST_THE_LAST = 'limit=24&page=99999'

const PARAMETERS_CLAUSE: Clause = {
  id: 'plugins: parameters',
  text: 'The parameters of a query change its answer.',
  source: PLUGINS_SOURCE,
  async check(server) {
    const all = await server.page()
    // The clauses about pages say so where this fails.
    const past = await server.page(PAST_THE_LAST).catch(() => null)
    if (past !== null && past.rows.length > 0 && String(past.names) === String(all.names))
      throw new Quirk('are ignored. Clients compare what they get, and download every record each time.')
  },
}

/** Clauses about the parameters, which a server that ignores them all cannot hold. */
const PARAMETER_CLAUSES = (
  [
    {
      id: 'limit: default',
      text: `Without limit, a page has at most ${PAGE_SIZE.default} listings.`,
      source: parameter('limit'),
      async check(server) {
        const { rows, total } = await server.page()
        expect(rows.length === Math.min(total, PAGE_SIZE.default), `has ${rows.length} of ${total}`)
      },
    },
    ...[...LIMITS.safePageSizes, PAGE_SIZE.max].map(
      (limit): Clause => ({
        id: `limit: ${limit}`,
        text: `limit=${limit} gives ${limit} listings, if there are so many.`,
        source: parameter('limit'),
        async check(server) {
          const { rows, total } = await server.page(`limit=${limit}`)
          const wanted = Math.min(total, limit)
          if (limit === PAGE_SIZE.max && rows.length === Math.min(total, 96) && rows.length !== wanted)
            throw new Quirk('gives 96. Clients ask for 24, 48 or 96.')
          expect(rows.length === wanted, `gives ${rows.length} of ${total}`)
        },
      }),
    ),
    {
      id: 'limit: out of range',
      text: 'A limit that is not a whole number from 1 counts as absent, and more than 100 as 100.',
      source: parameter('limit'),
      async check(server) {
        const first = String((await server.page()).names)
        for (const limit of ['0', 'many', '-4', '1.5']) {
          const { status } = await server.ask(PLUGINS, `?limit=${limit}`)
          if (status !== 200) throw new Quirk(`limit=${limit} gives status ${status}. Clients never send it.`)
          if (String((await server.page(`limit=${limit}`)).names) !== first)
            throw new Quirk(`limit=${limit} gives other rows than no limit. Clients never send it.`)
        }
      },
    },
    {
      id: 'page: next',
      text: 'Page 2 begins where page 1 ends.',
      source: parameter('page'),
      async check(server) {
        const [first, second] = [await server.page('limit=24&page=1'), await server.page('limit=24&page=2')]
        const wanted = Math.min(24, Math.max(0, first.total - 24))
        expect(second.rows.length === wanted, `page 2 has ${second.rows.length} listings, not ${wanted}`)
        const both = new Set(first.names)
        const twice = second.names.filter((name) => both.has(name))
        if (twice.length > 0) throw new Quirk(`${twice.join(', ')} come twice. Clients remove duplicates.`)
      },
    },
    {
      id: 'page: any limit',
      text: 'Page 2 begins where page 1 ends, with any limit.',
      source: parameter('page'),
      async check(server) {
        if (server.found.has('plugins: order')) throw new NotTested('See “plugins: order”.')
        const [long, short] = [await server.page('limit=48'), await server.page('limit=20&page=2')]
        if (long.total <= 24) throw new NotTested('There are too few listings.')
        if (String(short.names) !== String(long.names.slice(20, 40)))
          throw new Quirk('limit=20 skips or repeats rows. Clients ask for 24, 48 or 96.')
      },
    },
    {
      id: 'page: past the last',
      text: 'A page past the last one is empty, with status 200.',
      source: parameter('page'),
      async check(server) {
        const { rows } = await server.page(PAST_THE_LAST)
        expect(rows.length === 0, `has ${rows.length} listings`)
      },
    },
    {
      id: 'q: full name',
      text: 'q finds a listing by its full name, in any case.',
      source: parameter('q'),
      async check(server) {
        const listing = (await server.index()).listings.find((one) => !server.faulty.has(nameOf(one, 0)))
        if (listing === undefined) throw new NotTested('There are no listings.')
        const { names } = await server.page(`limit=96&q=${encodeURIComponent(listing.fullName.toUpperCase())}`)
        expect(names.includes(listing.fullName), `does not find ${listing.fullName}`)
      },
    },
    {
      id: 'q: narrows',
      text: 'q that no listing contains finds nothing.',
      source: parameter('q'),
      async check(server) {
        const { total, rows } = await server.page('limit=24&q=qzxjvkqzxjvk')
        expect(total === 0 && rows.length === 0, `finds ${total}`)
      },
    },
    {
      id: 'q: literal',
      text: '% and _ in q stand for themselves.',
      source: parameter('q'),
      async check(server) {
        const { records, total } = await server.page('limit=24&q=%25_%25')
        const all = await server.page('limit=24')
        const contains = ({ fullName, name, summary, summaryZh, npmPackage }: PluginRecord) =>
          [fullName, name, summary, summaryZh, npmPackage].some((text) => text?.includes('%_%'))
        if (total > 0 && (total === all.total || !records.some(contains)))
          throw new Quirk('% and _ are wildcards. Clients compare what they find.')
      },
    },
    {
      id: 'category: filters',
      text: 'category gives the listings of that category only.',
      source: parameter('category'),
      async check(server) {
        const { rows } = await server.index()
        const wrong = new Set(rows.flatMap((row, at) => (server.faulty.has(nameOf(row, at)) ? row.category : [])))
        const id = (await server.page('limit=24')).records.find(
          (record) => record.category && !wrong.has(record.category) && !server.faulty.has(nameOf(record, 0)),
        )?.category
        if (id == null) throw new NotTested('No listing without a fault has a category.')
        const page = await server.page(`limit=24&category=${encodeURIComponent(id)}`)
        const expected = new Set(rows.flatMap((row, at) => (row.category === id ? nameOf(row, at) : []))).size
        expect(page.total === expected, `category=${id} gives ${page.total} listings; the index has ${expected}`)
        expectEach(server, page.records, (record) =>
          record.category === id ? null : `${record.fullName} has the category ${record.category}, not ${id}`,
        )
      },
    },
    {
      id: 'category: unknown',
      text: 'An unknown category has no listings, with status 200.',
      source: parameter('category'),
      async check(server) {
        const { total } = await server.page('limit=24&category=no-such-category')
        expect(total === 0, `gives ${total}`)
      },
    },
    {
      id: 'installCheck: filters',
      text: 'installCheck gives the listings with that verdict only.',
      source: parameter('installCheck'),
      async check(server) {
        const [passed, failed, all] = [
          await server.page('limit=24&installCheck=passed'),
          await server.page('limit=24&installCheck=failed'),
          await server.page('limit=24'),
        ]
        const isIgnored = passed.total === all.total && failed.total === all.total && all.total > 0
        if (isIgnored) throw new Quirk('is ignored. Clients filter by the verdict of each record.')
        const other = passed.records.find(({ installCheck }) => installCheck != null && installCheck !== 'passed')
        expect(other === undefined, `passed gives ${other?.fullName}, which has ${other?.installCheck}`)
        const both = passed.names.filter((name) => failed.names.includes(name))
        expect(both.length === 0, `${both[0]} is both passed and failed`)
        if (passed.rows.length === 0) throw new NotTested('No listing has passed.')
      },
    },
    {
      id: 'installCheck: unknown',
      text: 'An installCheck that is not a verdict is ignored.',
      source: parameter('installCheck'),
      async check(server) {
        const { total } = await server.page('limit=24&installCheck=verified')
        const all = await server.page('limit=24')
        expect(total === all.total, `gives ${total} of ${all.total}`)
      },
    },
  ] satisfies Clause[]
).map(
  (clause: Clause): Clause => ({
    ...clause,
    async check(server) {
      if (server.found.has(PARAMETERS_CLAUSE.id)) throw new NotTested(`See “${PARAMETERS_CLAUSE.id}”.`)
      await clause.check(server)
    },
  }),
)

/** Every clause that two GET endpoints can be tested for. Causes come before what follows from them. */
export const CLAUSES: readonly Clause[] = [
  ...httpClauses(INDEX, INDEX_SOURCE, CACHE_CONTROL.index),
  ...INDEX_CLAUSES,
  ...httpClauses(PLUGINS, PLUGINS_SOURCE, CACHE_CONTROL.plugins),
  ...PAGE_CLAUSES,
  PARAMETERS_CLAUSE,
  ...PARAMETER_CLAUSES,
]
