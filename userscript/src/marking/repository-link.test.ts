import { describe, expect, it } from 'vitest'
import { repositoryOfLink } from './repository-link.ts'

const HOST = 'https://github.com'
const of = (href: string) => repositoryOfLink(new URL(href, HOST).href, HOST)

describe('a link of a list', () => {
  it.each([
    ['/lanternworks/dsh-plugin-paper-kite', 'lanternworks/dsh-plugin-paper-kite'],
    ['/LanternWorks/Dsh.Plugin_Kite', 'lanternworks/dsh.plugin_kite'],
    ['/lanternworks/kite/', 'lanternworks/kite'],
    ['/lanternworks/kite.git', 'lanternworks/kite'],
    ['/lanternworks/kite?tab=readme#top', 'lanternworks/kite'],
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
    '/lanternworks/..%2fkite',
    '/lantern%20works/kite',
    'https://example.com/lanternworks/kite',
    'https://gist.github.com/lanternworks/kite',
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
