import { expect, it } from 'vitest'
import { messagesFor } from './index.ts'

it.each([
  ['en', ['zh-CN', 'en'], 'zh'],
  ['en-US', ['de', 'en'], 'en'],
  ['zh-CN', ['en-US'], 'zh'],
  ['', ['zh'], 'zh'],
  ['fr', ['de'], 'en'],
] as const)('on a page in “%s”, a person who prefers %j gets messages in %s', (page, preferred, locale) => {
  expect(messagesFor('auto', page, preferred).locale).toBe(locale)
})

it('a language that the person chose counts, whatever the page and the browser say', () => {
  expect(messagesFor('en', 'zh-CN', ['zh']).locale).toBe('en')
})
