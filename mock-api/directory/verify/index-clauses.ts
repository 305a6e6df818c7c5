import { DEFAULTS, INDEX_FIELDS, IndexListingSchema, listingKey, nameParts } from '@plugmark/shared/contract'
import { bindInstall } from '@plugmark/shared/install'
import * as v from 'valibot'
import { type Clause, cell, expect, expectEach, PLUGINS_SOURCE, schema } from './server.ts'

/** Clauses about the index document. */
export const INDEX_CLAUSES: readonly Clause[] = [
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
]
