import { brotliDecompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { CodedBodies, codingFor } from './encoding.ts'

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
] as const)('%s → %s', ([accepted, coding]) => {
  expect(codingFor(accepted)).toBe(coding)
})

const page = Buffer.from('a page of plugins '.repeat(100))

test('codes a body once for each validator and coding', async () => {
  const bodies = new CodedBodies()
  const read = vi.fn(async () => page)
  await bodies.get('a', 'br', read)
  await bodies.get('a', 'br', read)
  expect(read).toHaveBeenCalledTimes(1)
  await bodies.get('a', 'gzip', read)
  await bodies.get('b', 'br', read)
  expect(read).toHaveBeenCalledTimes(3)
})

test('leaves small bodies alone', async () => {
  const { bytes, coding } = await new CodedBodies().get('a', 'br', async () => Buffer.from('{}'))
  expect([bytes.toString(), coding]).toEqual(['{}', null])
})

test('forgets the oldest of many', async () => {
  const bodies = new CodedBodies()
  const read = vi.fn(async () => page)
  for (let i = 0; i < 80; i++) await bodies.get(`${i}`, 'gzip', read)
  await bodies.get('79', 'gzip', read)
  expect(read).toHaveBeenCalledTimes(80)
  await bodies.get('0', 'gzip', read)
  expect(read).toHaveBeenCalledTimes(81)
})

test('a body that cannot be read is asked for again', async () => {
  const bodies = new CodedBodies()
  await expect(bodies.get('a', 'br', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect((await bodies.get('a', 'br', async () => page)).coding).toBe('br')
})

test('puts a smaller coding in the place of the quick one of a large body', async () => {
  const bodies = new CodedBodies()
  const large = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `row ${(i * i) % 9973};`).join(''))
  const ask = () => bodies.get('large', 'br', async () => large)
  const first = await ask()
  await expect.poll(async () => (await ask()).bytes.length).toBeLessThan(first.bytes.length)
  expect(brotliDecompressSync((await ask()).bytes)).toEqual(large)
})
