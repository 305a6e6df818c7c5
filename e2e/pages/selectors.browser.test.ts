import { search, searchExamples } from '@plugmark/userscript/pages/search'
import { topic, topicExamples } from '@plugmark/userscript/pages/topic'
import { describe, expect, it } from 'vitest'
import type { Row } from './row.ts'
import { searchPage } from './search.ts'
import { topicPage } from './topic.ts'

const ROWS: readonly Row[] = ['wren-abbot/kite', 'Lanternworks/Slate_Mill', 'wren-abbot/dsh.plugin-x'].map(
  (fullName) => ({
    fullName,
    description: 'An invented repository.',
    stars: 3,
    language: null,
  }),
)

describe.each([
  { kind: topic, examples: topicExamples, markup: topicPage(ROWS) },
  { kind: search, examples: searchExamples, markup: searchPage(ROWS) },
])('the selector of the $kind.name page', ({ kind, examples, markup }) => {
  const page = new DOMParser().parseFromString(markup, 'text/html')
  const matched = [...page.querySelectorAll<HTMLAnchorElement>(kind.selector)]

  it('matches one link a row, the one that names the repository', () => {
    expect(matched).toHaveLength(examples.links(ROWS.length))
    expect(page.querySelectorAll('main a[href]').length, 'with decoys around it').toBeGreaterThan(6 * ROWS.length)
    expect(matched.map((link) => link.getAttribute('href'))).toEqual(ROWS.map(({ fullName }) => `/${fullName}`))
  })
})
