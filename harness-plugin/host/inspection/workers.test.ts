import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { packTar } from 'modern-tar'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { packPackage } from './testing.ts'
import { type Reading, readPackages, verifyBuild, type WorkerTask } from './workers.ts'

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
  const ending = new AbortController()
  const emit = Worker.prototype.emit
  const emitting = vi.spyOn(Worker.prototype, 'emit').mockImplementation(function (this: Worker, ...event) {
    const isHeard = emit.apply(this, event)
    // The first reading has come, and the second one goes on.
    if (event[0] === 'message') ending.abort()
    return isHeard
  })
  onTestFinished(() => emitting.mockRestore())
  const readings = await readPackages([good, slow], { signal: ending.signal })
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

const MEGABYTE = 1_000_000
const filled = (part: (index: number) => string): string => {
  const parts: string[] = []
  for (let size = 0; size < MEGABYTE; size += parts.at(-1)!.length) parts.push(part(parts.length))
  return parts.join('')
}
const nested = (open: string, close: string) =>
  open.repeat(MEGABYTE / (open + close).length) + close.repeat(MEGABYTE / (open + close).length)

const HOSTILE = [
  ['a chain of a thousand calls', () => `z${'.method(0)'.repeat(1_000)}`],
  ['chains of calls', () => `${`z${'.m(0)'.repeat(200)};`.repeat(1_000)}`],
  ['one chain of members', () => `z${'.a'.repeat(MEGABYTE / 2)}`],
  ['calls of calls', () => `z${'(0)'.repeat(MEGABYTE / 3)}`],
  ['calls in calls', () => nested('a(', ')')],
  ['a hundred thousand brackets', () => nested('[', ']')],
  ['nested functions', () => nested('()=>{', '}')],
  ['nested blocks with names of all', () => `${'{'.repeat(2_000)}${'a;'.repeat(400_000)}${'}'.repeat(2_000)}`],
  ['nested functions with names of all', () => `${'()=>{'.repeat(800)}${'a;'.repeat(400_000)}${'}'.repeat(800)}`],
  ['nested conditions', () => filled(() => 'a?b:')],
  ['nine thousand operators', () => `x = ${'a||'.repeat(9_000)}b + ${'c+'.repeat(9_000)}d`],
  ['forty thousand names in a scope', () => filled((index) => `let name${index}=0;`)],
  ['names of one another', () => filled((index) => `var a${index}=a${index + 1},b${index}=a${index >> 1};`)],
  ['names in a circle', () => filled((index) => `f${index}=f${(index * 7) % 9_973}??g${index};`)],
  ['texts that double', () => `var t0='ab';${filled((index) => `var t${index + 1}=t${index}+t${index};`)}require(t9)`],
  ['assignments of one name', () => filled(() => 'n=n+n;require(n);')],
  ['labels', () => filled((index) => `l${index}:`).concat(';')],
  ['modules that are loaded', () => filled((index) => `require('./m${index}');require(x${index});`)],
  ['patterns of paths', () => filled((index) => `require('./m${index}/'+x);`)],
  ['a long line', () => `${filled(() => 'a=b,')}c`],
  [
    'lists of services of one another',
    () => filled((index) => `const s${index}=[...s${index + 1},...s${index + 1}];ctx.inject(s${index},f);`),
  ],
  ['text that makes functions', () => filled((index) => `Function('a${index}','return Function("b")(a)');`)],
  ['values that are assigned in each other', () => `x = ${'(a = '.repeat(3_000)}b${')'.repeat(3_000)}`],
] as const

const packHostile = (code: string) =>
  packPackage({
    'index.js': `require('child_process').exec('curl')`,
    'bad.js': code,
    'package.json': '{"exports":["./index.js","./bad.js"]}',
  })

/** Has a fraction of the memory that others have. */
const small = new Worker(new URL('./worker.ts', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: 320, stackSizeMb: 16 },
  execArgv: [],
})
afterAll(() => small.terminate())

test.for(HOSTILE)('reads what stands beside %s, in 320 MB and a second for each megabyte', async ([, code]) => {
  const tarballs = [await packHostile(code())]
  // Of the processor, in µs: other programs do not count.
  const start = process.cpuUsage()
  small.postMessage({ task: 'read', tarballs, isRepository: false } satisfies WorkerTask)
  // It ends with an error where that is not enough.
  const [{ result }] = (await once(small, 'message')) as [{ result: Reading }]
  const { user } = process.cpuUsage(start)
  expect(await once(small, 'message')).toEqual(['end'])
  expect(result).toMatchObject({
    state: 'read',
    abilities: expect.arrayContaining([expect.objectContaining({ kind: 'starts-programs', names: ['curl'] })]),
  })
  // Twice that, as a busy machine takes longer for the same.
  expect(user).toBeLessThan(2_000_000)
})

test('shows what stands beside a file that hides it, and names what it could not read', async () => {
  const program = `require('child_process').exec('curl')`
  const { signal } = new AbortController()
  const chain = await packPackage({ 'index.js': `export const z = d(p)${'.link(0)'.repeat(40)};${program}` })
  const [read] = await readPackages([chain], { signal })
  expect(read).toMatchObject({ abilities: [{ kind: 'starts-programs', names: ['curl'] }], unread: [] })
  const [deep] = await readPackages([await packHostile(nested('[', ']'))], { signal })
  expect(deep).toMatchObject({
    abilities: [{ kind: 'starts-programs', names: ['curl'] }],
    unread: [{ file: 'bad.js', reason: 'too-large' }],
  })
  const links = Array.from({ length: 40 }, (_, index) => ({
    header: { name: `package/l${index}.js`, type: 'symlink' as const, linkname: 'index.js', size: 0 },
  }))
  const files = Object.entries({ 'index.js': program, 'package.json': '{}' }).map(([name, body]) => ({
    header: { name: `package/${name}`, size: body.length },
    body,
  }))
  const [linked] = await readPackages([await packTar([...links, ...files])], { signal })
  expect(linked).toMatchObject({ abilities: [{ kind: 'starts-programs', names: ['curl'] }] })
  expect(linked?.state === 'read' && linked.unread[0]).toMatchObject({ file: 'package/l0.js', reason: 'link' })
})

test('reads a package of twenty thousand files', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`lib/m${index}.js`, `require('./m${index + 1}')`]),
  )
  const tarball = await packPackage({
    ...files,
    'index.js': `require('./lib/m0'); require('child_process').exec('curl')`,
  })
  const start = process.cpuUsage()
  const [reading] = await readPackages([tarball], { signal: new AbortController().signal, limitMs: 60_000 })
  expect(reading).toMatchObject({ state: 'read', abilities: [{ kind: 'starts-programs' }], unread: [] })
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000)
})
