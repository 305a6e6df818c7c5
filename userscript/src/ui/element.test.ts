import { expect, it } from 'vitest'
import { displayText } from './element.ts'

it.each([
  ['a right-to-left override', 'photo\u202egpj.exe', 'photo\ufffdgpj.exe'],
  ['an isolate that is never closed', 'a\u2067b', 'a\ufffdb'],
  ['a direction mark', 'a\u200fb\u061cc', 'a\ufffdb\ufffdc'],
  ['a space without width', 'pass\u200bword\ufeff', 'pass\ufffdword\ufffd'],
  ['a control character', 'a\0b\u001b[31mc\u0085', 'a\ufffdb\ufffd[31mc\ufffd'],
  ['a mark of annotation', 'a\ufff9b\u{e0001}c', 'a\ufffdb\ufffdc'],
  ['half a character', 'a\ud83d', 'a\ufffd'],
])('makes %s visible', (_, text, shown) => {
  expect(displayText(text)).toBe(shown)
})

it.each([
  'Plain words, 中文字符',
  'soft\u00adhyphen',
  'two\nlines\tand a tab',
  '👩‍💻 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'עברית and العربية \u06dd',
  '<b>&amp;</b>',
])('leaves %j unchanged', (text) => {
  expect(displayText(text)).toBe(text)
})
