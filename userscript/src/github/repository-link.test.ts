import { expect, it } from 'vitest'
import { targetOfLink } from './repository-link.ts'

const HOST = 'https://github.com'
const of = (href: string) => targetOfLink(new URL(href, HOST).href, HOST)

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
  ['https://GitHub.com/lanternworks/kite/?tab=readme#top', 'lanternworks/kite'],
  ['/managed_acme/kite', 'managed_acme/kite'],
])('%s leads to %s', (href, repository) => {
  expect(of(href)).toEqual({ repository, tree: null, isBlob: false })
})

it.each([
  ['/lanternworks/kite/tree/main', 'main', false],
  ['/lanternworks/kite/tree/main/packages/Red%20Tail/', 'main/packages/red tail', false],
  ['/lanternworks/kite.git/tree/v1.0/100%/x', 'v1.0/100%/x', false],
  ['/lanternworks/kite/blob/main/packages/red', 'main/packages/red', true],
])('%s leads into it, to %s', (href, tree, isBlob) => {
  expect(of(href)).toEqual({ repository: 'lanternworks/kite', tree, isBlob })
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
])('%s leads to none', (href) => {
  expect(of(href)).toBeNull()
})

it('is of the host the script runs on, whichever that is', () => {
  expect(targetOfLink('http://127.0.0.1:4000/a/b', 'http://127.0.0.1:4000')?.repository).toBe('a/b')
  expect(targetOfLink('https://github.com/a/b', 'http://127.0.0.1:4000')).toBeNull()
})
