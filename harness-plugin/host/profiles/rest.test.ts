import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aHome } from '../testing.ts'
import { readRest } from './rest.ts'

let home: Awaited<ReturnType<typeof aHome>>
beforeEach(async () => {
  home = await aHome()
})
afterEach(() => home.dispose())

async function rest(file: string, text: string) {
  await writeFile(join(home.directory, file), text)
  return (await readRest(home.directory)).get(file)
}
const manifest = (change: object) => rest('package.json', JSON.stringify({ name: 'p', ...change }))
const settings = (text: string) => rest('pnpm-workspace.yaml', text)

test('of a package.json is all but dependencies and layers, which jobs write', async () => {
  const before = await manifest({})
  expect(await manifest({ dependencies: { a: '1' }, dsh: { profile: { bundles: ['a'] } } })).toBe(before)
  expect(await manifest({ scripts: {} })).not.toBe(before)
  expect(await manifest({ dsh: { profile: { bundles: ['a'], title: 'mine' } } })).not.toBe(before)
})

test('of the settings for pnpm is all but what is allowed to build; how they are written is all the same', async () => {
  const before = await settings('')
  expect(await settings('allowBuilds:\n  a: set this to true or false\n')).toBe(before)
  expect(await settings('onlyBuiltDependencies: [a]\n')).toBe(before)
  const mine = await settings('# mine\noverrides: &o\n  a: 1.0.0\n')
  expect(mine).not.toBe(before)
  expect(await settings('overrides:\r\n  a: 1.0.0\r\nallowBuilds:\r\n  b: true\r\n')).toBe(mine)
})

test('of what cannot be read is the text, and nothing of what is not there', async () => {
  expect(await rest('package.json', '{ "half')).toBe('{ "half')
  expect((await readRest('/nowhere')).get('package.json')).toBe('')
})
