import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { encode, negotiateEncoding } from './encoding.ts'

test.for([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5, deflate', 'gzip'],
  ['gzip, br', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['br; q=0.1, gzip;q=1.0', 'br'],
  ['gzip;q=0, br;q=0.0', null],
  ['brotli, xgzip', null],
] as const)('Accept-Encoding %s allows %s', ([accepted, encoding]) => {
  expect(negotiateEncoding(accepted)).toBe(encoding)
})

test.for([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a body in %s is smaller, and decodes to the same bytes', async ([encoding, decode]) => {
  const plain = Buffer.from('a page of plugins '.repeat(100))
  const encoded = await encode(plain, encoding)
  expect(encoded.length).toBeLessThan(plain.length)
  expect(decode(encoded)).toEqual(plain)
})
