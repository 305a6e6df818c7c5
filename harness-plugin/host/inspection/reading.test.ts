import { expect, test } from 'vitest'
import { readPackages } from './reading.ts'
import { packPackage } from './testing.ts'

test('reads packages in a worker, each by itself', async () => {
  const plugin = await packPackage({ 'index.js': 'eval(x)' })
  const readings = await readPackages([plugin, Buffer.from('<!doctype html>')], {
    signal: new AbortController().signal,
  })
  expect(readings).toMatchObject([
    {
      state: 'read',
      abilities: [{ kind: 'runs-text', places: [{ file: 'index.js', line: 1 }] }],
    },
    { state: 'unreadable' },
  ])
})

test('gives up on a package that takes too long, and leaves the host free meanwhile', async () => {
  const slow = await packPackage({ 'index.js': `x = ${'a.'.repeat(30_000)}b;`.repeat(20) })
  let ticks = 0
  const timer = setInterval(() => ticks++, 10)
  expect(await readPackages([slow], { signal: new AbortController().signal, limitMs: 300 })).toEqual([
    { state: 'too-slow' },
  ])
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(3)
})

test('ends the reading when the host closes', async () => {
  const slow = await packPackage({ 'index.js': `x = ${'a.'.repeat(30_000)}b;`.repeat(20) })
  const closing = new AbortController()
  const reading = readPackages([slow], { signal: closing.signal })
  closing.abort()
  expect(await reading).toEqual([{ state: 'too-slow' }])
  expect(await readPackages([slow], { signal: closing.signal })).toEqual([{ state: 'too-slow' }])
})
