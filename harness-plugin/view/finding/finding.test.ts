import { expect, test } from 'vitest'
import { computed, nextTick, shallowRef } from 'vue'
import { aListing } from '../testing.ts'
import { createFinding } from './finding.ts'

function finding(...ids: string[]) {
  const rows = shallowRef(ids.map((id, at) => aListing(id, { stars: 100 - at })))
  const profile = { name: 'web', bundles: ['two'], dependencies: { two: '^1.0.0' } }
  const installed = { updatable: computed(() => new Set<string>()) }
  const found = createFinding({ rows, currentProfile: computed(() => profile), installed })
  return { rows, ...found, names: () => found.shown.value.map(({ id }) => id) }
}

test('opens with what passed, by stars', () => {
  const { rows, names } = finding('a/one', 'a/two')
  rows.value = [aListing('a/failed', { verdict: 'failed' }), aListing('a/most', { stars: 900 }), ...rows.value]
  return nextTick(() => expect(names()).toEqual(['a/most', 'a/one', 'a/two']))
})

test('facets and text are one state', async () => {
  const { text, query, change, names } = finding('a/one', 'a/two')
  text.value = 'two category:tools'
  change({ traits: ['installed'] })
  expect(text.value).toBe('two category:tools is:installed')
  expect(query.value.category).toEqual(['tools'])
  await nextTick()
  expect(names()).toEqual(['a/two'])
})

test('what the directory finds besides comes behind what is found here', async () => {
  const { text, completion, names } = finding('x/one', 'x/kite')
  text.value = 'kite'
  completion.value = { terms: 'kite', ids: ['x/one', 'x/kite', 'x/not-here'] }
  await nextTick()
  expect(names()).toEqual(['x/kite', 'x/one'])
  text.value = 'kit'
  await nextTick()
  expect(names()).toEqual(['x/kite'])
})

test('rows do not move under somebody who is at the list, until they ask for it or change the query', async () => {
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

test('a row that changed is the new one, wherever it stands', async () => {
  const { rows, isHeld, shown } = finding('a/one')
  isHeld.value = true
  await nextTick()
  rows.value = [aListing('a/one', { stars: 3 })]
  await nextTick()
  expect(shown.value).toMatchObject([{ id: 'a/one', stars: 3 }])
})
