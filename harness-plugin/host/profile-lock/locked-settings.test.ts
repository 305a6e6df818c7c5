import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSettings, writeSettings } from './locked-settings.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugmark-settings-'))
})
afterEach(() => rm(directory, { recursive: true }))

test('locks only the patches whose files are there, as an install elsewhere fails without them', async () => {
  const patchedDependencies = { 'gone@1.0.0': 'patches/gone.patch', 'good@1.0.0': 'patches/good.patch' }
  await writeFile(join(directory, 'pnpm-workspace.yaml'), JSON.stringify({ patchedDependencies }))
  await mkdir(join(directory, 'patches'))
  await writeFile(join(directory, 'patches/good.patch'), 'a\nb')
  expect(await readSettings(directory, [])).toEqual({
    settings: { patchedDependencies: { 'good@1.0.0': 'patches/good.patch' } },
    patches: { 'patches/good.patch': ['a', 'b'] },
  })
})

test('ends the settings that an exact lock has not, except the harness’s own pins', async () => {
  const file = join(directory, 'pnpm-workspace.yaml')
  const pin = { '@deepseek-ai/dsh-base': '0.2.1' }
  const overrides = { ...pin, left: '1.0.0' }
  await writeFile(file, JSON.stringify({ overrides }))
  await writeSettings(directory, { settings: {}, patches: {} }, {})
  expect(parse(await readFile(file, 'utf8'))).toEqual({ overrides })
  await writeSettings(directory, { settings: {}, patches: {} }, (await readSettings(directory, [])).settings)
  expect(parse(await readFile(file, 'utf8'))).toEqual({ overrides: pin })
})
