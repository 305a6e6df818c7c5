import { expect, test } from 'vitest'
import { readPackages, verifyBuild } from './reading.ts'
import { packPackage } from './testing.ts'

/** Packs a package that no reader gets through. */
const packSlow = () => {
  const code = `x = ${'a.'.repeat(30_000)}b;`.repeat(60)
  return packPackage(Object.fromEntries(Array.from('abcdef', (name) => [`${name}.js`, `${code}//${name}`])))
}

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
  const slow = await packSlow()
  let ticks = 0
  const timer = setInterval(() => ticks++, 10)
  expect(await readPackages([slow], { signal: new AbortController().signal, limitMs: 300 })).toEqual([
    { state: 'too-slow' },
  ])
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(3)
})

test('ends the reading when the host closes', async () => {
  const slow = await packSlow()
  const closing = new AbortController()
  const reading = readPackages([slow], { signal: closing.signal })
  closing.abort()
  expect(await reading).toEqual([{ state: 'too-slow' }])
  expect(await readPackages([slow], { signal: closing.signal })).toEqual([{ state: 'too-slow' }])
})

test('keeps the reading of one version where the other one takes too long', async () => {
  const [good, slow] = [await packPackage({ 'index.js': 'eval(x)' }), await packSlow()]
  const readings = await readPackages([good, slow], { signal: new AbortController().signal, limitMs: 4_000 })
  expect(readings).toMatchObject([{ state: 'read', abilities: [{ kind: 'runs-text' }] }, { state: 'too-slow' }])
})

test('reads in at most two workers at once, and leaves the queue when that is aborted', async () => {
  const { signal } = new AbortController()
  const ended: string[] = []
  const slow = [await packSlow(), await packSlow()].map((tarball, index) =>
    readPackages([tarball], { signal, limitMs: 2_000 + index }).then(() => ended.push('slow')),
  )
  const [quick, given] = [await packPackage({}), await packPackage({})]
  const leaving = new AbortController()
  const waiting = readPackages([quick], { signal }).then(([reading]) => ended.push(reading!.state))
  const left = readPackages([given], { signal: leaving.signal }).then(([reading]) =>
    ended.push(`left ${reading!.state}`),
  )
  leaving.abort()
  await Promise.all([...slow, waiting, left])
  expect(ended.slice(0, 2)).toEqual(['left too-slow', 'slow'])
  expect(ended.toSorted()).toEqual(['left too-slow', 'read', 'slow', 'slow'])
})

test('calls a task failed whose worker crashes, or cannot be given it, and reads the next one', async () => {
  const limits = { signal: new AbortController().signal }
  // A worker gets no methods, and throws on what is no list.
  const noList = Object.assign(
    Object.create({ flatMap: () => [], map: (one: (...given: unknown[]) => unknown) => [one(null, 0)] }),
    { length: 1 },
  )
  expect(await readPackages(noList, limits)).toEqual([{ state: 'failed' }])
  const stated = { name: 'a', version: '1.0.0', sha512: '' }
  expect(await verifyBuild({ answer: () => {}, stated }, limits)).toEqual({ state: 'unknown', reason: 'failed' })
  expect(await readPackages([await packPackage({})], limits)).toMatchObject([{ state: 'read' }])
})
