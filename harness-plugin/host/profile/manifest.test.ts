import { describe, expect, test } from 'vitest'
import { manifestOf, manifestWithoutJob, withBundles } from './manifest.ts'

describe('a package.json', () => {
  const manifest = (dependencies: Record<string, string>, bundles: string[], more: object = {}) =>
    JSON.stringify({ name: 'p', dependencies, dsh: { profile: { bundles } }, ...more })
  const was = manifest({ old: '1' }, ['base', 'old'])

  test('a package.json that only the job changed is restored to the byte', () => {
    const is = JSON.stringify(JSON.parse(manifest({ own: '2', old: '1' }, ['base', 'old', 'own'])), null, 2)
    expect(manifestWithoutJob(was, is, ['own'])).toBe(was)
    expect(manifestWithoutJob('{"name":"p"}', '{"name":"p","dependencies":{"own":"1"}}', ['own'])).toBe('{"name":"p"}')
  })

  test('a package.json that another program changed too keeps its change, with the plugin as it was before', () => {
    const updated = manifest({ old: '2', more: '1' }, ['base', 'more'], { scripts: { mine: 'true' } })
    expect(JSON.parse(manifestWithoutJob(was, updated, ['old']))).toEqual(
      JSON.parse(manifest({ old: '1', more: '1' }, ['base', 'old', 'more'], { scripts: { mine: 'true' } })),
    )
  })

  test('loses a plugin called as what every object has, and has none by such a name before', () => {
    for (const own of ['constructor', 'toString', 'hasOwnProperty']) {
      const is = manifest({ old: '1', [own]: '^1.0.0' }, ['base', 'old', own])
      expect(JSON.parse(manifestWithoutJob(was, is, [own]))).toEqual(JSON.parse(was))
      expect(JSON.parse(manifestWithoutJob(is, was, [own]))).toEqual(JSON.parse(is))
      expect(manifestOf(was).dependencies[own]).toBeUndefined()
      expect(manifestOf(is).dependencies[own]).toBe('^1.0.0')
    }
  })

  test('gets back the layers of installed packages, which an older harness adds and removes by itself', () => {
    const [off, on] = [manifest({ old: '1' }, ['base']), manifest({ old: '1', own: '1' }, ['base', 'old', 'own'])]
    expect(manifestWithoutJob(off, on, ['own'])).toBe(off)
  })

  test.each(['', '{ "half', '{"dependencies":{"a":1}}'])('a package.json with the text %j is rejected', (is) => {
    expect(() => manifestWithoutJob(was, is, ['own'])).toThrow()
  })
})

const without =
  (...names: string[]) =>
  (bundles: readonly string[]) =>
    bundles.filter((name) => !names.includes(name))
const profileManifest = (layers: string) => `{
    "name":"p",  "x" : [1,2 ],
\t"dsh": { "profile": { "bundles": [${layers}] , "patchReload": "live" } }
}\r\n`

test.each([
  ['"a", "ghost"', '"a"'],
  ['"ghost", "a"', '"a"'],
  ['"a" , "ghost",   "b"', '"a",   "b"'],
  ['\n  "a",\n  "ghost",\n  "ghost-2",\n  "b"\n', '\n  "a",\n  "b"\n'],
  ['\n\t"ghost"\n', ''],
  ['"ghost","a","ghost-2","b","ghost"', '"a","b"'],
  ['"ghost: #"', '"ghost: #"'],
])('withBundles takes layers out of [%s] and leaves every other byte', (before, after) => {
  expect(withBundles(profileManifest(before), without('ghost', 'ghost-2', '@scope/other'))).toBe(profileManifest(after))
})

test.each(['', '[]', '{}', '{"dsh":{"profile":{}}}', '{"dsh":{"profile":{"bundles":"a"}}}'])(
  'withBundles throws for %j, which is no package.json of a profile',
  (text) => {
    expect(() => withBundles(text, without('a'))).toThrow()
  },
)

test.each([
  ['"a"', '"a","c"'],
  ['\n  "a",\n  "b"\n', '\n  "a",\n  "b",\n  "c"\n'],
  ['', '"c"'],
])('withBundles adds a layer at the end of [%s]', (before, after) => {
  const text = (layers: string) => `{"dsh":{"profile":{"bundles":[${layers}]}}}`
  expect(JSON.parse(withBundles(text(before), (bundles) => [...bundles, 'c']))).toEqual(JSON.parse(text(after)))
})

test('withBundles adds a layer on a line of its own to a file as the harness writes it', () => {
  const file = (bundles: string[]) =>
    `${JSON.stringify({ name: 'p', dsh: { profile: { bundles } }, x: [1] }, null, 2)}\n`
  expect(withBundles(file(['a', 'b']), (bundles) => [...bundles, 'c'])).toBe(file(['a', 'b', 'c']))
  expect(withBundles(file(['a', 'b', 'c']), without('a', 'c'))).toBe(file(['b']))
  expect(withBundles(file(['a', 'b', 'c']), () => ['c', 'a', 'b'])).toBe(file(['c', 'a', 'b']))
})
