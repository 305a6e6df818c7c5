import { expect, test } from 'vitest'
import { pickVersion } from './pick-version.ts'

/** Describes versions as `1.0.0 1.1.0!`: the last but those with `!` are deprecated. */
function documentOf(text: string, latest: string, tags: Readonly<Record<string, string>> = {}) {
  const versions = text.split(' ').map((one) => [one.replace('!', ''), one.endsWith('!') ? { deprecated: 'old' } : {}])
  return { versions: Object.fromEntries(versions), tags: { latest, ...tags } }
}

test.each([
  {
    wanted: '^1.0.0',
    versions: '1.0.0 1.1.0 1.2.0!',
    latest: '1.0.0',
    picked: '1.0.0',
    why: 'the latest in the range',
  },
  { wanted: '>1.0.0', versions: '1.0.0 1.1.0 1.2.0!', latest: '1.0.0', picked: '1.1.0', why: 'no deprecated one' },
  {
    wanted: '>1.0.0',
    versions: '1.0.0 1.1.0! 1.2.0!',
    latest: '1.0.0',
    picked: '1.2.0',
    why: 'one of deprecated ones',
  },
  { wanted: '*', versions: '0.2.0-rc.1 0.2.0-rc.2', latest: '0.2.0-rc.2', picked: '0.2.0-rc.2', why: 'a prerelease' },
  { wanted: 'x', versions: '0.2.0-rc.2 0.1.0', latest: '0.2.0-rc.2', picked: '0.2.0-rc.2', why: 'what * takes' },
  { wanted: 'v1.0.0', versions: '1.0.0 1.1.0', latest: '1.1.0', picked: '1.0.0', why: 'a version as people write it' },
  { wanted: '1.5.0', versions: '1.0.0 1.1.0', latest: '1.1.0', picked: null, why: 'no version that is not there' },
  { wanted: 'latest', versions: '1.0.0 1.1.0', latest: '1.0.0', picked: '1.0.0', why: 'the version of a tag' },
  { wanted: 'constructor', versions: '1.0.0', latest: '1.0.0', picked: null, why: 'no tag that every object has' },
  { wanted: '^3', versions: '1.0.0', latest: '1.0.0', picked: null, why: 'nothing outside of the range' },
])('$wanted of $versions gives $picked: $why', ({ wanted, versions, latest, picked }) => {
  expect(pickVersion(documentOf(versions, latest), wanted)).toBe(picked)
})

test('takes another version in the range where the latest one is deprecated', () => {
  expect(pickVersion(documentOf('1.0.0 1.1.0!', '1.1.0'), '^1.0.0')).toBe('1.0.0')
})

test('passes over versions that pnpm does not install, also where a tag names one', () => {
  const document = documentOf('1.0.0 1.1.0! 1.2.0 2.0.0-rc.1 2.0.0', '2.0.0', { next: '2.0.0-rc.1' })
  const without =
    (...young: readonly string[]) =>
    (version: string) =>
      !young.includes(version)
  expect(pickVersion(document, '^1.0.0', without('1.2.0'))).toBe('1.0.0')
  // A prerelease of the same numbers comes before an older major version.
  expect(pickVersion(document, 'latest', without('2.0.0'))).toBe('2.0.0-rc.1')
  expect(pickVersion(document, 'latest', without('2.0.0', '2.0.0-rc.1'))).toBe('1.2.0')
  expect(pickVersion(document, 'latest', without('2.0.0', '2.0.0-rc.1', '1.2.0', '1.0.0'))).toBe('1.1.0')
  expect(pickVersion(document, 'next', without('2.0.0-rc.1'))).toBeNull()
})

test('moves a tag to no newer version', () => {
  expect(pickVersion(documentOf('0.9.0 1.0.0 1.1.0', '1.0.0'), 'latest', (version) => version !== '1.0.0')).toBe(
    '0.9.0',
  )
})
