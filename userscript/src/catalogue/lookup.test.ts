import type { IndexListing } from '@plugmark/shared/contract'
import type { IndexStatus } from '@plugmark/shared/index-cache'
import { expect, it } from 'vitest'
import { createLinkParser } from '../github/links.ts'
import { type BadgeData, StoredBadges } from '../start/stored-badges.ts'
import { Lookup } from './lookup.ts'
import { selectListings } from './offers.ts'

const ALL = ['Lanternworks/Kites', 'Lanternworks/Kites#packages/red', 'Lanternworks/Kites#packages/red/Tail'].map(
  listing,
)

function listing(fullName: string): IndexListing {
  return { fullName, category: 'tools', install: null, path: null, npm: null }
}

/** Returns the target of a link in an issue of some repository. */
function target(href: string, of = 'wren-abbot/teapot') {
  const page = new URL(`https://github.com/${of}/issues/1`)
  const link = Object.assign(new URL(href, page), { textContent: 'kites', closest: () => null })
  return createLinkParser('prose', page)(link as unknown as HTMLAnchorElement)!
}

const named = (href: string, { of = 'wren-abbot/teapot', listings = ALL } = {}) =>
  selectListings(target(href, of), listings).map(({ fullName }) => fullName)

it('finds every listing of a repository for a link to it', () => {
  expect(named('/lanternworks/kites')).toHaveLength(3)
})

it.each([
  ['/lanternworks/kites/tree/main/packages/red', 'Lanternworks/Kites#packages/red'],
  ['/lanternworks/kites/tree/main/packages/red/tail', 'Lanternworks/Kites#packages/red/Tail'],
  ['/lanternworks/kites/blob/main/packages/red', 'Lanternworks/Kites#packages/red'],
])('finds the listing of the subdirectory for %s', (href, fullName) => {
  expect(named(href)).toEqual([fullName])
})

it('finds the root for a subdirectory without a listing, and nothing when the root has none or on its own pages', () => {
  expect(named('/lanternworks/kites/tree/main/docs')).toEqual(['Lanternworks/Kites'])
  expect(named('/a/b/tree/main/packages/theme', { listings: [listing('a/b#packages/memory')] })).toEqual([])
  expect(named('/lanternworks/kites/tree/main')).toHaveLength(3)
  expect(named('/lanternworks/kites/tree/main/docs', { of: 'lanternworks/kites' })).toEqual([])
  expect(named('/lanternworks/kites/blob/main/undefined')).toEqual([])
})

it('distinguishes subdirectories that differ only in case', () => {
  const listings = [listing('a/b#packages/Foo'), listing('a/b#packages/foo')]
  expect(named('/a/b/tree/main/packages/foo', { listings })).toEqual(['a/b#packages/foo'])
  expect(named('/a/b/tree/main/packages/Foo', { listings })).toEqual(['a/b#packages/Foo'])
  expect(named('/a/b/tree/main/packages/FOO', { listings })).toEqual([])
})

it('treats a line break in a path as a character like any other', () => {
  expect(named('/lanternworks/kites/blob/main/one%0Atwo')).toEqual([])
  expect(named('/lanternworks/kites/tree/one%0Atwo/packages/red')).toEqual(['Lanternworks/Kites#packages/red'])
})

it('finds nothing for a path that only ends like that of a listing', () => {
  const listings = [listing('a/b#red')]
  for (const href of ['/a/b/blob/main/examples/red', '/a/b/tree/main/red/examples/red']) {
    expect(named(href, { listings, of: 'a/b' }), href).toEqual([])
  }
  expect(named('/a/b/blob/main/red', { listings, of: 'a/b' })).toEqual(['a/b#red'])
})

const STATUS = { generated: '2026-08-20T00:00:00.000Z' } as IndexStatus

function setUp(options: { cached?: BadgeData | null; index?: string | null } = {}) {
  const asked: string[][] = []
  const index = {
    async byRepositories(repositories: Iterable<string>) {
      asked.push([...repositories])
      return new Map(options.index === null ? [] : [['lanternworks/kites', ALL]])
    },
    status: async () => ({ ...STATUS, generated: options.index === null ? null : STATUS.generated }),
  }
  class Cached extends StoredBadges {
    override lookup = () => options.cached
  }
  return { lookup: new Lookup(new Cached({ key: '', cli: () => 'dsh' }), index, () => 'dsh'), asked }
}

it('asks the index once for each repository, and gives no badge to links without a listing', async () => {
  const { lookup, asked } = setUp()
  const kites = target('/lanternworks/kites')
  const docs = target('/lanternworks/kites/tree/main/docs')
  const red = target('/lanternworks/kites/tree/main/packages/red')
  await lookup.badges([kites, target('/lanternworks/kites/blob/main/docs'), docs, red, target('/a/b')])
  expect(asked).toEqual([['lanternworks/kites', 'a/b']])
  expect(lookup.badgeSync(target('/lanternworks/kites/blob/main/docs'))).toBeNull()
  expect(lookup.badgeSync(target('/a/b'))).toBeNull()
  expect(lookup.badgeSync(docs)).toMatchObject({ count: 1 })
  expect(lookup.badgeSync(kites)).toMatchObject({ category: 'tools', count: 3 })
  expect(lookup.badgeSync(red)).toMatchObject({ count: 1, fullName: 'Lanternworks/Kites#packages/red' })
})

it('throws when there is no index, instead of answering that nothing is listed', async () => {
  const { lookup } = setUp({ index: null })
  await expect(lookup.badges([target('/a/b')])).rejects.toThrow('no index')
  await expect(lookup.listings(target('/a/b'))).rejects.toThrow('no index')
})

it('answers from the badge cache for a repository, and for a path when the root is the only listing', () => {
  const one: BadgeData = { category: 'tools', count: 1, action: 'copy', isRoot: false }
  const tree = target('/a/b/tree/main/x')
  expect(setUp({ cached: one }).lookup.badgeSync(target('/a/b'))).toBe(one)
  expect(setUp({ cached: one }).lookup.badgeSync(target('/a/b/tree/main'))).toBe(one)
  expect(setUp({ cached: one }).lookup.badgeSync(tree)).toBeUndefined()
  const root = { ...one, isRoot: true }
  expect(setUp({ cached: root }).lookup.badgeSync(tree)).toBe(root)
  expect(setUp({ cached: root }).lookup.badgeSync(target('/a/b/blob/main/x'))).toBeNull()
  expect(setUp({ cached: one }).lookup.badgeSync(target('/a/b/blob/main'))).toBeNull()
  expect(setUp({ cached: one }).lookup.badgeSync(target('/a/b/blob/main/x'))).toBeUndefined()
  expect(setUp({ cached: null }).lookup.badgeSync(tree)).toBeNull()
  expect(setUp().lookup.badgeSync(target('/a/b'))).toBeUndefined()
})

it('reads listings once until there is a newer index', async () => {
  const { lookup, asked } = setUp()
  const kites = target('/lanternworks/kites')
  expect(await lookup.listings(kites)).toEqual(ALL)
  await lookup.listings(kites)
  expect(asked).toHaveLength(1)
  lookup.reset()
  await lookup.listings(kites)
  expect(asked).toHaveLength(2)
})
