import { expect, test } from 'vitest'
import { type Listing, toRecord } from '../../directory/catalogue.ts'
import type { PackageFixture, RepositoryFixture } from './fixtures.ts'
import { createCatalogue, pagePath, toListings } from './listings.ts'

const manifest = { name: 'x', dsh: {} }

const REPOSITORY: RepositoryFixture = {
  repository: 'Some-One/thing',
  description: 'Does a thing.',
  language: 'Rust',
  license: 'MIT',
  stars: 7,
  commits: 10,
  pushedAt: '2026-01-01T00:00:00.000Z',
  packages: [],
}
const listingOf = (fixture: PackageFixture): Listing => toListings([{ ...REPOSITORY, packages: [fixture] }])[0]!

test.for([
  ['lanternworks/dsh-plugin-harbor-notes', '/plugins/lanternworks-dsh-plugin-harbor-notes'],
  ['Some-One/Thing.js#a/b_c', '/plugins/some-one-thing-js-a-b-c'],
  ['a/b#插件/朗读', '/plugins/a-b'],
  ['a/b#Café/Ö', '/plugins/a-b-caf'],
])('derives the page of %s: %s', ([fullName, path]) => {
  expect(pagePath(fullName!)).toBe(path)
})

test('gives listings whose names have the same slug different pages', () => {
  const packages = [{ manifest }, { manifest, directory: '插件' }, { manifest, directory: '朗读' }]
  expect(toListings([{ ...REPOSITORY, packages }]).map(({ path }) => path)).toEqual([
    '/plugins/some-one-thing',
    '/plugins/some-one-thing--2',
    '/plugins/some-one-thing--3',
  ])
})

test('dates a catalogue now, unless an instant is given', () => {
  const before = new Date().toISOString()
  const { generated } = createCatalogue({ repositories: [] })
  expect(generated >= before && generated <= new Date().toISOString()).toBe(true)
  const given = '2026-01-02T03:04:05.006Z'
  expect(createCatalogue({ repositories: [], generated: given }).generated).toBe(given)
})

test('uses the page of a listing as its url, or its repository when it has none', () => {
  const without = listingOf({ manifest, page: false })
  expect(without.path).toBeNull()
  expect(toRecord(without, 'https://directory.test').url).toBe('https://github.com/Some-One/thing')
  expect(toRecord(listingOf({ manifest }), 'https://directory.test').url).toBe(
    'https://directory.test/plugins/some-one-thing',
  )
})

test('sets inRegistry for curated listings only, for any page or package', () => {
  for (const fixture of [{ manifest }, { manifest, page: false }, { manifest, published: 'x' }]) {
    expect(listingOf(fixture).record.inRegistry).toBe(true)
    expect(listingOf({ ...fixture, curated: false }).record.inRegistry).toBe(false)
  }
})

test('includes the subdirectory in the full name', () => {
  expect(listingOf({ manifest, directory: 'a/b' }).record).toMatchObject({
    fullName: 'Some-One/thing#a/b',
    name: 'b',
    owner: 'Some-One',
    repo: 'thing',
    subpath: 'a/b',
  })
})

test.for<[string, PackageFixture, string[]]>([
  [
    'an install script of a published package is a risk',
    { manifest: { ...manifest, scripts: ['postinstall'] }, published: 'x' },
    ['install script'],
  ],
  [
    'a build of a published package is not a risk, as its author ran it',
    { manifest: { ...manifest, scripts: ['prepare'] }, published: 'x' },
    [],
  ],
  ['a build from the repository is a risk', { manifest: { ...manifest, scripts: ['prepare'] } }, ['install script']],
  ['a terminal is a risk', { manifest, terminal: true }, ['terminal surface']],
  ['a required secret is a risk', { manifest, secrets: ['KEY'] }, ['requires credentials']],
  ['an empty list of secrets is not a risk', { manifest, secrets: [] }, []],
])('derives the risk flags of %s', ([, fixture, flags]) => {
  expect(listingOf(fixture).record.riskFlags).toEqual(flags)
})
