import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('npm version sets the version of all packages, writes the changelog, and tags the commit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-release-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const author = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@a.test',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@a.test',
  }
  const run = async (program: string, ...args: string[]) =>
    (await promisify(execFile)(program, args, { cwd: folder, env: { ...process.env, ...author } })).stdout.trim()
  await run('git', 'clone', '--quiet', root, '.')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await run('git', 'tag', 'v0.1.0')
  await writeFile(join(folder, 'news'), '')
  await run('git', 'add', 'news')
  await run('git', 'commit', '--quiet', '--message', 'store: show the weather')
  const before = await run('git', 'rev-parse', 'HEAD')

  await run('npm', 'version', 'minor')

  const versionOf = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8')).version
  const manifests = [
    'userscript',
    'harness-plugin/cli',
    'harness-plugin/dsh',
    'harness-plugin/koishi',
    'mock-api/package',
  ]
  const files = ['package.json', 'package-lock.json', ...manifests.map((name) => `${name}/package.json`)]
  expect(await Promise.all(files.map(versionOf))).toEqual(files.map(() => '0.2.0'))
  expect(await readFile(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
    /^## 0\.2\.0, [\d-]+\n\n### Store\n\n- Show the weather\n\n## 0\.1\.0,/,
  )
  expect(await run('git', 'rev-parse', 'v0.2.0^{commit}', 'v0.2.0~1')).toBe(
    `${await run('git', 'rev-parse', 'HEAD')}\n${before}`,
  )
  expect(await run('git', 'status', '--short')).toBe('')
})
