import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

test.each([
  ['does not select a badge with the text around it', read('./start/start.css'), 'none'],
  ['selects a command in a card as a whole', read('./features/card/card.css'), 'all'],
  ['selects a command in the settings as a whole', read('./features/settings/settings.css'), 'all'],
])('%s, also in Safari, which supports user-select only with a prefix', (_, styles, value) => {
  expect(styles.match(/\S*user-select: \w+/g)?.[0]).toBe(`-webkit-user-select: ${value}`)
})
