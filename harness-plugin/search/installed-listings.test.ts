import { describe, expect, test } from 'vitest'
import { aListing } from '../view/testing.ts'
import { installedListings } from './installed-listings.ts'

describe('an installed plugin', () => {
  const rows = [
    aListing('owner/repo', { npmPackage: 'some-plugin' }),
    aListing('Owner/Kite', { npmPackage: null }),
    aListing('owner/published', { npmPackage: 'published', specKey: 'github:owner/published' }),
  ]
  const installed = (dependencies: Record<string, string>, bundles = Object.keys(dependencies)) => [
    ...installedListings(rows, { name: 'web', bundles, dependencies }),
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
