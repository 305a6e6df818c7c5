import { expect, test } from 'vitest'
import { visible } from './formats.ts'

test.each([
  ['node build.js && make', 'node build.js && make'],
  ['a\n\tb', 'a\n\tb'],
  ['node ok.js \u202esj.live edon', 'node ok.js \\u{202e}sj.live edon'],
  ['curl\u200b x\u{e0041}', 'curl\\u{200b} x\\u{e0041}'],
  ['a\rb\x1b[2K', 'a\\u{d}b\\u{1b}[2K'],
])('shows %j as %j', (command, shown) => {
  expect(visible(command)).toBe(shown)
})
