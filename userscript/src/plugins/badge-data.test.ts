import { CATEGORIES, type IndexListing } from '@plugmark/shared/contract'
import { NOT_INSTALLABLE_REASONS } from '@plugmark/shared/install'
import { describe, expect, it } from 'vitest'
import { readFace } from './badge-data.ts'
import { faceOf } from './to-badge-data.ts'

function listing(fullName: string, more: Partial<IndexListing> = {}): IndexListing {
  const install = `dsh plugin --profile web add github:${fullName}`
  return { fullName, category: 'tools', install, path: null, npm: null, ...more }
}
const faceIn = (listings: IndexListing[]) => readFace(faceOf(listings, { cli: 'dsh' }))

describe('the face of a repository', () => {
  it('has the category of its first listing, or none for one that is not known here', () => {
    for (const category of [...CATEGORIES, null]) {
      expect(faceIn([listing('a/b', { category }), listing('a/b#c', { category: 'fun' })])?.category).toBe(category)
    }
    expect(faceIn([listing('a/b', { category: 'of-next-year' })])?.category).toBeNull()
  })

  it('counts its listings, up to what it can tell apart', () => {
    const several = (count: number) => Array.from({ length: count }, (_, n) => listing(`a/b#${n}`))
    for (const count of [1, 2, 12, 255]) expect(faceIn(several(count))?.count).toBe(count)
    expect(faceIn(several(300))?.count).toBe(255)
  })

  it('says what its button does', () => {
    const part = (name: string) =>
      listing(`a/b#${name}`, { npm: name, install: `dsh plugin --profile web add ${name}` })
    expect(faceIn([listing('a/b')])?.action).toBe('copy')
    expect(faceIn([part('one'), part('two')])?.action).toBe('choose')
    expect(faceIn([listing('a/b', { install: null })])?.action).toBe('unpublished')
    expect(faceIn([listing('a/b', { install: 'other plugin --profile web add github:a/b' })])?.action).toBe('other-cli')
  })
})

it('every reason fits', () => {
  const codes = NOT_INSTALLABLE_REASONS.map((_, n) => 256 | ((n + 2) << 4))
  expect(codes.map((code) => readFace(code)?.action)).toEqual([...NOT_INSTALLABLE_REASONS])
})

it.each([0, 15, 256 | (15 << 4), 256 | 15, 1 << 16, -1, Number.NaN])('%s is no face', (code) => {
  expect(readFace(code)).toBeNull()
})
