import { describe, expect, it } from 'vitest'
import { pageKind } from './index.ts'
import { search, searchExamples } from './search.ts'
import { topic, topicExamples } from './topic.ts'

const at = (path: string) => new URL(path, 'https://github.com')

describe.each([
  { kind: topic, examples: topicExamples },
  { kind: search, examples: searchExamples },
])('$kind.name page', ({ kind, examples }) => {
  it.each(examples.paths)('is %s', (path) => {
    expect(pageKind(at(path))).toBe(kind)
  })

  it.each(examples.otherPaths)('is not %s', (path) => {
    expect(kind.applies(at(path))).toBe(false)
  })
})

it('knows no kind for a page it does not mark', () => {
  expect(pageKind(at('/lanternworks/dsh-plugin-harbor-notes'))).toBeNull()
})
