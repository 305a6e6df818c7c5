import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A directory's rule, as docs/contract.md has it: a manifest or a patch of the harness, or a dependency on its parts. */
const isPlugin = (files: readonly string[], { dsh, dependencies, peerDependencies }: Record<string, object>) =>
  dsh !== undefined ||
  files.includes('cordis.patch.yml') ||
  Object.keys({ ...dependencies, ...peerDependencies }).some((name) =>
    /^(@deepseek-ai\/|@cordisjs\/|cordis$)/.test(name),
  )

// e2e/store/fit.spec.ts tries on a real harness what the command installs.
test('a directory lists this repository once: the store, with a command that installs its package', async () => {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '*package.json', '*cordis.patch.yml'], { cwd: root })
  const paths = stdout.trim().split('\n')
  const listed: string[][] = []
  for (const folder of new Set(paths.map(dirname))) {
    const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
    const files = paths.filter((path) => dirname(path) === folder).map((path) => path.slice(folder.length + 1))
    if (isPlugin(files, manifest)) listed.push([folder, manifest.name])
  }
  // The package is published under that name, so its command is `dsh plugin --profile web add dsh-plugin-plugmark`.
  expect(listed).toEqual([['harness-plugin/dsh', 'dsh-plugin-plugmark']])
})
