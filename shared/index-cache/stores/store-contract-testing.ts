import { describe, expect, test } from 'vitest'
import type { IndexListing } from '../../contract/index.ts'
import type { IndexStore, RepositoryListings } from '../types.ts'

/** Returns a repository whose listings all have this path. */
export const repository = (name: string, path = '1', subpaths = ['']): RepositoryListings => [
  name,
  subpaths.map(
    (subpath): IndexListing => ({ fullName: name + subpath, category: null, install: null, path, npm: null }),
  ),
]

const NAMES = ['a/a', 'a/b', 'a-b/c', '__proto__/x', 'constructor/prototype', 'zz/zz', 'ü/ö', '0/0']
const many = (path: string) =>
  Array.from({ length: 500 }, (_, at) => repository(`owner-${(at * 7) % 500}/plugin-${at}`, path))

/** Tests that every store passes. `open` returns a new object over the same data, which is empty before each test. */
export function describeStore(open: () => IndexStore): void {
  const all = async (store: IndexStore) => {
    const found = new Map<string, unknown>()
    await store.forEach((name, listings) => void found.set(name, listings))
    return found
  }

  describe('an index store', () => {
    test('has no state and no listings when it is empty', async () => {
      const store = open()
      expect(await store.load()).toBeUndefined()
      expect(await store.find(['a/a'])).toEqual([undefined])
      expect(await all(store)).toEqual(new Map())
    })

    test('finds the listings of each repository in the order of the call', async () => {
      const repositories = NAMES.map((name) => repository(name, 'ü\n', ['', '#one']))
      await open().replace(repositories, { schema: 1 })
      const asked = [...NAMES.toReversed(), 'a/a', 'a/aa', 'a', '', 'zzz/z', 'toString/x']
      const byName = new Map(repositories)
      expect(await open().find(asked)).toEqual(asked.map((name) => byName.get(name)))
      expect(await open().find([])).toEqual([])
    })

    test('finds and visits each of many repositories', async () => {
      await open().replace(many('1'), { schema: 1 })
      expect(await open().find(many('1').map(([name]) => name))).toEqual(many('1').map(([, listings]) => listings))
      expect([...(await all(open()))].toSorted()).toEqual(many('1').toSorted())
    })

    test('replaces listings and state, and keeps none of the old', async () => {
      const store = open()
      await store.replace(many('1'), { n: 1 })
      await store.replace([repository('moss/field', '2')], { n: 2 })
      expect(await open().load()).toEqual({ n: 2 })
      expect(await all(open())).toEqual(new Map([repository('moss/field', '2')]))
      expect(await open().find(['owner-0/plugin-0', 'moss/field'])).toEqual([
        undefined,
        repository('moss/field', '2')[1],
      ])
    })

    test('keeps the listings when the state is saved', async () => {
      const store = open()
      await store.saveState({ n: 0 })
      await store.replace([repository('moss/field')], { n: 1 })
      await store.saveState({ n: 2, text: 'Ü\ud800\n', nothing: null })
      expect(await open().load()).toEqual({ n: 2, text: 'Ü\ud800\n', nothing: null })
      expect(await open().find(['moss/field'])).toEqual([repository('moss/field')[1]])
    })

    test('deletes listings and state on clear', async () => {
      const store = open()
      await store.replace(many('1'), { n: 1 })
      await store.clear()
      expect(await open().load()).toBeUndefined()
      expect(await all(open())).toEqual(new Map())
      await store.clear()
    })

    test('stays unchanged when a value cannot be stored', async () => {
      const store = open()
      await store.replace(many('1'), { n: 1 })
      const bad = [...many('2'), ['zz/bad', [{ size: 1n, run: () => {} }]] as unknown as RepositoryListings]
      await expect(store.replace(bad, { n: 2 })).rejects.toThrow()
      expect(await open().load()).toEqual({ n: 1 })
      expect([...(await all(open()))].toSorted()).toEqual(many('1').toSorted())
    })

    test('does not change when a value is changed after the call', async () => {
      const store = open()
      const state = { n: 1 }
      await store.replace([repository('moss/field')], state)
      state.n = 2
      const read = (await store.load()) as { n: number }
      read.n = 3
      const [listings] = (await store.find(['moss/field'])) as [IndexListing[]]
      listings.pop()
      expect(await store.load()).toEqual({ n: 1 })
      expect(await store.find(['moss/field'])).toEqual([repository('moss/field')[1]])
    })
  })
}
