import { expect, test } from 'vitest'
import { recordOf } from './catalogue.ts'
import { listingsOf } from './derive.ts'
import type { PackageFacts, RepositoryFacts } from './facts.ts'
import type { Listing } from './listing.ts'
import { pagePath } from './record.ts'

const manifest = { name: 'x', dsh: {} }

function listingWith(facts: PackageFacts): Listing {
  const repository: RepositoryFacts = {
    repository: 'Some-One/thing',
    description: 'Does a thing.',
    language: 'Rust',
    license: 'MIT',
    stars: 7,
    commits: 10,
    pushedAt: '2026-01-01T00:00:00.000Z',
    packages: [facts],
  }
  const [listing] = listingsOf([repository])
  return listing!
}

test.for([
  ['lanternworks/dsh-plugin-harbor-notes', '/plugins/lanternworks-dsh-plugin-harbor-notes'],
  ['Some-One/Thing.js#a/b_c', '/plugins/some-one-thing-js-a-b-c'],
  ['a/b#插件/朗读', '/plugins/a-b-插件-朗读'],
])('%s has its page at %s', ([fullName, path]) => {
  expect(pagePath(fullName!)).toBe(path)
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
