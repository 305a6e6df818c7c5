import { describe, expect, it } from 'vitest'
import { repositoryOfLink, targetOfTextLink } from './repository-link.ts'

const HOST = 'https://github.com'
const of = (href: string) => repositoryOfLink(new URL(href, HOST).href, HOST)

describe('a link of a list', () => {
  it.each([
    ['/lanternworks/dsh-plugin-paper-kite', 'lanternworks/dsh-plugin-paper-kite'],
    ['/LanternWorks/Dsh.Plugin_Kite', 'lanternworks/dsh.plugin_kite'],
    ['/lanternworks/kite/', 'lanternworks/kite'],
    ['/lanternworks/kite.git', 'lanternworks/kite'],
    ['/lanternworks/kite?tab=readme#top', 'lanternworks/kite'],
    ['/lanternworks/kite#what?', 'lanternworks/kite'],
    ['https://github.com/lanternworks/.github', 'lanternworks/.github'],
    ['/managed_acme/kite', 'managed_acme/kite'],
  ])('%s names %s', (href, key) => {
    expect(of(href)).toBe(key)
  })

  it.each([
    '/lanternworks',
    '/',
    '/lanternworks/kite/issues',
    '/lanternworks/kite/tree/main',
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
    'https://github.com:8443/kite',
    'https://github.com@lanternworks/kite',
    'http://github.com/lanternworks/kite',
    'javascript:void(0)',
    'mailto:a@example.com',
  ])('%s names no repository', (href) => {
    expect(of(href)).toBeNull()
  })

  it('is of the host the script runs on, whichever that is', () => {
    expect(repositoryOfLink('http://127.0.0.1:4000/a/b', 'http://127.0.0.1:4000')).toBe('a/b')
    expect(repositoryOfLink('https://github.com/a/b', 'http://127.0.0.1:4000')).toBeNull()
  })
})

describe('a link somebody wrote', () => {
  it.each([
    ['https://github.com/lanternworks/kite', null],
    ['http://github.com/lanternworks/kite', null],
    ['https://www.github.com/LanternWorks/Kite.git', null],
    ['https://GitHub.com/lanternworks/kite/?tab=readme#top', null],
    ['/lanternworks/kite', null],
    ['/lanternworks/kite/tree/main', 'main'],
    ['/lanternworks/kite/tree/main/packages/Red%20Tail/', 'main/packages/red tail'],
    ['/lanternworks/kite.git/tree/v1.0/100%/x', 'v1.0/100%/x'],
  ])('%s leads to %s', (href, tree) => {
    expect(targetOfTextLink(new URL(href, HOST).href, HOST)).toEqual({ repository: 'lanternworks/kite', tree })
  })

  it.each([
    '/lanternworks/kite/issues/3',
    '/lanternworks/kite/blob/main/README.md',
    '/lanternworks/kite/tree',
    '/topics/kite',
    'https://gist.github.com/lanternworks/kite',
    'https://github.com.example.com/lanternworks/kite',
    'https://github.community/kite',
    'https://www.github.com.example/kite',
    'http://github.com:443/kite',
    'https://github.com@lanternworks/kite',
    'https://raw.githubusercontent.com/lanternworks/kite',
    'ftp://github.com/lanternworks/kite',
    'git+ssh://git@github.com/lanternworks/kite.git',
  ])('%s leads to none', (href) => {
    expect(targetOfTextLink(new URL(href, HOST).href, HOST)).toBeNull()
  })
})
