import { describe, expect, test } from 'vitest'
import { pnpmSettingsWithoutJob, withAllowedBuilds } from './pnpm-settings.ts'

const FILE = `# Of the harness.
packages:
  - .

nodeLinker: hoisted # flat
`

describe('keys', () => {
  test('are added under the setting, and all else stays', () => {
    expect(withAllowedBuilds(FILE, 'onlyBuiltDependencies', ['a@1.0.0', '@b/c@2.0.0'])).toBe(
      `${FILE}onlyBuiltDependencies:\n  - a@1.0.0\n  - "@b/c@2.0.0"\n`,
    )
    expect(withAllowedBuilds(FILE, 'allowBuilds', ['a@1.0.0'])).toBe(`${FILE}allowBuilds:\n  a@1.0.0: true\n`)
  })

  test('end their lines as the others do, and leave anchors', () => {
    const file = FILE.replaceAll('\n', '\r\n')
    expect(withAllowedBuilds(file, 'allowBuilds', ['a'])).toBe(`${file}allowBuilds:\r\n  a: true\r\n`)
    const anchored = 'catalog: &c\n  x: 1.0.0\ncatalogs:\n  mine: *c\n'
    expect(withAllowedBuilds(anchored, 'allowBuilds', ['a'])).toBe(`${anchored}allowBuilds:\n  a: true\n`)
  })

  test('join those that are there, with their comments, once', () => {
    const list = `${FILE}onlyBuiltDependencies:\n  # by hand\n  - a@1.0.0\n`
    expect(withAllowedBuilds(list, 'onlyBuiltDependencies', ['a@1.0.0', 'b'])).toBe(`${list}  - b\n`)
    const map = 'allowBuilds:\n  # not this one\n  a@1.0.0: false\n'
    expect(withAllowedBuilds(map, 'allowBuilds', ['a@1.0.0', 'b@1.0.0'])).toBe(
      'allowBuilds:\n  # not this one\n  a@1.0.0: true\n  b@1.0.0: true\n',
    )
  })

  test.each(['', '\n', '# nothing yet\n', 'onlyBuiltDependencies:\n'])('make a file of %j', (text) => {
    expect(withAllowedBuilds(text, 'onlyBuiltDependencies', ['a'])).toBe(
      `${text.startsWith('#') ? '# nothing yet\n\n' : ''}onlyBuiltDependencies:\n  - a\n`,
    )
  })

  test.each(['packages: [', 'onlyBuiltDependencies: yes', '- a'])('are not forced into %j', (text) => {
    expect(() => withAllowedBuilds(text, 'onlyBuiltDependencies', ['a'])).toThrow()
  })

  test('take the place of what pnpm and the plugin manager write for the person to decide', () => {
    expect(withAllowedBuilds('allowBuilds:\n  a@1.0.0: set this to true or false\n', 'allowBuilds', ['a@1.0.0'])).toBe(
      'allowBuilds:\n  a@1.0.0: true\n',
    )
  })

  test('mean themselves, whatever they hold', () => {
    const key = `a@git+https://github.com/o/a.git#${'0a'.repeat(20)}`
    expect(withAllowedBuilds('', 'allowBuilds', [key])).toContain(`${key}: true`)
    expect(withAllowedBuilds('', 'onlyBuiltDependencies', ['x: [y'])).toContain('- "x: [y"')
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
