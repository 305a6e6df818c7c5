import { expect, test } from 'vitest'
import { createCatalogue, recordOf } from './catalogue.ts'
import type { PackageFacts, RepositoryFacts } from './facts.ts'
import type { Listing } from './listing.ts'
import { listingOf, pagePath } from './record.ts'

const manifest = { name: 'x', dsh: {} }

const REPOSITORY: RepositoryFacts = {
  repository: 'Some-One/thing',
  description: 'Does a thing.',
  language: 'Rust',
  license: 'MIT',
  stars: 7,
  commits: 10,
  pushedAt: '2026-01-01T00:00:00.000Z',
  packages: [],
}
const listingWith = (facts: PackageFacts): Listing => listingOf(REPOSITORY, facts)

test.for([
  ['lanternworks/dsh-plugin-harbor-notes', '/plugins/lanternworks-dsh-plugin-harbor-notes'],
  ['Some-One/Thing.js#a/b_c', '/plugins/some-one-thing-js-a-b-c'],
  ['a/b#插件/朗读', '/plugins/a-b'],
  ['a/b#Café/Ö', '/plugins/a-b-caf'],
])('%s has its page at %s', ([fullName, path]) => {
  expect(pagePath(fullName!)).toBe(path)
})

test('two names of the same letters have two pages', () => {
  const packages = [{ manifest }, { manifest, directory: '插件' }, { manifest, directory: '朗读' }]
  const { listings } = createCatalogue({ repositories: [{ ...REPOSITORY, packages }] })
  expect(listings.map(({ path }) => path)).toEqual([
    '/plugins/some-one-thing',
    '/plugins/some-one-thing--2',
    '/plugins/some-one-thing--3',
  ])
})

test('a catalogue is as old as it is, unless it is told a time', () => {
  const before = new Date().toISOString()
  const { generated } = createCatalogue({ repositories: [] })
  expect(generated >= before && generated <= new Date().toISOString()).toBe(true)
  const told = '2026-01-02T03:04:05.006Z'
  expect(createCatalogue({ repositories: [], generated: told }).generated).toBe(told)
})

test('a listing without a page is addressed by its repository', () => {
  const without = listingWith({ manifest, page: false })
  expect(without.path).toBeNull()
  expect(recordOf(without, 'https://directory.test').url).toBe('https://github.com/Some-One/thing')
  expect(recordOf(listingWith({ manifest }), 'https://directory.test').url).toBe(
    'https://directory.test/plugins/some-one-thing',
  )
})

test('whether a listing is of the curated registry says nothing of its page or package', () => {
  for (const facts of [{ manifest }, { manifest, page: false }, { manifest, published: 'x' }]) {
    expect(listingWith(facts).record.inRegistry).toBe(true)
    expect(listingWith({ ...facts, curated: false }).record.inRegistry).toBe(false)
  }
})

test('a subdirectory is part of the name', () => {
  expect(listingWith({ manifest, directory: 'a/b' }).record).toMatchObject({
    fullName: 'Some-One/thing#a/b',
    name: 'b',
    owner: 'Some-One',
    repo: 'thing',
    subpath: 'a/b',
  })
})

test.for<[string, PackageFacts, string[]]>([
  [
    'a script of a published package',
    { manifest: { ...manifest, scripts: ['postinstall'] }, published: 'x' },
    ['install script'],
  ],
  [
    'a build of a published package, which its author ran',
    { manifest: { ...manifest, scripts: ['prepare'] }, published: 'x' },
    [],
  ],
  ['a build from the repository', { manifest: { ...manifest, scripts: ['prepare'] } }, ['install script']],
  ['a terminal', { manifest, terminal: true }, ['terminal surface']],
  ['a secret', { manifest, secrets: ['KEY'] }, ['requires credentials']],
  ['no secret', { manifest, secrets: [] }, []],
])('risk flags of %s', ([, facts, flags]) => {
  expect(listingWith(facts).record.riskFlags).toEqual(flags)
})
