import { expect, it } from 'vitest'
import { languageFor } from './index.ts'

it.each([
  ['en', ['zh-CN', 'en'], 'zh'],
  ['en-US', ['de', 'en'], 'en'],
  ['zh-CN', ['en-US'], 'zh'],
  ['', ['zh'], 'zh'],
  ['fr', ['de'], 'en'],
] as const)('on a page in “%s”, a person who reads %j is spoken to in %s', (page, personal, language) => {
  expect(languageFor(page, personal)).toBe(language)
})
