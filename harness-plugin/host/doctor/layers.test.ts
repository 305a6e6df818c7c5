import { expect, test } from 'vitest'
import { withoutLayers } from './layers.ts'

const manifest = (layers: string) => `{
    "name":"p",  "x" : [1,2 ],
\t"dsh": { "profile": { "bundles": [${layers}] , "patchReload": "live" } }
}\r\n`

test.each([
  ['"a", "ghost"', '"a"'],
  ['"ghost", "a"', '"a"'],
  ['"a" , "ghost",   "b"', '"a",   "b"'],
  ['\n  "a",\n  "ghost",\n  "ghost-2",\n  "b"\n', '\n  "a",\n  "b"\n'],
  ['\n\t"ghost"\n', '\n\t\n'],
  ['"ghost","a","ghost-2","b","ghost"', '"a","b"'],
  ['"ghost: #"', '"ghost: #"'],
])('layers are taken out of [%s], and every other byte stays', (before, after) => {
  expect(withoutLayers(manifest(before), ['ghost', 'ghost-2', '@scope/other'])).toBe(manifest(after))
})

test.each(['', '[]', '{}', '{"dsh":{"profile":{}}}', '{"dsh":{"profile":{"bundles":"a"}}}'])('%j has none', (text) => {
  expect(() => withoutLayers(text, ['a'])).toThrow()
})
