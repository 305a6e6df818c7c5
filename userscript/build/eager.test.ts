import { expect, it } from 'vitest'
import { marked, withoutMarks } from './eager.ts'

const inParentheses = (code: string) => withoutMarks(marked(code)).replace(/\s+/g, ' ').trim()

it.each([
  ['function add(a, b) { return a + b }', 'const add = ((a, b) => { return a + b });'],
  ['export async function wait() {}', 'export const wait = (async () => {});'],
  ['const twice = (f) => (x) => f(f(x))', 'const twice = ((f) => ((x) => f(f(x))))'],
  ['const o = { m(x) { return x }, async n() {} }', 'const o = { m: ((x) => { return x }), n: (async () => {}) }'],
])('%s becomes %s', (code, expected) => {
  expect(inParentheses(code)).toBe(expected)
})

it.each([
  'const o = { get now() { return 1 }, set now(x) { x } }',
  'class Kite { fly() { return 1 } }',
  'if (one) { function inner() {} }',
  'function* each() { yield 1 }',
  "const o = { 'a-b'() {}, [key]() {}, *each() {} }",
])('%s stays as it is', (code) => {
  expect(inParentheses(code)).toBe(code)
})

it('refuses one that uses `this`', () => {
  expect(() => marked('const kite = { fly() { return this.name } }')).toThrow('must not use `this`')
})

it('does not let a statement go on with the one before it', () => {
  const script = withoutMarks(`const a = 'b'\n__compiledAtOnce__(() => 1)()\nreturn a`)
  expect(new Function(script)()).toBe('b')
})
