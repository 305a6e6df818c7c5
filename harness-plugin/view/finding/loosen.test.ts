import { expect, test } from 'vitest'
import { parseQuery, renderQuery } from '../../search/query.ts'
import { waysToLoosen } from './loosen.ts'

const ways = (text: string) => waysToLoosen(parseQuery(text)).map(({ query }) => renderQuery(query))

test.each<[string, string[]]>([
  ['', ['is:all']],
  ['is:all', []],
  ['kite is:all', ['is:all']],
  ['kite category:fun is:all', ['kite is:all', 'category:fun is:all']],
  ['kite notes is:all', ['notes is:all', 'kite is:all', 'is:all']],
  ['risk:none license:MIT is:all', ['license:MIT is:all', 'risk:none is:all', 'is:all']],
  ['kite category:fun', ['kite category:fun is:all', 'kite', 'category:fun', 'kite is:all']],
])('"%s" is loosened one part at a time, then by all words or all filters', (text, expected) => {
  expect(ways(text)).toEqual(expected)
})
