import { expect, test } from 'vitest'
import { markTerms } from './marks.ts'

const marked = (text: string, ...terms: string[]) =>
  markTerms(text, terms)
    .map((piece) => (piece.isHit ? `[${piece.text}]` : piece.text))
    .join('')

test.each([
  ['Sends Telegram messages', ['telegram'], 'Sends [Telegram] messages'],
  ['git-commit', ['git', 'commit'], '[git]-[commit]'],
  ['在磁盘上保存笔记', ['笔记'], '在磁盘上保存[笔记]'],
  ['committed', ['commit', 'committed'], '[committed]'],
  ['nothing here', ['telegram'], 'nothing here'],
  ['', ['x'], ''],
])('marks the terms in "%s"', (text, terms, expected) => {
  expect(marked(text, ...terms)).toBe(expected)
})
