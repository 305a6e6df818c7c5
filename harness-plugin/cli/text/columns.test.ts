import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { safeText } from '../writer.ts'
import { cut, table, widthOf, wrapped } from './columns.ts'

test('counts two columns for a Chinese character and none for colours', () => {
  expect(widthOf('插件 ok')).toBe(7)
  expect(widthOf('\u001b[1mok\u001b[22m')).toBe(2)
  // Typographic quotes and the dots take two in a Chinese terminal.
  expect(widthOf('“ok”')).toBe(6)
  expect(cut('插件商店', 5)).toBe('插…')
  expect(cut('插件商店', 6)).toBe('插件…')
  expect(cut('“a” and', 7)).toBe('“a”…')
  expect(cut('“a”', 4)).toBe('“…')
  expect(cut('fits', 4)).toBe('fits')
  expect(cut('not', 0)).toBe('')
})

test('counts an emoji, a wide space and a tab as they are written', () => {
  const family = '👨‍👩‍👧‍👦'
  for (const text of [family.repeat(12), '插件　名称　说明　插件　名称　说明', 'a\tb\tc\td\te\tf'])
    for (const line of wrapped(text, 20)) expect(widthOf(safeText(line))).toBeLessThanOrEqual(20)
  expect(widthOf(safeText(cut(family.repeat(12), 20)))).toBeLessThanOrEqual(20)
  expect(widthOf('❤\ufe0f')).toBe(widthOf(safeText('❤\ufe0f')))
  // No emoji is cut in half.
  expect(cut(family.repeat(12), 19)).toBe(`${family.repeat(2)}…`)
  const marked = `🚀a${'\u0301'.repeat(77)}${'🚀'.repeat(40)}`
  expect(cut(marked, 20)).toBe(`🚀a${'\u0301'.repeat(77)}${'🚀'.repeat(7)}…`)
})

describe('a table', () => {
  const rows = [
    ['✓', ['owner/some-plugin', (text: string) => `\u001b[1m${text}\u001b[22m`], '★ 12', '很长的简介'.repeat(20)],
    ['?', 'a/b', '', 'short'],
  ] as const

  test.each([30, 50, 80, 200])('fits %i columns', (columns) => {
    const lines = table(rows, columns)
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns)
    expect(lines.join('\n').split('\u001b[1m')).toHaveLength(2)
    expect(lines.join('\n').split('\u001b[22m')).toHaveLength(2)
  })

  test('leaves out empty columns, and does not move other rows for one long name', () => {
    const long = 'owner/a-name-that-takes-more-than-half-of-the-terminal'
    expect(
      table(
        [
          ['a/b', '', 'summary'],
          [long, '', 'more'],
        ],
        80,
      ),
    ).toEqual(['a/b  summary', long, '    more'])
  })

  test('keeps the columns beside a long name, a line below it', () => {
    const bold = (text: string) => `\u001b[1m${text}\u001b[22m`
    const rows = [
      ['✓', ['a/b', bold] as const, '★ 12', 'Memory', 'What it does.'.repeat(9)],
      ['!', ['long/'.repeat(9), bold] as const, '', 'Tools', 'What it does.'],
    ]
    expect(table(rows, 60).map(stripVTControlCharacters)).toEqual([
      expect.stringMatching(/^✓ {2}a\/b {2}★ 12 {2}Memory {2}What .*…$/),
      `!  ${'long/'.repeat(9)}`,
      '              Tools',
      '    What it does.',
    ])
  })

  test('puts the last column on a line below when space is short, and cuts nothing in a pipe', () => {
    expect(table(rows, 40)).toHaveLength(4)
    expect(table(rows, Number.POSITIVE_INFINITY)[0]).toContain(rows[0][3])
  })
})

test('breaks Chinese beside any character, and neither a word in it nor a command', () => {
  const text = '让模型查询 PostgreSQL、MySQL 与 SQLite。语句执行前先展示，运行“plugmark outdated”可以查看。'
  expect(wrapped(text, 30)).toEqual([
    '让模型查询 PostgreSQL、MySQL',
    '与 SQLite。语句执行前先展示，',
    '运行“plugmark outdated”可以',
    '查看。',
  ])
  const command = '没有可读取的配置档。可以这样创建：/tmp/some/long/path/of/harness plugin list'
  expect(wrapped(command, 40)).toEqual([
    '没有可读取的配置档。可以这样创建：',
    '/tmp/some/long/path/of/harness plugin',
    'list',
  ])
})

test('ends a style at the end of each line, and begins it again on the next', () => {
  const [red, bold, end] = ['\u001b[31m', '\u001b[1m', '\u001b[22m\u001b[39m']
  const lines = wrapped(`${red}one ${bold}two three four\u001b[22m five six\u001b[39m seven`, 20)
  expect(safeText(lines.join('\n')), 'nothing of it is taken out').toBe(lines.join('\n'))
  expect(lines).toEqual([`${red}one ${bold}two three four\u001b[22m${end}`, `${red}five six\u001b[39m seven`])
})

test('begins no line of Chinese with a mark that ends a sentence', () => {
  const text = '安装前先在副本中试用，失败则不做任何改动。可以撤销：运行 plugmark undo。'.repeat(3)
  for (const shown of [text, `\u001b[33m${text}\u001b[39m`, `! \u001b[1m${text}\u001b[22m`])
    for (let columns = 22; columns < 60; columns++)
      for (const line of wrapped(shown, columns)) {
        expect(stripVTControlCharacters(line)).not.toMatch(/^[，。：]/)
        expect(widthOf(line)).toBeLessThanOrEqual(columns)
      }
})

test('wraps the last column where nothing may be lost, and keeps the other columns in line when it moves below', () => {
  const rows = [
    ['first', 'on', 'Refused by harness 0.3.0: it declares to need an older one than this.'],
    ['a-second-name', 'off', ''],
  ] as const
  expect(table(rows, 60, { wraps: true })).toEqual([
    'first          on   Refused by harness 0.3.0: it declares to',
    '                    need an older one than this.',
    'a-second-name  off',
  ])
  expect(table(rows, 45, { wraps: true })).toEqual([
    'first          on',
    '    Refused by harness 0.3.0: it declares to',
    '    need an older one than this.',
    'a-second-name  off',
  ])
})

test('keeps an address on one line, so that it can be opened and copied', () => {
  const address = `https://directory.example/plugin/${'long-name-'.repeat(9)}`
  expect(wrapped(address, 40)).toEqual([address])
})

test('gives a coloured cell that has no room left no width', () => {
  const dim = (text: string) => `\u001b[2m${text}\u001b[22m`
  const [line = ''] = table([['a'.repeat(20), ['2026-11-28', dim] as const, 'A sentence.']], 20)
  expect(line).toBe('a'.repeat(20))
})

test('wraps text between words, and Chinese at any character', () => {
  expect(wrapped('one two three four five six', 20)).toEqual(['one two three four', 'five six'])
  for (const line of wrapped('插件'.repeat(30), 25, '  ')) expect(widthOf(line)).toBeLessThanOrEqual(25)
})
