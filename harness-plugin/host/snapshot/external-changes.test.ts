import { describe, expect, test } from 'vitest'
import { manifestWithoutJob, pnpmSettingsWithoutJob } from './external-changes.ts'

describe('a package.json', () => {
  const manifest = (dependencies: Record<string, string>, bundles: string[], more: object = {}) =>
    JSON.stringify({ name: 'p', dependencies, dsh: { profile: { bundles } }, ...more })
  const was = manifest({ old: '1' }, ['base', 'old'])

  test('that only the job changed is what it was, to the byte', () => {
    const is = JSON.stringify(JSON.parse(manifest({ own: '2', old: '1' }, ['base', 'old', 'own'])), null, 2)
    expect(manifestWithoutJob(was, is, ['own'])).toBe(was)
    expect(manifestWithoutJob('{"name":"p"}', '{"name":"p","dependencies":{"own":"1"}}', ['own'])).toBe('{"name":"p"}')
  })

  test('that somebody else changed too has the plugin as it was before, and their change', () => {
    const updated = manifest({ old: '2', more: '1' }, ['base', 'more'], { scripts: { mine: 'true' } })
    expect(JSON.parse(manifestWithoutJob(was, updated, ['old']))).toEqual(
      JSON.parse(manifest({ old: '1', more: '1' }, ['base', 'old', 'more'], { scripts: { mine: 'true' } })),
    )
  })

  test('has again the layers of what is installed, which an older harness adds and takes out by itself', () => {
    const [off, on] = [manifest({ old: '1' }, ['base']), manifest({ old: '1', own: '1' }, ['base', 'old', 'own'])]
    expect(manifestWithoutJob(off, on, ['own'])).toBe(off)
  })

  test.each(['', '{ "half', '{"dependencies":{"a":1}}'])('that says %j is none', (is) => {
    expect(() => manifestWithoutJob(was, is, ['own'])).toThrow()
  })
})

describe('settings for pnpm', () => {
  const without = pnpmSettingsWithoutJob

  test('that only the job changed are what they were, however they are written now', () => {
    expect(without('', 'allowBuilds:\n  a: set this to true or false\n')).toBe('')
    expect(
      without('# mine\noverrides: &o\n  a: 1.0.0\n', 'overrides:\r\n  a: 1.0.0\r\nallowBuilds:\r\n  b: true\r\n'),
    ).toBe('# mine\noverrides: &o\n  a: 1.0.0\n')
  })

  test('that somebody else changed too have what was allowed before, and their change as it is written', () => {
    expect(without('onlyBuiltDependencies:\n  - a\n', 'onlyBuiltDependencies:\n  - a\n  - b\nx: 1 # mine\n')).toBe(
      'onlyBuiltDependencies:\n  - a\nx: 1 # mine\n',
    )
    expect(without('', 'x: 1\r\nallowBuilds:\r\n  b: true\r\n')).toBe('x: 1\r\n')
  })

  test('that somebody took out stay out', () => {
    expect(without('x: 1\nallowBuilds:\n  a: true\n', '')).toBe('allowBuilds:\n  a: true\n')
    expect(without('x: 1\n', '')).toBe('')
  })

  test.each(['x: [', '- a', 'text'])('that say %j are none', (is) => {
    expect(() => without('', is)).toThrow()
  })
})
