import { describe, expect, test } from 'vitest'
import { pnpmSettingsWithoutJob, withAllowedBuilds } from './manifest.ts'

const FILE = `# Of the harness.
packages:
  - .

nodeLinker: hoisted # flat
`

describe('keys', () => {
  test('keys are added under the setting without other changes', () => {
    expect(withAllowedBuilds(FILE, 'onlyBuiltDependencies', ['a@1.0.0', '@b/c@2.0.0'])).toBe(
      `${FILE}onlyBuiltDependencies:\n  - a@1.0.0\n  - "@b/c@2.0.0"\n`,
    )
    expect(withAllowedBuilds(FILE, 'allowBuilds', ['a@1.0.0'])).toBe(`${FILE}allowBuilds:\n  a@1.0.0: true\n`)
  })

  test('keys use the line ends of the file, and leave anchors', () => {
    const file = FILE.replaceAll('\n', '\r\n')
    expect(withAllowedBuilds(file, 'allowBuilds', ['a'])).toBe(`${file}allowBuilds:\r\n  a: true\r\n`)
    const anchored = 'catalog: &c\n  x: 1.0.0\ncatalogs:\n  mine: *c\n'
    expect(withAllowedBuilds(anchored, 'allowBuilds', ['a'])).toBe(`${anchored}allowBuilds:\n  a: true\n`)
  })

  test('join existing keys once, and keep their comments', () => {
    const list = `${FILE}onlyBuiltDependencies:\n  # by hand\n  - a@1.0.0\n`
    expect(withAllowedBuilds(list, 'onlyBuiltDependencies', ['a@1.0.0', 'b'])).toBe(`${list}  - b\n`)
    const map = 'allowBuilds:\n  # not this one\n  a@1.0.0: false\n'
    expect(withAllowedBuilds(map, 'allowBuilds', ['a@1.0.0', 'b@1.0.0'])).toBe(
      'allowBuilds:\n  # not this one\n  a@1.0.0: true\n  b@1.0.0: true\n',
    )
  })

  test.each(['', '\n', '# nothing yet\n', 'onlyBuiltDependencies:\n'])(
    'keys are added with their setting to a file with the text %j',
    (text) => {
      expect(withAllowedBuilds(text, 'onlyBuiltDependencies', ['a'])).toBe(
        `${text.startsWith('#') ? '# nothing yet\n\n' : ''}onlyBuiltDependencies:\n  - a\n`,
      )
    },
  )

  test.each(['packages: [', 'onlyBuiltDependencies: yes', '- a'])(
    'keys are not added to the invalid file %j',
    (text) => {
      expect(() => withAllowedBuilds(text, 'onlyBuiltDependencies', ['a'])).toThrow()
    },
  )

  test('replace the placeholders that pnpm and the plugin manager write for the user to decide', () => {
    expect(withAllowedBuilds('allowBuilds:\n  a@1.0.0: set this to true or false\n', 'allowBuilds', ['a@1.0.0'])).toBe(
      'allowBuilds:\n  a@1.0.0: true\n',
    )
  })

  test('keys are written literally with any characters', () => {
    const key = `a@git+https://github.com/o/a.git#${'0a'.repeat(20)}`
    expect(withAllowedBuilds('', 'allowBuilds', [key])).toContain(`${key}: true`)
    expect(withAllowedBuilds('', 'onlyBuiltDependencies', ['x: [y'])).toContain('- "x: [y"')
  })
})

describe('settings for pnpm', () => {
  const without = pnpmSettingsWithoutJob

  test('settings for pnpm that only the job changed are restored, even if they were reformatted', () => {
    expect(without('', 'allowBuilds:\n  a: set this to true or false\n')).toBe('')
    expect(
      without('# mine\noverrides: &o\n  a: 1.0.0\n', 'overrides:\r\n  a: 1.0.0\r\nallowBuilds:\r\n  b: true\r\n'),
    ).toBe('# mine\noverrides: &o\n  a: 1.0.0\n')
  })

  test('settings for pnpm that another program changed too keep its change as written, with the builds that were allowed before', () => {
    expect(without('onlyBuiltDependencies:\n  - a\n', 'onlyBuiltDependencies:\n  - a\n  - b\nx: 1 # mine\n')).toBe(
      'onlyBuiltDependencies:\n  - a\nx: 1 # mine\n',
    )
    expect(without('', 'x: 1\r\nallowBuilds:\r\n  b: true\r\n')).toBe('x: 1\r\n')
  })

  test('settings for pnpm that another program removed stay removed', () => {
    expect(without('x: 1\nallowBuilds:\n  a: true\n', '')).toBe('allowBuilds:\n  a: true\n')
    expect(without('x: 1\n', '')).toBe('')
  })

  test.each(['x: [', '- a', 'text'])('settings for pnpm with the text %j are rejected', (is) => {
    expect(() => without('', is)).toThrow()
  })
})
