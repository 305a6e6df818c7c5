import { expect, test } from 'vitest'
import { aListing } from '../view/testing.ts'
import { entryOf } from './entry.ts'
import { FacetIndex } from './facets.ts'
import { parseQuery } from './query.ts'

const index = new FacetIndex()
const entries = [
  aListing('a/one', { category: 'memory', license: 'MIT', language: 'Go' }),
  aListing('a/two', { category: 'tools', license: 'ISC', riskFlags: ['install script', 'terminal surface'] }),
  aListing('a/three', { category: 'memory', license: null, verdict: 'needs-approval' }),
  aListing('a/four', { category: 'newer id', license: 'MIT', verdict: 'failed', installable: false }),
  aListing('a/five', { category: null, described: false, verdict: null, license: null }),
].map(entryOf)
const profile = { installed: new Set(['a/two']), updatable: new Set<string>() }
const of = (text: string) => index.filter(entries, parseQuery(text), profile)
const shown = (text: string) => of(text).entries.map(({ name }) => name)

test.each([
  ['', ['one', 'two', 'three']],
  ['is:passed', ['one', 'two']],
  ['is:all', ['one', 'two', 'three', 'four', 'five']],
  ['is:needs-approval', ['three']],
  ['is:all category:other', ['four', 'five']],
  ['is:all category:memory,tools', ['one', 'two', 'three']],
  ['risk:"terminal surface"', ['two']],
  ['is:all risk:none', ['one', 'three', 'four']],
  ['is:all license:mit', ['one', 'four']],
  ['is:all license:none', ['three']],
  ['is:all language:go', ['one']],
  ['is:all language:none', ['two', 'three', 'four']],
  ['is:installed', ['two']],
  ['is:installed,installable', ['two']],
  ['is:all,installable', ['one', 'two', 'three', 'five']],
  ['is:updatable', []],
])('filters by "%s": %j', (text, names) => {
  expect(shown(text)).toEqual(names)
})

test('counts each facet with the filters of the others applied', () => {
  const { counts } = of('category:memory')
  expect(Object.fromEntries(counts.category)).toEqual({ memory: 2, tools: 1, other: 0 })
  expect(Object.fromEntries(counts.verdict)).toEqual({ installs: 2, passed: 1, 'needs-approval': 1, all: 2 })
  expect(Object.fromEntries(counts.license)).toEqual({ MIT: 1, ISC: 0, none: 1 })
  expect(Object.fromEntries(counts.traits)).toEqual({ installable: 2, installed: 0, updatable: 0, new: 0 })
})

test('filters by facts of the given profile', () => {
  const other = { installed: new Set(['a/one']), updatable: new Set<string>() }
  const names = [profile, other, profile].map(
    (profile) => index.filter(entries, parseQuery('is:installed'), profile).entries[0]?.name,
  )
  expect(names).toEqual(['two', 'one', 'two'])
})
