import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aHome } from '../testing.ts'
import { findOtherPlugins, neededLayers, withPluginsOff } from './trial-home.ts'

let home: Awaited<ReturnType<typeof aHome>>
beforeEach(async () => {
  home = await aHome()
  await place('package.json', {
    name: 'kept',
    dependencies: { a: '1.0.0', b: '1.0.0', c: '1.0.0', library: '1.0.0' },
    dsh: { profile: { bundles: ['@deepseek-ai/dsh-base', 'a', 'b', 'c'] } },
  })
})
afterEach(() => home.dispose())

async function place(file: string, content: object | string): Promise<void> {
  const path = join(home.directory, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
}
const read = (file: string) => readFile(join(home.directory, file), 'utf8')
const changed = async (needed: readonly string[], file: string) => {
  const others = await findOtherPlugins(home.home, 'web', needed)
  return withPluginsOff(others, () => read(file))
}

test('needs the harness’s own layers, the new one, and the layers that it names at any depth', async () => {
  await place('node_modules/c/package.json', { peerDependencies: { b: '*', library: '*' } })
  expect(await neededLayers(home.directory, ['c'])).toEqual(['@deepseek-ai/dsh-base', 'c', 'b'])
  await place('node_modules/b/package.json', { dependencies: { a: '*', c: '*' } })
  expect(await neededLayers(home.directory, ['c'])).toEqual(['@deepseek-ai/dsh-base', 'c', 'b', 'a'])
  expect(await neededLayers(home.directory, [])).toEqual(['@deepseek-ai/dsh-base'])
})

test('removes only the unneeded layers from package.json for a while', async () => {
  const before = await read('package.json')
  const manifest = JSON.parse(await changed(['@deepseek-ai/dsh-base', 'b'], 'package.json'))
  expect(manifest).toEqual({ ...JSON.parse(before), dsh: { profile: { bundles: ['@deepseek-ai/dsh-base', 'b'] } } })
  expect(await read('package.json')).toBe(before)
})

test('removes rows that a patch inserts, with any id, and keeps its changes to the harness’s own rows', async () => {
  const own = "- id: timer\n  disabled: !!js '!ctx.get(''x'')'\n"
  await place(
    'cordis.patch.yml',
    `${own}- insert:\n    - name: ./mine.mjs\n- id: group\n  insert:\n    - id: b\n      name: b\n`,
  )
  await writeFile(join(home.home, 'cordis.patch.yml'), JSON.stringify([{ insert: [{ id: 'd', name: 'd' }] }]))
  expect(await changed([], 'cordis.patch.yml')).toBe(own)
  const others = await findOtherPlugins(home.home, 'web', [])
  expect(await withPluginsOff(others, () => readFile(join(home.home, 'cordis.patch.yml'), 'utf8'))).toBe('[]\n')
})

test('leaves out a patch if its rest refers to removed nodes', async () => {
  await place('cordis.patch.yml', '- insert:\n    - &row\n      name: d\n- id: timer\n  config: *row\n')
  expect(await changed([], 'cordis.patch.yml')).toBe('[]')
})

test('changes nothing in a profile without other plugins', async () => {
  for (const patch of ['[]', '- id: timer\n  disabled: true\n', 'no: list', '- {'])
    for (const needed of [['@deepseek-ai/dsh-base', 'a', 'b', 'c']]) {
      await place('cordis.patch.yml', patch)
      expect(await findOtherPlugins(home.home, 'web', needed)).toEqual([])
    }
  await place('package.json', '{}')
  expect(await findOtherPlugins(home.home, 'web', [])).toEqual([])
})
