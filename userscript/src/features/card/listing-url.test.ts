import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listingUrl } from './card-details.ts'

describe('listingUrl', () => {
  const longest = 'a'.repeat(200)
  it.each([
    ['https://example.org', '/plugins/koi', 'https://example.org/plugins/koi'],
    ['https://example.org/', '/plugins/koi-pond-2', 'https://example.org/plugins/koi-pond-2'],
    ['https://example.org/dir', '/plugins/koi', 'https://example.org/dir/plugins/koi'],
    ['http://127.0.0.1:8787', '/plugins/koi', 'http://127.0.0.1:8787/plugins/koi'],
    ['https://example.org', `/plugins/${longest}`, `https://example.org/plugins/${longest}`],
    ['javascript:alert(1)', '/plugins/koi', null],
    ['no address', '/plugins/koi', null],
    [undefined, undefined, null],
  ])('joins %j and %j to %j', (site, path, expected) => expect(listingUrl(site, path)).toBe(expected))

  it.each([
    null,
    7,
    '',
    '/',
    '/koi',
    'plugins/koi',
    '?koi',
    '@evil.test/koi',
    '//evil.test/koi',
    'javascript:alert(1)',
    '/other/koi',
    '/plugins',
    '/plugins/',
    '/plugins//koi',
    '/plugins/koi/',
    '/plugins/koi/edit',
    '/plugins/..',
    '/plugins/../admin',
    '/plugins/%2e%2e/admin',
    '/plugins/%2e%2e',
    '/plugins/koi%20pond',
    '/plugins/koi.pond',
    '/plugins/Koi',
    '/plugins/鲤鱼',
    '/plugins/-',
    '/plugins/koi?next=//evil.test',
    '/plugins/koi#install',
    '/plugins/koi\\pond',
    '/plugins/koi pond',
    ' /plugins/koi',
    '/plugins/koi ',
    '/plugins/koi\n',
    '/plugins/ko\ti',
    '/plugins/koi\u0000',
    '/plugins/koi"onclick',
    "/plugins/koi'",
    '/plugins/koi<b>',
    `/plugins/${longest}a`,
    ['/plugins/koi'],
  ])('refuses %j as the path of a listing', (path) => expect(listingUrl('https://example.org', path)).toBeNull())

  it('never leaves the pages of listings', () => {
    const path = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.stringMatching(/^[/\\@:.\t\n]{1,6}evil\.test\/$/),
      fc.stringMatching(/^\/plugins\/[a-z0-9./%?#\\-]{0,12}$/),
    )
    fc.assert(
      fc.property(path, (text) => {
        const url = listingUrl('https://example.org', text)
        if (url !== null) expect(url).toMatch(/^https:\/\/example\.org\/plugins\/[a-z0-9-]+$/)
      }),
      { numRuns: 5000 },
    )
  })
})
