import type { IndexListing } from '@plugmark/shared/contract'
import { expect, it } from 'vitest'
import { isSameBadge } from '../start/stored-badges.ts'
import { toBadgeData } from './offers.ts'

function listing(fullName: string, spec: string | null, category: string | null = 'tools'): IndexListing {
  const install = spec === null ? null : `dsh plugin --profile web add ${spec}`
  return { fullName, category, install, path: null, npm: spec }
}

const root = listing('acme/kite', 'github:acme/kite')
const tail = listing('acme/kite#packages/tail', '@acme/tail')
const string = listing('acme/kite#packages/string', '@acme/string')
const none = listing('acme/kite#packages/none', null, 'fun')

it.each([
  ['one that can be installed', [root], { category: 'tools', count: 1, action: 'copy', isRoot: true }],
  ['the root among others', [tail, root, none], { category: 'tools', count: 3, action: 'copy', isRoot: false }],
  ['several and no root', [tail, string], { category: 'tools', count: 2, action: 'choose', isRoot: false }],
  ['nothing to install', [none], { category: 'fun', count: 1, action: 'subdirectory-unpublished', isRoot: false }],
  [
    'a category newer than this script',
    [listing('a/b', 'github:a/b', 'brewing')],
    { category: null, count: 1, action: 'copy', isRoot: true },
  ],
])('creates the badge of %s', (_, listings, badge) => {
  expect(toBadgeData(listings, { cli: 'dsh' })).toEqual(badge)
})

it('treats two badges as the same when they look the same', () => {
  const badge = toBadgeData([root], { cli: 'dsh' })
  expect(isSameBadge(badge, { ...badge })).toBe(true)
  for (const change of [{ category: null }, { count: 2 }, { action: 'choose' }] as const) {
    expect(isSameBadge(badge, { ...badge, ...change })).toBe(false)
  }
})
