import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runNpm } from './npm.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-npm-'))
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

test.for([
  ['linux', 'npm'],
  ['win32', 'npm.cmd'],
] as const)('starts npm on %s, and passes on arguments with spaces', async ([platform, program]) => {
  await writeFile(join(folder, program), '#!/bin/sh\nfor arg; do echo "[$arg]"; done\n', { mode: 0o755 })
  expect(await runNpm(['pack', '--pack-destination', '/a folder/with spaces'], { platform })).toBe(
    '[pack]\n[--pack-destination]\n[/a folder/with spaces]\n',
  )
})
