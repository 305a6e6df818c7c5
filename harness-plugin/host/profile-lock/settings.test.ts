import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSettings } from './settings.ts'

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
