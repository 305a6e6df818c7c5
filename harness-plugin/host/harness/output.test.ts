import { expect, test } from 'vitest'
import { Output } from './output.ts'

function collect(...writes: [stream: 'out' | 'err', text: string][]) {
  const pushed: [number, string[]][] = []
  const output = new Output({
    redactions: [
      ['/home/somebody/.dsh', '$DSH_HOME'],
      ['/home/somebody', '~'],
    ],
    onLines: (from, lines) => pushed.push([from, [...lines]]),
  })
  for (const [stream, text] of writes) output.write(stream, text)
  output.end()
  return { output, pushed }
}

test('joins pieces into lines separately for each stream', () => {
  const { output, pushed } = collect(['out', 'one\ntw'], ['err', 'warning\n'], ['out', 'o\r\n'], ['out', 'end'])
  expect(output.lines).toEqual(['one', 'warning', 'two', 'end'])
  expect(pushed).toEqual([
    [0, ['one']],
    [1, ['warning']],
    [2, ['two']],
    [3, ['end']],
  ])
})

test('removes terminal codes and control characters', () => {
  const { output } = collect(
    ['out', '\x1b[31mred\x1b[0m \x1b]8;;https://x.example\x07link\x1b]8;;\x07\x00\x07\n'],
    ['out', 'safe\u202egnp\u2066.exe\n'],
  )
  expect(output.lines).toEqual(['red link', 'safegnp.exe'])
})

test('redacts paths and secrets', () => {
  const { output } = collect([
    'out',
    'in /home/somebody/.dsh/profiles/web and /home/somebody/x\nhttps://me:secret@host.example/\n_authToken=abc def\n',
  ])
  expect(output.lines).toEqual(['in $DSH_HOME/profiles/web and ~/x', 'https://***@host.example/', '_authToken=*** def'])
})

test.each([
  ['In /\n      home/somebody/\n  │   .dsh/profiles/web is no lock', ['In $DSH_HOME/profiles/web is no lock']],
  ['\x1b[31m  │\x1b[0m at /home/some-\n/home/some\n      body/x', ['  │ at /home/some-', '~/x']],
  ['get https://me:\n      secret@host.example/\n      kit', ['get https://***@host.example/', '      kit']],
  ['from https://\n  │   me:secret@host.example', ['from https://***@host.example']],
  ['is not in /\nnext', ['is not in /', 'next']],
])('redacts what pnpm 12 has wrapped at the end of a line: %j', (text, shown) => {
  expect(collect(['out', text]).output.lines).toEqual(shown)
  // Each character by itself, with lines of the other stream between them.
  const { output } = collect(...[...text].map((letter): ['out', string] => ['out', letter]), ['err', 'other\n'])
  expect(output.lines.filter((line) => line !== 'other')).toEqual(shown)
})

const LETTERS = 'a1B2c3D4e5F6g7H8i9J0'

test.each([
  [`Authorization: Bearer ${LETTERS}`, 'Authorization: Bearer ***'],
  [`"_auth": "${LETTERS}"`, '"_auth": "***"'],
  [`NPM_TOKEN=${LETTERS} node build.js`, 'NPM_TOKEN=*** node build.js'],
  [`npm_${LETTERS} and ghp_${LETTERS}`, '*** and ***'],
  [`git clone https://${LETTERS}@github.com/a/b`, 'git clone https://***@github.com/a/b'],
  ['git+ssh://git@github.com/a/b.git', 'git+ssh://git@github.com/a/b.git'],
  ["SyntaxError: Unexpected token 'export'", "SyntaxError: Unexpected token 'export'"],
  [`http://127.0.0.1:4873/?token=${LETTERS}&x=1`, 'http://127.0.0.1:4873/?token=***&x=1'],
  [`registry https://:${LETTERS}@host.example/x`, 'registry https://***@host.example/x'],
  ['https://user:p@ss@host.example/a@1', 'https://***@host.example/a@1'],
  ['password: hunter2', 'password: ***'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln', '***'],
  ['see http://127.0.0.1:4873/@scope/name and a:b@c', 'see http://127.0.0.1:4873/@scope/name and a:b@c'],
  ['ghost_writer and sk-short', 'ghost_writer and sk-short'],
])('shows %s as %s', (line, shown) => {
  expect(collect(['out', `${line}\n`]).output.lines).toEqual([shown])
})

test('limits the number and the length of the kept lines', () => {
  const { output } = collect(['out', 'x'.repeat(1_000_000)], ['err', 'line\n'.repeat(3000)])
  expect(output.lines.length).toBe(2000)
  expect(output.dropped).toBe(1001)
  expect(Math.max(...output.lines.map((line) => line.length))).toBeLessThanOrEqual(2000)
})

test.each([
  ['at the cut of a long line', 'x'.repeat(1990), 1],
  ['at the cut of a line that many secrets have made short', `npm_${LETTERS} `.repeat(799), 1],
  ['at the cut of a line that comes in pieces', 'x'.repeat(1990), 2],
])('redacts a secret %s', (_, before, pieces) => {
  const line = `${before} npm_${LETTERS}${LETTERS} and so on`.padEnd(30_000, ' x')
  const size = Math.ceil(line.length / pieces)
  const writes = Array.from(
    { length: pieces },
    (_, n) => ['out', line.slice(n * size, (n + 1) * size)] as ['out', string],
  )
  const [shown = ''] = collect(...writes, ['out', '\n']).output.lines
  expect(shown).not.toContain('npm_')
  expect(shown.length).toBeLessThanOrEqual(2000)
})

const CODE = '\x1b[0m'

test.each([
  ['frames after an address', `://${`\n${'│'.repeat(8)}`.repeat(9)}\n a b\n`],
  ['colour codes after an address', `://${`\n${CODE.repeat(8)}`.repeat(7)}\n a b\n`],
  ['colour codes without an end of the line', `${CODE.repeat(4000)}x\n`.repeat(20)],
  ['lines that a private path may continue', '/\n'.repeat(5000)],
  ['lines that an address may continue', `://\n${'a\n'.repeat(5000)}`],
  ['beginnings of a token', `${'eyJ-'.repeat(4900)}\n`.repeat(10)],
])('reads %s in the time that other lines take, and holds back only a few', (_, text) => {
  const output = new Output({ redactions: [['/home/somebody', '~']], onLines: () => {} })
  const start = process.cpuUsage()
  // In pieces, as from a pipe.
  for (let at = 0; at < text.length; at += 4096) output.write('out', text.slice(at, at + 4096))
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(1)
  const count = text.split('\n').length - 1
  expect(output.dropped + output.lines.length).toBeGreaterThanOrEqual(count - 20)
  expect(output.end()).toBe(count)
})
