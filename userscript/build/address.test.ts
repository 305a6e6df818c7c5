import { expect, it } from 'vitest'
import { parseAddress } from './address.ts'

it.each([
  ['https://directory.example', 'https://directory.example'],
  ['https://Directory.example/', 'https://directory.example'],
  ['https://directory.example/plugins/', 'https://directory.example/plugins'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
  ['http://localhost:8787/', 'http://localhost:8787'],
])('parses %s as %s', (text, address) => {
  expect(parseAddress(text, 'API address')).toBe(address)
})

it.each([
  ['', 'is not an address'],
  ['directory.example', 'is not an address'],
  ['http://directory.example', 'neither https nor http on this machine'],
  ['ftp://directory.example', 'neither https nor http on this machine'],
  ['https://me:secret@directory.example', 'user name or password'],
  ['https://directory.example/?key=1', 'query or a fragment'],
])('refuses %s: %s', (text, reason) => {
  expect(() => parseAddress(text, 'API address')).toThrow(reason)
  expect(() => parseAddress(text, 'API address')).toThrow(/^The API address “.*Write an address such as/)
})
