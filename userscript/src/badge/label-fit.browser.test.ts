import { afterEach, beforeAll, expect, it } from 'vitest'
import { voiceFor } from '../i18n/index.ts'
import { styles } from '../styles.ts'
import { labelOf } from './badge.ts'
import { createBadges } from './badges.ts'

afterEach(() => document.body.replaceChildren())

/** One listing, whose command can be copied. */
const FACE = 1 << 8

const badges = createBadges({ voice: () => voiceFor('en', 'en', []), onCreate: () => {} })

beforeAll(styles.addBadge)

/** A row of a list, 300 px wide, with a badge; its look is its own to each test, for what was found out stays. */
function row(look: string, name: string): HTMLElement {
  const line = document.createElement('h3')
  line.className = look
  line.style.cssText = 'width: 300px; font: 16px/20px monospace'
  const link = document.createElement('a')
  link.href = `/lantern/${name}`
  link.textContent = name
  line.append(link)
  document.body.append(line)
  const badge = badges.create(`lantern/${name}`, FACE, link)
  link.after(badge)
  return labelOf(badge)
}

it('a line that has no room is measured, and one as long that looks like it has no word from the beginning', () => {
  const [short, long] = [row('list', 'moss'), row('list', 'anameoftwentyfourletters')]
  expect(long.textContent).not.toBe('')
  badges.fit()
  expect([short.textContent, long.textContent]).toEqual([expect.stringMatching(/./), ''])

  expect(row('list', 'bnameoftwentyfourletters').textContent).toBe('')
  expect(row('list', 'fern').textContent).not.toBe('')
  expect(row('wider list', 'cnameoftwentyfourletters').textContent).not.toBe('')
})

it('a line without room for the badge itself says nothing of shorter ones', () => {
  const name = 'anamethatfillsitslineuptotheend'
  row('full', name)
  badges.fit()
  // Made without a word, and still below its link.
  expect(row('full', name).textContent).toBe('')
  badges.fit()
  expect(row('full', name.slice(0, -4)).textContent).not.toBe('')
})

it('a line is measured though somebody has asked for what is fresh', () => {
  const label = row('asked', 'anameoftwentyfourletters')
  expect(badges.fresh()).not.toHaveLength(0)
  badges.fit()
  expect(label.textContent).toBe('')
})
