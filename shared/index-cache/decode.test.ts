import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { IndexListingSchema } from '../contract/index.ts'
import { decodeIndex, rejectedRows } from './decode.ts'

const document = {
  generated: '2026-09-01T00:00:00.000Z',
  count: 1,
  site: 'https://directory.example',
  fields: ['fullName', 'category', 'install', 'path', 'npm'],
  plugins: [['Lantern/Works', 'tools', 'dsh plugin --profile web add works', '/plugins/works', 'works']] as unknown[],
}
const works = {
  fullName: 'Lantern/Works',
  category: 'tools',
  install: 'dsh plugin --profile web add works',
  path: '/plugins/works',
  npm: 'works',
}

describe('the columns', () => {
  test('the columns are read by name, in any order, and unknown ones are ignored', async () => {
    const fields = ['npm', 'stars', 'path', 'install', 'fullName', 'category']
    const plugins = [[works.npm, 7, works.path, works.install, works.fullName, works.category, 'beyond']]
    const { listings } = await decodeIndex({ ...document, fields, plugins })
    expect(listings).toEqual([works])
  })

  test('the columns are null in every row when they are absent, and are named', async () => {
    const { listings, missingFields } = await decodeIndex({ ...document, fields: ['fullName'], plugins: [['a/b']] })
    expect(listings).toEqual([{ fullName: 'a/b', category: null, install: null, path: null, npm: null }])
    expect(missingFields).toEqual(['category', 'install', 'path', 'npm'])
  })

  test('must include fullName', async () => {
    await expect(decodeIndex({ ...document, fields: ['category'] })).rejects.toThrow('fields: fields names fullName')
  })
})

describe('the rows', () => {
  test('the rows keep null and unknown categories', async () => {
    const plugins = [
      ['a/one', null, null, null, null],
      ['a/two', 'category of next year', null, null, null],
    ]
    const { listings } = await decodeIndex({ ...document, plugins })
    expect(listings.map(({ category }) => category)).toEqual([null, 'category of next year'])
  })

  test('the rows count once for each repository and path, whatever the spelling of the repository', async () => {
    const names = ['Lower/repo', 'lower/Repo', 'lower/repo#One', 'Lower/repo#One', 'lower/repo#one']
    const plugins = names.map((name) => [name, null, null, null, null])
    const index = await decodeIndex({ ...document, count: 5, plugins })
    expect(index.listings.map(({ fullName }) => fullName)).toEqual(['Lower/repo', 'lower/repo#One', 'lower/repo#one'])
    expect(rejectedRows(index)).toBe(2)
  })

  test('may have the names of members that every object has', async () => {
    const names = ['__proto__/toString', 'constructor/prototype', 'hasOwnProperty/valueOf']
    const plugins = names.map((name) => [name, '__proto__', null, null, null])
    const { listings } = await decodeIndex({ ...document, plugins })
    expect(listings.map(({ fullName }) => fullName)).toEqual(names)
    expect(listings.every((row) => Object.getPrototypeOf(row) === Object.prototype)).toBe(true)
  })

  test.each([
    ['a name without owner', ['works', null, null, null, null]],
    ['a name with white space', ['a/b c', null, null, null, null]],
    ['no name', [null, null, null, null, null]],
    ['a number for text', ['a/b', 1, null, null, null]],
    ['too few columns', ['a/b', null]],
    ['an object', { fullName: 'a/b' }],
    ['null', null],
    ['a text of 20,001 characters', ['a/b', 'x'.repeat(20_001), null, null, null]],
  ])('the rows are dropped and counted when they have %s', async (_, bad) => {
    const index = await decodeIndex({ ...document, count: 2, plugins: [bad, ...document.plugins] })
    expect(index.listings).toEqual([works])
    expect(rejectedRows(index)).toBe(1)
  })

  test('the rows are all there, in order, when there are more than a thousand', async () => {
    const plugins = Array.from({ length: 2_500 }, (_, i) => [`a/${i}`, null, null, null, null])
    const { listings } = await decodeIndex({ ...document, plugins })
    expect(listings.map(({ fullName }) => fullName)).toEqual(plugins.map(([name]) => name))
  })

  test('the rows become listings of the contract, or are dropped, whatever they contain', async () => {
    const value = fc.oneof(fc.constantFrom('a/b', 'A/b#c', null), fc.anything())
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.array(value, { maxLength: 6 }), fc.anything())), async (plugins) => {
        const index = await decodeIndex({ ...document, plugins })
        for (const listing of index.listings) v.assert(v.strictObject(IndexListingSchema.entries), listing)
        expect(index.received).toBe(plugins.length)
      }),
    )
  })
})

describe('a document', () => {
  test.each([
    ['https://Directory.example', 'https://directory.example'],
    ['https://Directory.example/', 'https://directory.example'],
    ['https://directory.example/Some/path/', 'https://directory.example/Some/path'],
    ['https://directory.example/dir?from=index#top', 'https://directory.example/dir'],
  ])('names the base address of its pages: %s', async (site, address) => {
    expect((await decodeIndex({ ...document, site })).site).toBe(address)
  })

  test.each([
    ['null', null, 'document'],
    ['a page of HTML', '<!doctype html>', 'document'],
    ['rows without head', [], 'generated'],
    ['a date without time', { ...document, generated: '2026-09-01' }, 'generated'],
    ['a negative count', { ...document, count: -1 }, 'count'],
    ['a script for a site', { ...document, site: 'javascript:alert(1)' }, 'site'],
    ['half an address for a site', { ...document, site: 'https://[' }, 'site'],
    ['no rows', { ...document, plugins: null }, 'plugins'],
  ])('a document is refused when it is %s', async (_, body, where) => {
    await expect(decodeIndex(body)).rejects.toThrow(`Not an index document: ${where}`)
  })
})
