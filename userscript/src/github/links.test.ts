import reservedNames from 'github-reserved-names/reserved-names.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { createLinkParser, parseRepositoryUrl, RESERVED } from './links.ts'

const HOST = 'https://github.com'
const parse = (href: string) => parseRepositoryUrl(new URL(href, HOST), HOST)

it.each([
  ['/lanternworks/dsh-plugin-paper-kite', 'lanternworks/dsh-plugin-paper-kite'],
  ['/LanternWorks/Dsh.Plugin_Kite', 'lanternworks/dsh.plugin_kite'],
  ['/lanternworks/kite/', 'lanternworks/kite'],
  ['/lanternworks/kite.git', 'lanternworks/kite'],
  ['/lanternworks/kite?tab=readme#top', 'lanternworks/kite'],
  ['/lanternworks/kite#what?', 'lanternworks/kite'],
  ['https://github.com/lanternworks/.github', 'lanternworks/.github'],
  ['http://github.com/lanternworks/kite', 'lanternworks/kite'],
  ['https://www.github.com/LanternWorks/Kite.git', 'lanternworks/kite'],
  ['https://redirect.github.com/LanternWorks/Kite', 'lanternworks/kite'],
  ['https://GitHub.com/lanternworks/kite/?tab=readme#top', 'lanternworks/kite'],
  ['/managed_acme/kite', 'managed_acme/kite'],
  ['/moss/dsh%2Dlantern', 'moss/dsh-lantern'],
  ['/m%6Fss/dsh-lantern%2Egit', 'moss/dsh-lantern'],
])('parses %s as the repository %s', (href, repository) => {
  expect(parse(href)).toEqual({ repository, tree: null, isBlob: false })
})

it.each([
  ['/lanternworks/kite/tree/main', 'main', false],
  ['/lanternworks/kite/tree/main/packages/Red%20Tail/', 'main/packages/Red Tail', false],
  ['/lanternworks/kite.git/tree/v1.0/100%/x', 'v1.0/100%/x', false],
  ['/lanternworks/kite/blob/main/packages/red', 'main/packages/red', true],
])('parses %s as the place %s in a repository', (href, tree, isBlob) => {
  expect(parse(href)).toEqual({ repository: 'lanternworks/kite', tree, isBlob })
})

it.each([
  '/lanternworks',
  '/',
  '/lanternworks/kite/issues/3',
  '/lanternworks/kite/tree',
  '/lanternworks/kite/tree/',
  '/lanternworks/kite/blob',
  '/lanternworks/kite/blobs/main',
  '/topics/harness-plugin',
  '/Sponsors/lanternworks',
  '/orgs/lanternworks',
  '/settings/profile',
  '/search/advanced',
  '/lanternworks/.git',
  '/lanternworks/kite%2Fissues',
  '/lanternworks/kite%20tools',
  '/lanternworks/100%',
  'https://example.com/lanternworks/kite',
  'https://gist.github.com/lanternworks/kite',
  'https://github.community/kite',
  'https://github.com.example/kite',
  'https://www.github.com.example/kite',
  'https://github.com:8443/kite',
  'http://github.com:443/kite',
  'https://github.com@lanternworks/kite',
  'https://raw.githubusercontent.com/lanternworks/kite',
  'ftp://github.com/lanternworks/kite',
  'git+ssh://git@github.com/lanternworks/kite.git',
  'javascript:void(0)',
  'mailto:a@example.com',
])('refuses %s as the address of a repository', (href) => {
  expect(parse(href)).toBeNull()
})

it('takes for pages of the code host only names that no owner can have', () => {
  expect(RESERVED.filter((name) => !reservedNames.includes(name))).toEqual([])
})

it('recognises repositories of the host on which the script runs', () => {
  expect(parseRepositoryUrl(new URL('http://127.0.0.1:4000/a/b'), 'http://127.0.0.1:4000')?.repository).toBe('a/b')
  expect(parseRepositoryUrl(new URL('https://github.com/a/b'), 'http://127.0.0.1:4000')).toBeNull()
})

const PAGE = 'https://github.com/lanternworks/kites/issues/1'
const keyOf = (linkStyle: 'list' | 'prose', written: string) =>
  createLinkParser(
    linkStyle,
    new URL(PAGE),
  )(
    Object.assign(new URL(written, PAGE), {
      textContent: 'kites',
      closest: () => null,
    }) as unknown as HTMLAnchorElement,
  )?.key ?? null

it.each([
  ['/a/b', 'a/b', 'a/b'],
  ['/a/b/tree/main/red', null, 'a/b/tree/main/red'],
  // A path that may be a file counts only if it is a listing itself.
  ['/a/b/blob/main/red', null, 'a/b#main/red'],
  ['/lanternworks/kites', 'lanternworks/kites', null],
  ['/lanternworks/kites/tree/main/red', null, 'lanternworks/kites#main/red'],
  ['/A/B/?tab=readme#top', 'a/b', 'a/b'],
  ['https://github.com/a/b', 'a/b', 'a/b'],
  // None of the code host's lists contains this spelling of its address.
  ['http://github.com/a/b', null, 'a/b'],
  ['../../../../a/b', 'a/b', 'a/b'],
  ['/a/b/pkgs/npm/some-package', null, 'a/b'],
  ['/a/b/pkgs/container/some-image', null, null],
  ['//elsewhere.example/a/b', null, null],
  ['//a/b', null, null],
])('resolves %s to %s in a list and to %s in prose of lanternworks/kites', (href, inList, inProse) => {
  expect([keyOf('list', href), keyOf('prose', href)]).toEqual([inList, inProse])
})

it.each([
  'http:',
  'http:/',
  'https://',
  'http:github.com:99999',
  'https:/bad host/github.com/a/b',
  'httpx:github.com',
  'https:github.com/a/b/[',
  'mailto:a@b/c/d',
])('gives no badge to a link whose address is %s, as anybody can write it in a comment', (href) => {
  const link = { href, textContent: 'kites', closest: () => null } as unknown as HTMLAnchorElement
  for (const style of ['list', 'prose'] as const) expect(createLinkParser(style, new URL(PAGE))(link)).toBeNull()
})
