import { describe, expect, test } from 'vitest'
import { aListing } from '../testing.ts'
import { installedListings } from './layers.ts'

describe('what is installed', () => {
  const profile = (dependencies: Record<string, string>, bundles = Object.keys(dependencies)) => ({
    name: 'web',
    bundles,
    dependencies,
  })
  const byPackage = aListing('owner/repo', { npmPackage: 'some-plugin' })
  const byRepository = aListing('Owner/Kite', { npmPackage: null })
  const installed = (...given: Parameters<typeof profile>) => [
    ...installedListings([byPackage, byRepository], profile(...given)),
  ]

  test('is a layer whose source is the listing', () => {
    expect(installed({ 'some-plugin': '^1.0.0' })).toEqual(['owner/repo'])
    expect(installed({ named: 'git+https://github.com/owner/kite.git' })).toEqual(['Owner/Kite'])
  })

  test('is not a mere dependency, nor a package of that name from elsewhere', () => {
    expect(installed({ 'some-plugin': '^1.0.0' }, [])).toEqual([])
    expect(installed({ 'some-plugin': 'git+https://git.example/private.git' })).toEqual([])
    expect(installed({ 'some-plugin': 'github:other/repo' })).toEqual([])
  })
})
