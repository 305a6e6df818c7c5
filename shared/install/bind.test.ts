import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindInstall, type InstallResult, NOT_INSTALLABLE_REASONS, specText } from './index.ts'

const cli = 'dsh'
const reasonOf = (result: InstallResult) => (result.ok ? `ok ${specText(result.plan.spec)}` : result.reason)

describe('bindInstall', () => {
  const add = (spec: string) => `dsh plugin --profile web add ${spec}`
  it.each([
    [{ fullName: 'Reeds/Koi', install: add('koi'), npm: 'koi' }, 'ok koi'],
    [{ fullName: 'Reeds/Koi', install: add('koi'), npmPackage: 'koi' }, 'ok koi'],
    [{ fullName: 'Reeds/Koi', install: add('github:reeds/koi'), npm: null }, 'ok github:reeds/koi'],
    [{ fullName: 'reeds/koi#packages/a', install: add('koi-a'), npm: 'koi-a' }, 'ok koi-a'],
    [{ fullName: 'reeds/koi', install: add('koi2'), npm: 'koi' }, 'other-package'],
    [{ fullName: 'reeds/koi', install: add('koi'), npm: null }, 'other-package'],
    [{ fullName: 'reeds/koi', install: add('koi'), npm: 7 }, 'other-package'],
    [{ fullName: 'reeds/koi', install: add('github:reeds/other'), npm: null }, 'other-repository'],
    [{ fullName: 'reeds/koi', install: add('github:weeds/koi'), npm: null }, 'other-repository'],
    [{ fullName: 'reeds/koi#a', install: add('github:reeds/koi'), npm: null }, 'subdirectory-needs-package'],
    [{ fullName: 'reeds/koi#a', install: null, npm: null }, 'subdirectory-unpublished'],
    [{ fullName: 'reeds/koi', install: null, npm: null }, 'unpublished'],
    [{ fullName: 'reeds/koi', install: null, npm: 'koi' }, 'no-command'],
    [{ fullName: 'reeds/koi', install: 7, npm: 'koi' }, 'not-text'],
    [{ fullName: 'reeds', install: add('koi'), npm: 'koi' }, 'bad-listing'],
    [{ fullName: 'reeds/koi#', install: add('koi'), npm: 'koi' }, 'bad-listing'],
    [{ install: add('koi') }, 'bad-listing'],
    [null, 'bad-listing'],
  ])('decides on %j: %s', (listing, expected) => {
    expect(reasonOf(bindInstall(listing, { cli }))).toBe(expected)
  })

  it('accepts any value, and returns a plan or a known reason', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }), (value) => {
        const result = bindInstall(value, { cli })
        if (!result.ok) expect(NOT_INSTALLABLE_REASONS).toContain(result.reason)
      }),
      { numRuns: 3000 },
    )
  })

  it('does not throw for a listing that throws when it is read', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('read')
        },
      },
    )
    expect(reasonOf(bindInstall(hostile, { cli }))).toBe('bad-listing')
  })
})
