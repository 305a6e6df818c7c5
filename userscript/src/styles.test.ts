import { expect, test } from 'vitest'
import { BADGE_STYLES } from './badge/styles.ts'
import { CARD_STYLES } from './card/styles.ts'
import { SETTINGS_STYLES } from './settings/styles.ts'

test.each([
  ['a badge is not selected with the text around it', BADGE_STYLES, 'none'],
  ['a command in a card is selected whole', CARD_STYLES, 'all'],
  ['and one in the settings', SETTINGS_STYLES, 'all'],
])('%s, in Safari too, which knows that only by its prefix', (_, styles, value) => {
  expect(styles.match(/\S*user-select: \w+/g)).toEqual([`-webkit-user-select: ${value}`])
})
