import { expect, it } from 'vitest'
import { startWords } from '../i18n/start-words.ts'
import { labelText } from './badge.ts'

it.each(['constructor', 'no-such-category', null])('labels a stored badge of the category %s as other', (category) => {
  const data = { category, count: 1, action: 'copy', isRoot: true }
  expect(labelText(data, startWords('en'))).toBe(startWords('en').categories.other)
})
