import fc from 'fast-check'
import width from 'fast-string-truncated-width'
import { describe, expect, test } from 'vitest'
import { type Cell, cut, items, table, wrapped } from './columns.ts'
import { factLines, pageFor } from './terminal.ts'

/** Width in a Chinese terminal, where these take two columns. */
const widest = (text: string) => width(text).width + (text.match(/[“”‘’…—]/g)?.length ?? 0)

const WORDS = [
  'a',
  'plugin',
  'owner/some-plugin',
  '“quoted”',
  '‘it’s’',
  '— so …',
  '插件',
  '“商店”',
  '，',
  '👩‍👩‍👧',
  'é',
  'x'.repeat(70),
  '很长'.repeat(60),
]
const text = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(' ', '')), { maxLength: 30 })
  .map((parts) => parts.flat().join('').trim())
const columns = fc.constantFrom(40, 60, 80, 200)
const bold = (part: string) => `\u001b[1m${part}\u001b[22m`
const cell = fc.tuple(text, fc.boolean()).map(([text, isBold]): Cell => (isBold ? [text, bold] : text))

/** Checks that no line of any text is wider than the terminal. */
const fits = <T>(given: fc.Arbitrary<T>, write: (given: T, columns: number) => readonly string[]) =>
  fc.assert(
    fc.property(given, columns, (given, columns) => {
      for (const line of write(given, columns)) expect(widest(line), JSON.stringify(line)).toBeLessThanOrEqual(columns)
    }),
    { numRuns: 400 },
  )

describe('no line is wider than the terminal, with typographic quotes, Chinese and cut texts', () => {
  test('a text that is cut', () => fits(text, (text, columns) => [cut(text, columns)]))
  test('a text that is wrapped, whose letters all stay', () =>
    fits(text, (text, columns) => {
      const lines = wrapped(text, columns, '    ')
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      return lines
    }))
  test('a table', () =>
    fits(fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 }), table))
  test('terms with descriptions', () =>
    fits(fc.array(fc.tuple(fc.constantFrom('install', '--all', 'show “x”'), text), { minLength: 1 }), items))
  test('facts', () =>
    fits(
      fc.array(fc.tuple(fc.constantFrom('Install check', '安装检查', 'The “name”'), text), { minLength: 1 }),
      (facts, columns) =>
        factLines(
          facts,
          pageFor({ isTTY: true, columns }, { env: {}, stdout: {}, stderr: {}, locale: 'zh', color: 'always' }),
        ),
    ))
})
