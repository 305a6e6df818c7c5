import { expect, test } from 'vitest'
import { computed, nextTick, shallowRef } from 'vue'
import { messagesFor } from '../../messages/index.ts'
import { aListing } from '../testing.ts'
import { Finding, stableOrder } from './finding.ts'

function finding(...ids: string[]) {
  const rows = shallowRef(ids.map((id, at) => aListing(id, { stars: 100 - at })))
  const profile = { name: 'web', layers: ['two'], dependencies: { two: '^1.0.0' } }
  const installed = { plugins: computed(() => []), updatable: computed(() => new Set<string>()) }
  const found = new Finding(
    {
      rows,
      status: shallowRef(null),
      currentProfile: computed(() => profile),
      installed,
      fits: { known: computed(() => new Map()) },
    },
    computed(() => messagesFor('en')),
  )
  return { rows, ...found, names: () => found.shown.value.map(({ id }) => id) }
}

test('shows the plugins that passed, by stars, when it opens', () => {
  const { rows, names } = finding('a/one', 'a/two')
  rows.value = [aListing('a/failed', { verdict: 'failed' }), aListing('a/most', { stars: 900 }), ...rows.value]
  return nextTick(() => expect(names()).toEqual(['a/most', 'a/one', 'a/two']))
})

test('keeps the filters when the words change, and adds a typed filter to them once it is complete', async () => {
  const { text, query, filters, change, takeTyped, names } = finding('a/one', 'a/two')
  text.value = 'two category:tools'
  expect(query.value.category).toEqual(['tools'])
  expect(filters.value.category).toEqual([])
  change({ traits: ['installed'] })
  expect(text.value).toBe('two')
  await nextTick()
  expect(names()).toEqual(['a/two'])
  text.value = 'one is:all '
  takeTyped()
  expect(text.value).toBe('one ')
  expect(query.value).toMatchObject({ category: ['tools'], traits: ['installed'], verdict: ['all'], words: ['one'] })
})

test('shows a plugin whose name was typed, with any verdict, and counts the others that the install check hides', () => {
  const { rows, text, hidden, names } = finding('a/one', 'a/two')
  rows.value = [...rows.value, aListing('a/kite', { verdict: 'failed', summary: 'Of one kind' })]
  text.value = 'kite'
  expect([names(), hidden.value]).toEqual([['a/kite'], 0])
  text.value = 'one'
  expect([names(), hidden.value]).toEqual([['a/one'], 1])
  text.value = 'one is:all'
  expect([names(), hidden.value]).toEqual([['a/one', 'a/kite'], 0])
})

test('reports the corrected words after a typing error', () => {
  const { text, meant } = finding('x/notes', 'x/kite')
  text.value = 'ntoes'
  expect(meant.value).toBe('notes')
  text.value = 'notes'
  expect(meant.value).toBeNull()
})

test('appends further results of the directory to the local ones', async () => {
  const { text, completion, names } = finding('x/one', 'x/kite')
  text.value = 'kite'
  completion.value = { terms: 'kite', ids: ['x/one', 'x/kite', 'x/not-here'] }
  await nextTick()
  expect(names()).toEqual(['x/kite', 'x/one'])
  text.value = 'kit'
  await nextTick()
  expect(names()).toEqual(['x/kite'])
})

test('keeps the rows in place while the user uses the list, until they ask for new rows or change the query', async () => {
  const { rows, isHeld, waiting, names, showWaiting, text } = finding('a/one', 'a/two')
  isHeld.value = true
  await nextTick()
  rows.value = [...rows.value, aListing('a/most', { stars: 900 })]
  await nextTick()
  expect([names(), waiting.value]).toEqual([['a/one', 'a/two'], 1])
  showWaiting()
  expect([names(), waiting.value]).toEqual([['a/most', 'a/one', 'a/two'], 0])

  rows.value = [...rows.value, aListing('a/more', { stars: 990 })]
  await nextTick()
  expect(waiting.value).toBe(1)
  text.value = 'o'
  await nextTick()
  expect([names(), waiting.value]).toEqual([['a/one', 'a/more', 'a/most', 'a/two'], 0])
})

test('shows the new state of a row that changed, wherever it is', async () => {
  const { rows, isHeld, shown } = finding('a/one')
  isHeld.value = true
  await nextTick()
  rows.value = [aListing('a/one', { stars: 3 })]
  await nextTick()
  expect(shown.value).toMatchObject([{ id: 'a/one', stars: 3 }])
})

test('appends new rows at the end of the list', () => {
  expect(stableOrder(['a', 'b'], ['a', 'b', 'c'])).toBeNull()
  expect(stableOrder([], ['a'])).toBeNull()
})

test('keeps the order of the list, and lets rows that belong elsewhere wait', () => {
  expect(stableOrder(['a', 'b'], ['c', 'a', 'b', 'd'])).toEqual({ ids: ['a', 'b'], waiting: 2 })
  expect(stableOrder(['a', 'b'], ['b', 'a'])).toEqual({ ids: ['a', 'b'], waiting: 0 })
  expect(stableOrder(['a', 'b'], ['b'])).toEqual({ ids: ['a', 'b'], waiting: 0 })
})
