import fc from 'fast-check'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { readCases } from './cases-testing.ts'
import { FullNameSchema, IndexDocumentSchema, IndexListingSchema, InstantSchema, PluginRecordSchema } from './index.ts'

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
    const isRecord = (change: object) => v.is(PluginRecordSchema, { ...RECORD, ...change })
    expect(isRecord({ riskFlags: Array(length).fill('install script') })).toBe(length === 100)
    expect(isRecord({ installOptions: Array(length).fill(option) })).toBe(length === 100)
    expect(isRecord({ blockedBuilds: Array(length).fill('esbuild') })).toBe(length === 100)
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

const isPath = (path: unknown) => v.is(IndexListingSchema.entries.path, path)

it.each([null, '/plugins/koi', '/plugins/koi-pond-2', '/plugins/Koi.pond', '/plugins/koi/edit', '/plugins/koi%20pond'])(
  'accepts %j as the path of a listing',
  (path) => {
    expect(isPath(path)).toBe(true)
  },
)

it.each([
  7,
  '',
  '/',
  '/koi',
  'plugins/koi',
  '?koi',
  '@evil.test/koi',
  '//evil.test/koi',
  'javascript:alert(1)',
  '/other/koi',
  '/plugins',
  '/plugins/',
  '/plugins//koi',
  '/plugins/koi/',
  '/plugins/..',
  '/plugins/../admin',
  '/plugins/%2e%2e/admin',
  '/plugins/%2E.',
  '/plugins/鲤鱼',
  '/plugins/koi?next=//evil.test',
  '/plugins/koi#install',
  '/plugins/koi\\pond',
  '/plugins/koi pond',
  ' /plugins/koi',
  '/plugins/koi\n',
  '/plugins/ko\ti',
  '/plugins/koi\u0000',
  '/plugins/koi"onclick',
  "/plugins/koi'",
  '/plugins/koi<b>',
  ['/plugins/koi'],
])('rejects %j as the path of a listing', (path) => {
  expect(isPath(path)).toBe(false)
})

it('accepts no path that leads out of /plugins/', () => {
  const path = fc.oneof(
    fc.stringMatching(/^[/\\@:.\t\n]{1,6}evil\.test\/$/),
    fc.stringMatching(/^\/plugins\/[a-z0-9./%?#\\-]{0,12}$/),
  )
  fc.assert(
    fc.property(path, (text) => {
      if (!isPath(text)) return
      const { origin, pathname } = new URL(`https://example.org${text}`)
      expect([origin, pathname]).toEqual(['https://example.org', text])
    }),
    { numRuns: 5000 },
  )
})
