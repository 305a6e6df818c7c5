import * as v from 'valibot'
import { expect, it } from 'vitest'
import { readCases } from './cases-testing.ts'
import { FullNameSchema, IndexDocumentSchema, InstantSchema, PluginRecordSchema } from './index.ts'

it.each(['2026-08-20T00:00:00.000Z', '2028-02-29T23:59:59.999Z', '1970-01-01T00:00:00.000Z'])(
  'accepts %s as an instant',
  (text) => {
    expect(v.is(InstantSchema, text)).toBe(true)
  },
)

it.each([
  '2026-13-45T00:00:00.000Z',
  '2026-02-30T00:00:00.000Z',
  '2026-08-20T25:00:00.000Z',
  '2026-08-20T00:61:00.000Z',
  '2026-08-20',
  '2026-08-20T00:00:00.000+02:00',
  'yesterday',
  '',
])('rejects “%s” as an instant', (text) => {
  expect(v.is(InstantSchema, text)).toBe(false)
})

const RECORD = {
  fullName: 'moss/field',
  summary: null,
  summaryZh: null,
  category: null,
  stars: 0,
  license: null,
  npmPackage: null,
  installKind: 'github',
  install: null,
  installable: false,
  installOptions: [],
  riskFlags: [],
  repoUrl: 'https://github.com/moss/field',
  url: 'https://directory.example/plugins/moss-field',
}

it.each(['\u001b[31m', '\u0007', '\u0085', '\u202e', '\u200b', '\u00ad', '\ufeff', '\u2028', '\ud800'])(
  'rejects %j in an address and in a name',
  (text) => {
    expect(v.is(PluginRecordSchema, { ...RECORD, repoUrl: `https://github.com/moss${text}/field` })).toBe(false)
    expect(v.is(PluginRecordSchema, { ...RECORD, url: `https://directory.example/${text}` })).toBe(false)
    expect(v.is(FullNameSchema, `moss/field${text}`)).toBe(false)
    const document = { generated: '2026-08-20T00:00:00.000Z', count: 0, fields: ['fullName'], plugins: [] }
    expect(v.is(IndexDocumentSchema, { ...document, site: `https://directory.example/${text}` })).toBe(false)
  },
)

it('accepts addresses in other scripts', () => {
  expect(v.is(PluginRecordSchema, { ...RECORD, url: 'https://例子.example/插件/苔' })).toBe(true)
})

it('rejects a record with a list of more than 100 entries', () => {
  const option = { label: 'npm', cmd: 'dsh plugin --profile web add moss', note: '' }
  for (const length of [100, 101]) {
    const is = (change: object) => v.is(PluginRecordSchema, { ...RECORD, ...change })
    expect(is({ riskFlags: Array(length).fill('install script') })).toBe(length === 100)
    expect(is({ installOptions: Array(length).fill(option) })).toBe(length === 100)
    expect(is({ blockedBuilds: Array(length).fill('esbuild') })).toBe(length === 100)
  }
})

it.each(readCases(new URL('./cases/full-names.valid.txt', import.meta.url)))('accepts %s as a full name', (name) => {
  expect(v.is(FullNameSchema, name)).toBe(true)
})

it.each(readCases(new URL('./cases/full-names.invalid.txt', import.meta.url)))(
  'rejects “%s” as a full name',
  (name) => {
    expect(v.is(FullNameSchema, name)).toBe(false)
  },
)
