import { describe, expect, test } from 'vitest'
import { withKeys } from './allow.ts'
import { buildSettingOf } from './blocked.ts'

const FILE = `# Of the harness.
packages:
  - .

nodeLinker: hoisted # flat
`

describe('keys', () => {
  test('are added under the setting, and all else stays', () => {
    expect(withKeys(FILE, 'onlyBuiltDependencies', ['a@1.0.0', '@b/c@2.0.0'])).toBe(
      `${FILE}onlyBuiltDependencies:\n  - a@1.0.0\n  - "@b/c@2.0.0"\n`,
    )
    expect(withKeys(FILE, 'allowBuilds', ['a@1.0.0'])).toBe(`${FILE}allowBuilds:\n  a@1.0.0: true\n`)
  })

  test('end their lines as the others do, and leave anchors', () => {
    const file = FILE.replaceAll('\n', '\r\n')
    expect(withKeys(file, 'allowBuilds', ['a'])).toBe(`${file}allowBuilds:\r\n  a: true\r\n`)
    const anchored = 'catalog: &c\n  x: 1.0.0\ncatalogs:\n  mine: *c\n'
    expect(withKeys(anchored, 'allowBuilds', ['a'])).toBe(`${anchored}allowBuilds:\n  a: true\n`)
  })

  test('join those that are there, with their comments, once', () => {
    const list = `${FILE}onlyBuiltDependencies:\n  # by hand\n  - a@1.0.0\n`
    expect(withKeys(list, 'onlyBuiltDependencies', ['a@1.0.0', 'b'])).toBe(`${list}  - b\n`)
    const map = 'allowBuilds:\n  # not this one\n  a@1.0.0: false\n'
    expect(withKeys(map, 'allowBuilds', ['a@1.0.0', 'b@1.0.0'])).toBe(
      'allowBuilds:\n  # not this one\n  a@1.0.0: true\n  b@1.0.0: true\n',
    )
  })

  test.each(['', '\n', '# nothing yet\n', 'onlyBuiltDependencies:\n'])('make a file of %j', (text) => {
    expect(withKeys(text, 'onlyBuiltDependencies', ['a'])).toBe(
      `${text.startsWith('#') ? '# nothing yet\n\n' : ''}onlyBuiltDependencies:\n  - a\n`,
    )
  })

  test.each(['packages: [', 'onlyBuiltDependencies: yes', '- a'])('are not forced into %j', (text) => {
    expect(() => withKeys(text, 'onlyBuiltDependencies', ['a'])).toThrow()
  })

  test('take the place of what pnpm and the plugin manager write for the person to decide', () => {
    expect(withKeys('allowBuilds:\n  a@1.0.0: set this to true or false\n', 'allowBuilds', ['a@1.0.0'])).toBe(
      'allowBuilds:\n  a@1.0.0: true\n',
    )
  })

  test('mean themselves, whatever they hold', () => {
    const key = `a@git+https://github.com/o/a.git#${'0a'.repeat(20)}`
    expect(withKeys('', 'allowBuilds', [key])).toContain(`${key}: true`)
    expect(withKeys('', 'onlyBuiltDependencies', ['x: [y'])).toContain('- "x: [y"')
  })
})

test.each([
  ['10.0.0', 'onlyBuiltDependencies', false],
  ['10.18.3', 'onlyBuiltDependencies', false],
  ['10.34.9\n', 'onlyBuiltDependencies', true],
  ['11.0.0-rc.1', 'allowBuilds', true],
  ['12.21.0', 'allowBuilds', true],
])('pnpm %j goes by %s', (version, name, versions) => {
  expect(buildSettingOf(version)).toEqual({ name, versions })
})

test.each(['', '9.15.9', 'Corepack is about to download 11.0.0', '11'])('of pnpm %j no setting is known', (version) => {
  expect(buildSettingOf(version)).toBeNull()
})
