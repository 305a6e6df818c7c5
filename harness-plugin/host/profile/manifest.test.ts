import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { keepingDisabled, manifestOf, manifestWithoutJob, withLayers } from './manifest.ts'
import { findPackageNames } from './state.ts'

describe('a package.json', () => {
  const manifest = (dependencies: Record<string, string>, layers: string[], more: object = {}) =>
    JSON.stringify({ name: 'p', dependencies, dsh: { profile: { bundles: layers } }, ...more })
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

  test('fails where a plugin that a command enabled cannot be disabled again', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'plugmark-manifest-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const write = (layers: string[]) => writeFile(join(directory, 'package.json'), manifest({ off: '1' }, layers))
    await write(['base'])
    // Where the folder of what is being written should be.
    await writeFile(join(directory, '.plugmark'), '')
    const kept = keepingDisabled(directory, null, () => write(['base', 'off']))
    await expect(kept).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  test.each(['', '{ "half', '{"dependencies":{"a":1}}'])('a package.json with the text %j is rejected', (is) => {
    expect(() => manifestWithoutJob(was, is, ['own'])).toThrow()
  })
})

const without =
  (...names: string[]) =>
  (layers: readonly string[]) =>
    layers.filter((name) => !names.includes(name))
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
  expect(withLayers(profileManifest(before), without('ghost', 'ghost-2', '@scope/other'))).toBe(profileManifest(after))
})

test.each(['', '[]', '{}', '{"dsh":{"profile":{}}}', '{"dsh":{"profile":{"bundles":"a"}}}'])(
  'withBundles throws for %j, which is no package.json of a profile',
  (text) => {
    expect(() => withLayers(text, without('a'))).toThrow()
  },
)

test.each([
  ['"a"', '"a","c"'],
  ['\n  "a",\n  "b"\n', '\n  "a",\n  "b",\n  "c"\n'],
  ['', '"c"'],
])('withLayers adds a layer at the end of [%s]', (before, after) => {
  const text = (layers: string) => `{"dsh":{"profile":{"bundles":[${layers}]}}}`
  expect(JSON.parse(withLayers(text(before), (layers) => [...layers, 'c']))).toEqual(JSON.parse(text(after)))
})

test('withLayers adds a layer on a line of its own to a file as the harness writes it', () => {
  const file = (layers: string[]) =>
    `${JSON.stringify({ name: 'p', dsh: { profile: { bundles: layers } }, x: [1] }, null, 2)}\n`
  expect(withLayers(file(['a', 'b']), (layers) => [...layers, 'c'])).toBe(file(['a', 'b', 'c']))
  expect(withLayers(file(['a', 'b', 'c']), without('a', 'c'))).toBe(file(['b']))
  expect(withLayers(file(['a', 'b', 'c']), () => ['c', 'a', 'b'])).toBe(file(['c', 'a', 'b']))
})

test.each([
  ['pnpm 11', 'github:o/r#path:/packages/'],
  ['pnpm 10, which leaves the folder out', 'github:o/r'],
])('finds which of two plugins of a repository a job changed, as written by %s', (_, source) => {
  const write = (...names: string[]) =>
    JSON.stringify({
      dependencies: Object.fromEntries(names.map((name) => [name, source + (source.endsWith('/') ? name : '')])),
    })
  const spec = { kind: 'github', owner: 'O', repo: 'r' } as const
  const [one, both] = [write('a'), write('a', 'b')]
  for (const [was, is] of [
    [both, one],
    [one, both],
  ] as const) {
    const own = findPackageNames([spec], { manifest: manifestOf(was) }, { manifest: manifestOf(is) })
    expect(own).toEqual(['b'])
    expect(manifestWithoutJob(was, is, own)).toBe(was)
  }
})
