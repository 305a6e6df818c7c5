import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

test.each([
  ['a badge is not selected with the text around it', read('./badge/badge.css'), 'none'],
  ['a command in a card is selected whole', read('./card/card.css'), 'all'],
  ['and one in the settings', read('./settings/settings.css'), 'all'],
])('%s, in Safari too, which knows that only by its prefix', (_, styles, value) => {
  expect(styles.match(/\S*user-select: \w+/g)).toEqual([`-webkit-user-select: ${value}`])
})
