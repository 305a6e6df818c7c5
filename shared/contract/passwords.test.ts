import { expect, test } from 'vitest'
import { hidePasswords } from './passwords.ts'

test.each([
  ['a password', 'git+https://me:pa@ss@host.example/r.git failed', 'git+https://***@host.example/r.git failed'],
  ['a token alone', 'https://ghp_0123456789abcdefghij@host.example', 'https://***@host.example'],
  ['a token of the query', 'http://127.0.0.1:1/?token=abc&x=1', 'http://127.0.0.1:1/?token=***&x=1'],
  ['nothing of a scope or a short user', 'ssh://git@host.example/@acme/kit', 'ssh://git@host.example/@acme/kit'],
  ['nothing of an address without a user', 'see https://host.example/a@b', 'see https://host.example/a@b'],
])('hides %s', (_, text, shown) => {
  expect(hidePasswords(text)).toBe(shown)
})
