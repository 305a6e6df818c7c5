import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { manifestWithoutJob, pnpmSettingsWithoutJob, removePins } from './manifest.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-pins-'))
})
afterEach(() => rm(directory, { recursive: true }))

const MANIFEST = `{ "dependencies": {"one":"^1.0.0"},
  "overrides": {"@deepseek-ai/dsh": "0.1.0",  "left" : "1.0.0"},
\t"pnpm": {"overrides": {"one>@deepseek-ai/dsh-two": "0.1.0"}},
  "dsh": {"profile": {"bundles": ["one"]}} }`
const SETTINGS = "# Mine.\noverrides:\n  '@deepseek-ai/dsh': 0.1.0 # old\n  left: 1.0.0\nnodeLinker: hoisted\n"

async function removed(manifest: string, settings: string) {
  await writeFile(join(directory, 'package.json'), manifest)
  await writeFile(join(directory, 'pnpm-workspace.yaml'), settings)
  await removePins(directory, ['@deepseek-ai/dsh', 'one>@deepseek-ai/dsh-two'])
  const read = (file: string) => readFile(join(directory, file), 'utf8')
  return Promise.all([read('package.json'), read('pnpm-workspace.yaml')])
}

test('removes pins of the harness wherever they are, and no other byte', async () => {
  expect(await removed(MANIFEST, SETTINGS)).toEqual([
    MANIFEST.replace('"@deepseek-ai/dsh": "0.1.0",  ', '').replace('{"one>@deepseek-ai/dsh-two": "0.1.0"}', '{}'),
    SETTINGS.replace("  '@deepseek-ai/dsh': 0.1.0 # old\n", ''),
  ])
  const [, settings] = await removed(MANIFEST, "overrides:\n  '@deepseek-ai/dsh': 0.1.0\nnodeLinker: hoisted\n")
  expect(settings).toBe('nodeLinker: hoisted\n')
})

test('leaves files without such pins untouched', async () => {
  const [manifest, settings] = ['{"dependencies":{}}', 'nodeLinker:   hoisted\n']
  expect(await removed(manifest, settings)).toEqual([manifest, settings])
})

test('a rollback restores removed pins, also when another program has changed the file meanwhile', async () => {
  const [manifest, settings] = await removed(MANIFEST, SETTINGS)
  expect(manifestWithoutJob(MANIFEST, manifest!, ['one'])).toBe(MANIFEST)
  expect(pnpmSettingsWithoutJob(SETTINGS, settings!)).toBe(SETTINGS)
  const other = JSON.stringify({ ...JSON.parse(manifest!), mine: 1 })
  expect(JSON.parse(manifestWithoutJob(MANIFEST, other, ['one']))).toEqual({ ...JSON.parse(MANIFEST), mine: 1 })
  const reverted = pnpmSettingsWithoutJob(SETTINGS, `${settings}mine: 1\n`)
  expect(reverted).toContain('"@deepseek-ai/dsh": 0.1.0')
  expect(reverted).toContain('mine: 1')
})
