import type { IndexListing } from '@plugmark/shared/contract'
import { expect, it } from 'vitest'
import { listingsOfTarget, lookUpTargets } from '../plugins/listings-of-target.ts'
import { createTargets, repositoryOfTarget } from './target.ts'

const listing = (fullName: string) => ({ fullName }) as IndexListing

const ALL = ['Lanternworks/Kites', 'Lanternworks/Kites#packages/red', 'Lanternworks/Kites#packages/red/Tail'].map(
  listing,
)

const named = (target: string, listings = ALL) => listingsOfTarget(target, listings).map(({ fullName }) => fullName)

const PAGE = 'https://github.com/lanternworks/kites/issues/1'
const targetOf = (linkStyle: 'list' | 'prose', written: string) =>
  createTargets(
    linkStyle,
    new URL(PAGE),
  )({
    getAttribute: () => written,
    href: new URL(written, PAGE).href,
    textContent: 'kites',
    closest: () => null,
  } as unknown as HTMLAnchorElement)

it.each([
  ['/a/b', 'a/b', 'a/b'],
  ['/a/b/tree/main/red', null, 'a/b/tree/main/red'],
  // What may be a file counts only when it is a listing itself.
  ['/a/b/blob/main/red', null, 'a/b#main/red'],
  ['/lanternworks/kites', 'lanternworks/kites', null],
  ['/lanternworks/kites/tree/main/red', null, 'lanternworks/kites#main/red'],
  ['/A/B/?tab=readme#top', 'a/b', 'a/b'],
  ['https://github.com/a/b', 'a/b', 'a/b'],
  // In another spelling of the code host: none of its lists has that.
  ['http://github.com/a/b', null, 'a/b'],
  ['../../../../a/b', 'a/b', 'a/b'],
  ['//elsewhere.example/a/b', null, null],
  ['//a/b', null, null],
])('%s is %s in a list and %s in prose of lanternworks/kites', (href, inList, inProse) => {
  expect([targetOf('list', href), targetOf('prose', href)]).toEqual([inList, inProse])
})

it.each([
  ['lanternworks/kites', 'lanternworks/kites'],
  ['lanternworks/kites/tree/main/packages/red', 'lanternworks/kites'],
  ['lanternworks/kites#main/packages/red', 'lanternworks/kites'],
])('%s is in %s', (target, repository) => {
  expect(repositoryOfTarget(target)).toBe(repository)
})

it('stands for every listing of its repository', () => {
  expect(named('lanternworks/kites')).toHaveLength(3)
})

it.each([
  ['lanternworks/kites/tree/main/packages/red', 'Lanternworks/Kites#packages/red'],
  ['lanternworks/kites/tree/feature/strings/packages/red', 'Lanternworks/Kites#packages/red'],
  ['lanternworks/kites/tree/main/packages/red/tail', 'Lanternworks/Kites#packages/red/Tail'],
  ['lanternworks/kites#main/packages/red', 'Lanternworks/Kites#packages/red'],
])('%s stands for the listing of that subdirectory', (target, fullName) => {
  expect(named(target)).toEqual([fullName])
})

it('a subdirectory that is no listing stands for its repository, or for nothing on its own pages', () => {
  expect(named('lanternworks/kites/tree/main/docs')).toHaveLength(3)
  expect(named('lanternworks/kites/tree/main')).toHaveLength(3)
  expect(named('lanternworks/kites#main/docs')).toEqual([])
  expect(named('lanternworks/kites#main/undefined')).toEqual([])
})

it('a line break in a path is a character like any other', () => {
  expect(targetOf('prose', '/a/b/blob/main/one%0Atwo')).toBe('a/b#main/one\ntwo')
  expect(named('lanternworks/kites#main/one\ntwo')).toEqual([])
  expect(named('lanternworks/kites#one\ntwo/packages/red')).toEqual(['Lanternworks/Kites#packages/red'])
  expect(named('lanternworks/kites/tree/one\ntwo/packages/red')).toEqual(['Lanternworks/Kites#packages/red'])
})

it('prefers the deepest of two listings whose paths end alike', () => {
  const two = ['a/b#red', 'a/b#packages/red'].map(listing)
  expect(named('a/b/tree/main/packages/red', two)).toEqual(['a/b#packages/red'])
})

it('asks for each repository once and leaves out targets without listings', async () => {
  const targets = ['lanternworks/kites', 'lanternworks/kites#main/docs', 'lanternworks/kites/tree/main/docs', 'a/b']
  const asked: string[][] = []
  const found = await lookUpTargets(targets, async (repositories) => {
    asked.push([...repositories])
    return new Map([['lanternworks/kites', ALL]])
  })
  expect(asked).toEqual([['lanternworks/kites', 'a/b']])
  expect([...found.keys()]).toEqual(['lanternworks/kites', 'lanternworks/kites/tree/main/docs'])
})
