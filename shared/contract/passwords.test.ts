import { expect, test } from 'vitest'
import { hidePasswords } from './passwords.ts'

test.each([
  ['a password', 'git+https://me:pa@ss@host.example/r.git failed', 'git+https://***@host.example/r.git failed'],
  ['a token alone', 'https://ghp_0123456789abcdefghij@host.example', 'https://***@host.example'],
  ['a token of the query', 'http://127.0.0.1:1/?token=abc&x=1', 'http://127.0.0.1:1/?token=***&x=1'],
  ['a short token alone', 'https://tok123@host.example/', 'https://***@host.example/'],
  ['a short token of git', 'git+https://tok123@host.example/', 'git+https://***@host.example/'],
  ['a password with a slash', 'https://me:p/w@host.example/', 'https://***@host.example/'],
  ['a password with a question mark', 'https://me:p?w@host.example/', 'https://***@host.example/'],
  ['a client secret', 'https://host.example/?client_secret=abc', 'https://host.example/?client_secret=***'],
  ['a password named otherwise', 'https://host.example/?user_password=abc', 'https://host.example/?user_password=***'],
  ['a key with a hyphen', 'https://host.example/?a=1&api-key=abc', 'https://host.example/?a=1&api-key=***'],
  [
    'a signature',
    'https://host.example/x.tgz?X-Amz-Signature=ab&sig=c',
    'https://host.example/x.tgz?X-Amz-Signature=***&sig=***',
  ],
  ['a token of a fragment', 'https://host.example/#access_token=abc', 'https://host.example/#access_token=***'],
  ['a token of a registry', '//host.example/:_authToken=abc', '//host.example/:_authToken=***'],
  ['nothing of an address in a query', 'http://localhost:3000?mail=a@b.c', 'http://localhost:3000?mail=a@b.c'],
  ['nothing of a port', 'http://localhost:3000/@acme/kit@1.0.0', 'http://localhost:3000/@acme/kit@1.0.0'],
  ['nothing of IPv6', 'http://[::1]:3000/@acme/kit', 'http://[::1]:3000/@acme/kit'],
  ['nothing of JSON', '{"a":"http://h.example:80","b":"a@b.c"}', '{"a":"http://h.example:80","b":"a@b.c"}'],
  ['nothing of other parameters', 'https://h.example/?monkey=1&q=secret', 'https://h.example/?monkey=1&q=secret'],
  ['nothing of a scope or a short user', 'ssh://git@host.example/@acme/kit', 'ssh://git@host.example/@acme/kit'],
  ['nothing of an address without a user', 'see https://host.example/a@b', 'see https://host.example/a@b'],
])('hides %s', (_, text, shown) => {
  expect(hidePasswords(text)).toBe(shown)
})

test.each([
  ['a name of underscores', `https://x?${'_'.repeat(40_000)}`],
  ['many addresses without a password', '//:x'.repeat(20_000)],
])('takes no longer than a moment for %s, as a plugin can write either', (_, text) => {
  const start = process.cpuUsage()
  hidePasswords(text)
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(1)
})
