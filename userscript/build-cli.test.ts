import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const BUILD = fileURLToPath(new URL('build.ts', import.meta.url))
/** A folder in the project, because the command resolves its libraries from its working directory. */
const RESULTS = fileURLToPath(new URL('../test-results', import.meta.url))

let folder: string
beforeEach(async () => {
  await mkdir(RESULTS, { recursive: true })
  folder = await mkdtemp(join(RESULTS, 'plugmark-build-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs the command to its end, in a folder of this test. */
function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [BUILD, ...args], { cwd: folder }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

it('resolves a folder against the working directory of the command', async () => {
  const { code, stderr } = await run('--out', 'of-mine/files')
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect((await readdir(join(folder, 'of-mine', 'files'))).sort()).toEqual(['plugmark.meta.js', 'plugmark.user.js'])
})

it.each([
  [['--outdir', 'files'], '--outdir'],
  [['--api'], '--api'],
  [['files'], 'files'],
  [['--api', 'directory.example'], '“directory.example” is not an http or https address'],
])('ends with one line that names the mistake in %j', async (args, said) => {
  const { code, stdout, stderr } = await run(...args)
  expect(stderr).toContain(said)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(await readdir(folder)).toEqual([])
})
