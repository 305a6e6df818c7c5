import { gzipSync } from 'node:zlib'
import { packTar, type TarHeader } from 'modern-tar'
import { expect, test } from 'vitest'
import { PACKAGE_LIMITS, unpackPackage } from './package-files.ts'
import { packPackage } from './testing.ts'

const entry = (header: Partial<TarHeader> & { name: string }, body = '') => ({
  header: { type: 'file', ...header, size: Buffer.byteLength(body) } as TarHeader,
  body: Buffer.from(body),
})
const text = (answer: Awaited<ReturnType<typeof unpackPackage>>, file: string) =>
  answer.state === 'read' ? Buffer.from(answer.files.get(file) ?? []).toString() : answer.state

test('unpacks the files of a package', async () => {
  const tarball = await packPackage({ 'lib/a.js': 'let a', 'lib/资料.json': '{}' })
  const answer = await unpackPackage(tarball)
  expect(answer).toMatchObject({ state: 'read', refused: [] })
  expect(answer.state === 'read' && [...answer.files.keys()]).toEqual(['package.json', 'lib/a.js', 'lib/资料.json'])
  expect(text(answer, 'lib/a.js')).toBe('let a')
})

test('drops the outermost folder whatever its name', async () => {
  const tarball = await packTar([
    entry({ name: 'a-repository-1.0/package.json' }, '{}'),
    entry({ name: 'another/index.js' }, 'a'),
  ])
  const answer = await unpackPackage(gzipSync(tarball))
  expect(text(answer, 'package.json')).toBe('{}')
  expect(text(answer, 'index.js')).toBe('a')
  // A registry may also serve it without compression.
  expect(text(await unpackPackage(tarball), 'index.js')).toBe('a')
})

test.for([
  { name: './package/index.js' },
  { name: 'package//index.js' },
  { name: 'package/./index.js' },
  { name: 'another/index.js' },
  { name: 'package\\index.js' },
  { name: 'index.js' },
  { name: 'package/other.js', pax: { path: 'package/index.js' } },
  { name: 'package/other.js', pax: { path: 'index.js' } },
  { name: 'package/../../a.js' },
  { name: '/etc/a.js' },
  { name: 'package\\..\\..\\a.js' },
  { name: 'package/a\\b.js' },
  { name: '\0', pax: { path: 'package/a.js' } },
  { name: 'package/a.js', pax: { size: '0' } },
] satisfies (Partial<TarHeader> & { name: string })[])(
  'reads nothing where another program may unpack other files: %j',
  async (header) => {
    const tarball = await packPackage({ 'index.js': 'eval(x)' }, [entry(header)])
    expect(await unpackPackage(tarball)).toEqual({ state: 'ambiguous' })
  },
)

test('reads nothing where a header of all files gives a path', async () => {
  const header = entry({ name: 'pax', type: 'pax-global-header' }, '21 path=package/a.js\n')
  expect(await unpackPackage(await packPackage({}, [header]))).toEqual({ state: 'ambiguous' })
})

test('reads nothing where a link has contents, which some programs skip and others take for entries', async () => {
  const tar = Buffer.from(
    await packTar([
      entry({ name: 'package/package.json' }, '{}'),
      { header: { name: 'package/a', type: 'symlink', linkname: 'b', size: 0 } },
      entry({ name: 'package/b.js' }, 'a'),
    ]),
  )
  expect(await unpackPackage(tar)).toMatchObject({ state: 'read' })
  const link = tar.subarray(1024, 1536)
  link.write('00000001000', 124)
  link.fill(' ', 148, 156)
  const sum = link.reduce((total, byte) => total + byte, 0)
  link.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  expect(await unpackPackage(tar)).toEqual({ state: 'ambiguous' })
})

test.for([
  ['link', { name: 'package/a.js', type: 'symlink', linkname: '/etc/passwd' }],
  ['link', { name: 'package/a.js', type: 'link', linkname: '../../b.js' }],
  ['device', { name: 'package/a.js', type: 'character-device' }],
  ['device', { name: 'package/a.js', type: 'fifo' }],
  ['bad-name', { name: 'package/a\u0007.js' }],
  ['bad-name', { name: `package/${'a/'.repeat(40)}a.js` }],
  ['bad-name', { name: `package/${'a'.repeat(90)}/${'b'.repeat(600)}.js` }],
] satisfies [string, Partial<TarHeader> & { name: string }][])(
  'names an entry as refused (%s: %j) and reads the rest',
  async ([reason, header]) => {
    const answer = await unpackPackage(await packPackage({ 'b.js': '' }, [entry(header)]))
    expect(answer).toMatchObject({ state: 'read', refused: [{ path: header.name.slice(0, 500), reason }] })
    expect(answer.state === 'read' && [...answer.files.keys()]).toEqual(['package.json', 'b.js'])
  },
)

test('reads names and sizes of every usual kind of header', async () => {
  const long = `${'a'.repeat(120)}/${'b'.repeat(120)}.js`
  const answer = await unpackPackage(await packPackage({ [long]: 'long' }))
  expect(text(answer, long)).toBe('long')
})

test.for([
  ['a size in a name of a file', { path: `package/icon-size=16-${'b'.repeat(120)}.svg` }],
  ['a path in a comment', { comment: 'of path=package/a.js' }],
] as const)('reads a package whose extended header has %s', async ([, pax]) => {
  const tarball = await packPackage({}, [entry({ name: 'package/icon.svg', pax }, 'a')])
  expect(await unpackPackage(tarball)).toMatchObject({ state: 'read', refused: [] })
})

const record = (text: string) => `${text.length + 4} ${text}\n`
test.for([
  // A program that reads lines finds another record in the value of this one.
  record('comment=a\n10 size=1'),
  record('comment=a\n18 path=package/b'),
  record('GNU.sparse.realsize=99'),
  '14 path=package/b\n',
  'size=1\n',
])('reads nothing where an extended header can be read in more than one way: %j', async (body) => {
  const header = entry({ name: 'package/pax', type: 'pax-header' }, body)
  const tarball = await packPackage({}, [header, entry({ name: 'package/a.js' }, 'a')])
  expect(await unpackPackage(tarball)).toEqual({ state: expect.stringMatching(/^(?:ambiguous|unreadable)$/) })
})

test('refuses a package that unpacks to more than the limit, before it is unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(PACKAGE_LIMITS.unpackedBytes + 1))
  expect(bomb.length).toBeLessThan(200_000)
  const before = process.memoryUsage().arrayBuffers
  expect(await unpackPackage(bomb)).toEqual({ state: 'too-large' })
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * PACKAGE_LIMITS.unpackedBytes)
})

test('refuses a package of 100,000 files', async () => {
  const others = Array.from({ length: 100_000 }, (_, index) => entry({ name: `package/${index}.js` }))
  expect(await unpackPackage(await packPackage({}, others))).toEqual({ state: 'too-many-files' })
})

test('calls what is not a whole tarball of a package unreadable', async () => {
  const tarball = await packPackage({ 'a.js': 'let a'.repeat(10_000) })
  const damaged = Uint8Array.from(tarball)
  damaged.fill(0, 40)
  const tar = await packTar([
    entry({ name: 'package/package.json' }, '{}'),
    entry({ name: 'package/a.js' }, 'a'.repeat(5000)),
  ])
  for (const bytes of [
    new Uint8Array(),
    Buffer.from('<!doctype html>'),
    gzipSync('nothing'),
    tarball.subarray(0, 60),
    damaged,
    // Cut off in the middle of a file, and with a header whose checksum is wrong.
    gzipSync(tar.subarray(0, 2500)),
    gzipSync(Uint8Array.from(tar, (byte, index) => (index === 150 ? byte + 1 : byte))),
    gzipSync(await packTar([entry({ name: 'package/index.js' }, 'no package.json')])),
  ])
    expect(await unpackPackage(bytes)).toEqual({ state: 'unreadable' })
})
