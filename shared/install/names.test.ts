import fc from 'fast-check'
import validate from 'validate-npm-package-name'
import { describe, expect, it } from 'vitest'
import { readCases } from '../contract/cases-testing.ts'
import { isPackageName, isProfileName } from './index.ts'

/** The validator allows more scopes than this: with quotes, brackets, and a leading dot or hyphen. */
const scopeIsPlain = (name: string) => !name.startsWith('@') || /^@[a-z0-9][a-z0-9._-]*\//.test(name)

describe('isPackageName', () => {
  const pieces = fc.constantFrom(
    'a',
    'b',
    '9',
    '@',
    '/',
    '.',
    '-',
    '_',
    '~',
    "'",
    '!',
    '(',
    'A',
    ' ',
    '%',
    'é',
    'node_modules',
    '.tgz',
    '.tar',
    '.gz',
  )
  const name = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 12 }).map((list) => list.join('')),
    fc.stringMatching(/^@?[a-z._-]{1,5}\/?[a-z._-]{0,5}$/),
  )

  it('agrees with the registry about new packages', () => {
    let accepted = 0
    fc.assert(
      fc.property(name, (text) => {
        const verdict = validate(text)
        const onlyCoreModule =
          verdict.validForOldPackages && verdict.warnings?.every((line) => line.includes('core module'))
        const isName = verdict.validForNewPackages || onlyCoreModule === true
        const expected = isName && scopeIsPlain(text) && !/\.(tgz|tar|tar\.gz)$/.test(text)
        if (expected) accepted++
        expect(isPackageName(text), text).toBe(expected)
      }),
      { numRuns: 20_000 },
    )
    expect(accepted).toBeGreaterThan(500)
  })

  it.each(readCases(new URL('./cases/package-names.valid.txt', import.meta.url)))('accepts %s', (name) => {
    expect(isPackageName(name)).toBe(true)
  })

  it.each(readCases(new URL('./cases/package-names.invalid.txt', import.meta.url)))('refuses %s', (name) => {
    expect(isPackageName(name)).toBe(false)
  })

  it('limits the length of the whole name, including the scope', () => {
    expect(isPackageName(`@a/${'b'.repeat(211)}`)).toBe(true)
    expect(isPackageName(`@a/${'b'.repeat(212)}`)).toBe(false)
  })
})

describe('isProfileName', () => {
  it.each(readCases(new URL('./cases/profile-names.valid.txt', import.meta.url)))('accepts %s', (name) => {
    expect(isProfileName(name)).toBe(true)
  })

  it.each([
    ...readCases(new URL('./cases/profile-names.invalid.txt', import.meta.url)).flat(),
    '',
    'a\n',
    null,
    5,
    ['web'],
  ])('refuses %j', (name) => {
    expect(isProfileName(name)).toBe(false)
  })
})
