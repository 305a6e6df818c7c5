import { describe, expect, test } from 'vitest'
import { aListing } from '../view/testing.ts'
import { installedListings, listingName, listingPlace, lookAgain, withoutPrefix } from './listings.ts'

test.each<[string, string | null, string, string]>([
  ['brasswork/workshop#packages/dice', '@brasswork/dice', 'dice', 'brasswork/workshop/packages/dice'],
  ['brasswork/workshop#packages/dice', null, 'dice', 'brasswork/workshop/packages/dice'],
  ['lanternworks/harbor-notes', 'harbor-notes', 'harbor-notes', 'lanternworks'],
  ['lanternworks/harbor-notes', null, 'harbor-notes', 'lanternworks'],
  ['Lantern/Notes.dsh', '@lantern/notes', 'notes', 'Lantern/Notes.dsh'],
  ['a/b#packages/c/', null, 'c', 'a/b/packages/c/'],
  ['a/b', '@a/', 'b', 'a'],
  ['lanternworks/lantern', '@lantern/dsh', 'lantern', 'lanternworks'],
  ['brasswork/workshop#packages/client', '@brasswork/client', 'workshop', 'brasswork/workshop/packages/client'],
  ['brasswork/dsh-plugin', '@acme/plugin', 'acme', 'brasswork/dsh-plugin'],
  ['brasswork/dsh', null, 'brasswork', 'brasswork/dsh'],
  ['a/dsh-client', 'dsh-client', 'a', 'a/dsh-client'],
])('shows %s, published as %s, under the title %s and the place %s', (id, npmPackage, name, place) => {
  expect(listingName({ id, npmPackage })).toBe(name)
  expect(listingPlace({ id, npmPackage })).toBe(place)
})

describe('an installed plugin', () => {
  const rows = [
    aListing('owner/repo', { npmPackage: 'some-plugin' }),
    aListing('Owner/Kite', { npmPackage: null }),
    aListing('owner/published', { npmPackage: 'published', specKey: 'github:owner/published' }),
  ]
  const installed = (dependencies: Record<string, string>, layers = Object.keys(dependencies)) => [
    ...installedListings(rows, { layers, dependencies }),
  ]

  test.each(['^1.0.0', '1.0.0', 'latest', '>=1', '*', '1 || 2'])(
    'an installed plugin is found as a package of any range: %s',
    (range) => {
      expect(installed({ 'some-plugin': range })).toEqual(['owner/repo'])
    },
  )

  test.each(['github:owner/kite', 'owner/Kite', 'git+https://github.com/owner/kite.git'])(
    'an installed plugin is found as a repository in any spelling: %s',
    (source) => {
      expect(installed({ named: source })).toEqual(['Owner/Kite'])
    },
  )

  test('an installed plugin is found in either form of its listing, from its repository or as its package', () => {
    expect(installed({ published: 'github:owner/published' })).toEqual(['owner/published'])
    expect(installed({ published: '^1.0.0' })).toEqual(['owner/published'])
    expect(installed({ webkit: 'github:owner/repo' })).toEqual(['owner/repo'])
  })

  test('an installed plugin is neither a mere dependency nor a package of that name from another source', () => {
    expect(installed({ 'some-plugin': '^1.0.0' }, [])).toEqual([])
    expect(installed({ 'some-plugin': 'git+https://git.example/private.git' })).toEqual([])
    expect(installed({ 'some-plugin': 'github:other/repo' })).toEqual([])
  })
})

test('leaves a name without its prefixes, and never none', () => {
  const names = ['dsh-plugin-kite', 'kite-dsh', 'dsh-', 'dsh-plugin-'].map(withoutPrefix)
  expect(names).toEqual(['kite', 'kite-dsh', 'dsh-', 'plugin-'])
})

test('looks again where the clock of the last look was wrong', () => {
  const later = lookAgain({ at: 1e15, ids: ['a/one'], unseen: [] }, ['a/one', 'a/two'])
  expect(later.unseen).toEqual(['a/two'])
  expect(later.at).toBeLessThan(1e15)
})
