import { expect, it } from 'vitest'
import { localeFor } from './page-locale.ts'

it.each([
  ['en', ['zh-CN', 'en'], 'zh'],
  ['en-US', ['de', 'en'], 'en'],
  ['zh-CN', ['en-US'], 'zh'],
  ['', ['zh'], 'zh'],
  ['fr', ['de'], 'en'],
] as const)('on a page in “%s”, the user who prefers %j gets messages in %s', (page, preferred, locale) => {
  expect(localeFor('auto', page, preferred)).toBe(locale)
})

it('uses the language that the user chose, whatever the page and the browser prefer', () => {
  expect(localeFor('en', 'zh-CN', ['zh'])).toBe('en')
})
