import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createCatalogue } from '@plugmark/mock-api'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

// What the command installs is tried on a real harness by e2e/store/fit.spec.ts.
test('a directory lists this repository once: the store, with a command that installs its package', async () => {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '*package.json', '*cordis.patch.yml'], { cwd: root })
  const files = stdout.trim().split('\n')
  const folders = [...new Set(files.map(dirname))]
  const packages = await Promise.all(
    folders.map(async (folder) => {
      const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
      const names = (key: string) => Object.keys(manifest[key] ?? {})
      return {
        ...(folder === '.' ? {} : { directory: folder }),
        manifest: {
          ...manifest,
          dependencies: names('dependencies'),
          peerDependencies: names('peerDependencies'),
          scripts: names('scripts'),
        },
        files: files.filter((file) => dirname(file) === folder).map((file) => file.slice(folder.length + 1)),
        // Only what the build stages is published; the staged packages have the names of their sources.
        ...(/^harness-plugin\/(cli|dsh|koishi)$/.test(folder) ? { published: manifest.name } : {}),
      }
    }),
  )
  const { description } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const repository = { repository: 'the-authors/plugmark', description, language: 'TypeScript', license: 'MIT' }
  const { listings } = createCatalogue({
    repositories: [{ ...repository, stars: 1, commits: 10, pushedAt: '2026-11-26T00:00:00.000Z', packages }],
  })
  expect(listings.map(({ record: { fullName, install } }) => [fullName, install])).toEqual([
    ['the-authors/plugmark#harness-plugin/dsh', 'dsh plugin --profile web add dsh-plugin-plugmark'],
  ])
})
