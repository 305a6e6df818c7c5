import { expect, it } from 'vitest'
import { buildAddress } from './address.ts'

it.each([
  ['https://directory.example', 'https://directory.example'],
  ['https://Directory.example/', 'https://directory.example'],
  ['https://directory.example/plugins/', 'https://directory.example/plugins'],
  ['https://directory.example/?', 'https://directory.example'],
  ['https://directory.example/#', 'https://directory.example'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
  ['http://localhost:8787/', 'http://localhost:8787'],
])('parses %s as %s', (text, address) => {
  expect(buildAddress(text, 'directory address')).toBe(address)
})

it.each([
  ['', 'is not an http or https address'],
  ['directory.example', 'is not an http or https address'],
  ['http://directory.example', 'neither https nor http on this machine'],
  ['http://localhost.example', 'neither https nor http on this machine'],
  ['ftp://directory.example', 'is not an http or https address'],
  ['https://me:secret@directory.example', 'without user'],
  ['https://directory.example/?key=1', 'without user, query and fragment'],
])('refuses %s: %s', (text, reason) => {
  expect(() => buildAddress(text, 'directory address')).toThrow(reason)
  expect(() => buildAddress(text, 'directory address')).toThrow(/^The directory address “.*Write an address such as/)
})
