import { describe, expect, it } from 'vitest'
import { isKind, PAGE_KINDS, pageKindOf } from './page-kinds.ts'
import { PAGE_EXAMPLES } from './page-kinds-testing.ts'

const at = (path: string, host = 'https://github.com') => new URL(path, host)

describe.each(PAGE_KINDS)('$name page', (kind) => {
  const { name } = kind
  const { paths, otherPaths } = PAGE_EXAMPLES[name]

  it.each(paths)('matches %s', (path) => {
    expect(pageKindOf(at(path), null)?.name).toBe(name)
  })

  it.each(otherPaths)('does not match %s', (path) => {
    expect(isKind(kind, at(path), null)).toBe(false)
  })
})

it.each(Object.values(PAGE_EXAMPLES).flatMap(({ paths }) => paths))(
  'treats %s as text on the host of gists',
  (path) => {
    const { pathname, search } = at(path)
    expect(pageKindOf(at(pathname + search, 'https://gist.github.com'), null)?.name).toBe('text')
  },
)

it.each(['/settings/profile', '/notifications', '/search?q=x&type=issues', '/features/actions', '/topics'])(
  'finds no page kind for %s',
  (path) => {
    expect(pageKindOf(at(path), null)).toBeNull()
  },
)
