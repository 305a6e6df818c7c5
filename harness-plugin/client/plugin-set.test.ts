import { expect, test } from 'vitest'
import { aListing, anInstalledPlugin } from '../view/testing.ts'
import { planImport, pluginSetOf, readPluginSet } from './plugin-set.ts'

const profile = { name: 'web', layers: ['second', 'first'], dependencies: {} }
const first = anInstalledPlugin('first', { hold: { reason: 'works', since: 5 } })
const second = anInstalledPlugin('second', {
  spec: 'github:a/second',
  hold: { reason: null, since: 5, skips: '2.0.0' },
})
const stranger = anInstalledPlugin('stranger', { listing: null })

test('exports the plugins in the order in which the harness loads them, with their holds', () => {
  const set = pluginSetOf(profile, [stranger, first, second])
  expect(set.plugins.map(({ package: name, hold }) => [name, hold])).toEqual([
    ['second', null],
    ['first', { reason: 'works' }],
    ['stranger', null],
  ])
  expect(readPluginSet(JSON.stringify(set))).toEqual(set)
})

test('imports what is missing: packages in the version of the list, repositories in their newest state', () => {
  const set = pluginSetOf(profile, [first, second, stranger])
  expect(planImport(set, [])).toEqual({
    listed: [
      { id: 'a/second', version: null, hold: null },
      { id: 'a/first', version: '1.0.0', hold: { reason: 'works' } },
    ],
    unlisted: ['stranger'],
    present: [],
  })
  expect(planImport(set, [first, stranger])).toEqual({
    listed: [{ id: 'a/second', version: null, hold: null }],
    unlisted: [],
    present: ['first', 'stranger'],
  })
})

test.each([
  './plugin',
  '@moss/notes',
  'notes',
  'notes@1.0.0',
  'github:moss/notes',
  'https://github.com/moss/notes#a1b2c3',
])('imports no spec as the id of a listing: %s', (id) => {
  const set = pluginSetOf(profile, [{ ...first, listing: id }])
  expect(planImport(set, [])).toEqual({ listed: [], unlisted: ['first'], present: [] })
})

const unreadableHold = { package: 'first', id: 'a/first', spec: '^1.0.0', version: '1.0.0', hold: { reason: 5 } }
test.each([
  '',
  'null',
  '{}',
  '{"plugmark":2,"profile":"web","plugins":[]}',
  JSON.stringify(aListing('a/first')),
  JSON.stringify({ plugmark: 1, profile: 'web', plugins: [unreadableHold] }),
])('reads no other file: %s', (text) => expect(readPluginSet(text)).toBeNull())
