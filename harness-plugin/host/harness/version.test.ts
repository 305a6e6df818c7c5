import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPnpmVersion } from './command-line.ts'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'plugmark-version-')))
  await mkdir(join(folder, 'package/bin'), { recursive: true })
  await mkdir(join(folder, 'path'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Creates a program that prints 2.0.0, in a package of this name whose version is 1.0.0. */
async function aProgram(name: string, file: string) {
  const program = join(folder, 'package/bin', file)
  await writeFile(join(folder, 'package/package.json'), JSON.stringify({ name, version: '1.0.0' }))
  await writeFile(program, '#!/usr/bin/env node\nconsole.log("2.0.0")', { mode: 0o755 })
  await symlink(program, join(folder, 'path/pnpm'))
}
const read = () =>
  readPnpmVersion({
    env: { PATH: [join(folder, 'path'), dirname(execPath)].join(delimiter) },
    cwd: folder,
    signal: new AbortController().signal,
  })

test('reads the version of pnpm from its package, without starting it', async () => {
  await aProgram('pnpm', 'pnpm.cjs')
  expect(await read()).toBe('1.0.0')
})

test.each([
  ['a script of another package', 'corepack', 'pnpm.cjs'],
  ['a program that is no script', 'pnpm', 'pnpm'],
])('asks %s for its version', async (_, name, file) => {
  await aProgram(name, file)
  expect(await read()).toBe('2.0.0')
})

test('has no version where there is no pnpm', async () => {
  expect(await read()).toBeNull()
})
