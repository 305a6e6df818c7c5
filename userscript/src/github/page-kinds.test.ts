import { describe, expect, it } from 'vitest'
import { addressOf } from './address.ts'
import { EXAMPLES } from './examples.ts'
import { PAGE_KINDS, pageKind } from './page-kinds.ts'

const at = (path: string, host = 'https://github.com') => addressOf(new URL(path, host))

it('has examples of every kind', () => {
  expect(EXAMPLES.map(({ kind }) => kind)).toEqual(PAGE_KINDS)
})

describe.each(EXAMPLES)('$kind.name page', ({ kind, examples }) => {
  it.each(examples.paths)('is %s', (path) => {
    expect(pageKind(at(path))?.name).toBe(kind.name)
  })

  it.each(examples.otherPaths)('is not %s', (path) => {
    expect(kind.applies(at(path))).toBe(false)
  })
})

it.each(EXAMPLES.flatMap(({ examples }) => examples.paths))('on the host of gists, %s is text', (path) => {
  const { pathname, search } = new URL(path, 'https://github.com')
  expect(pageKind(at(pathname + search, 'https://gist.github.com'))?.name).toBe('text')
})

it.each(['/settings/profile', '/notifications', '/search?q=x&type=issues', '/features/actions', '/topics'])(
  'knows no kind for %s',
  (path) => {
    expect(pageKind(at(path))).toBeNull()
  },
)
