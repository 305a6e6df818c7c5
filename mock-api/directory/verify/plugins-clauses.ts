import { LIMITS, listingKey, PAGE_SIZE, PluginRecordSchema } from '@plugmark/shared/contract'
import * as v from 'valibot'
import {
  type Clause,
  expect,
  expectEach,
  NotTested,
  names,
  PageSchema,
  PLUGINS,
  PLUGINS_SOURCE,
  parameter,
  parseBody,
  Quirk,
  schema,
  textsOf,
} from './server.ts'

/** Clauses about pages of listings and their queries. */
export const PLUGINS_CLAUSES: readonly Clause[] = [
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
