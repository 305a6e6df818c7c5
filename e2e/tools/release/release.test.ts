import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServerDocument } from './release.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const REPOSITORY = 'https://github.com/Acme/plugmark'
const PACKAGES = ['plugmark', 'dsh-plugin-plugmark', 'koishi-plugin-plugmark', 'plugmark-directory']
const AUTHOR = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@a.test',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@a.test',
}

/** A clone in which commands of a release run, with the packages that are installed here. */
async function cloneProject() {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-release-'))
  const env = { ...process.env, ...AUTHOR, GITHUB_REF_NAME: '' }
  const run = async (program: string, ...args: string[]) =>
    (await promisify(execFile)(program, args, { cwd: folder, env, maxBuffer: 1e8 })).stdout.trim()
  await run('git', 'clone', '--quiet', root, '.')
  await mkdir(join(folder, 'node_modules'))
  const ours = ['@plugmark', '.package-lock.json']
  for (const entry of await readdir(join(root, 'node_modules')))
    if (!ours.includes(entry)) await symlink(join(root, 'node_modules', entry), join(folder, 'node_modules', entry))
  await mkdir(join(folder, 'node_modules/@plugmark'))
  for (const workspace of ['shared', 'mock-api', 'userscript', 'harness-plugin'])
    await symlink(join(folder, workspace), join(folder, 'node_modules/@plugmark', workspace))
  // Copied, as npm would empty the folder behind a link.
  for (const workspace of ['harness-plugin', 'mock-api'])
    await cp(join(root, workspace, 'node_modules'), join(folder, workspace, 'node_modules'), { recursive: true })
  // By this, set-up sees that everything is installed.
  await copyFile(join(root, 'node_modules/.package-lock.json'), join(folder, 'node_modules/.package-lock.json'))
  const manifest = async (file: string) => JSON.parse(await readFile(join(folder, file, 'package.json'), 'utf8'))
  return { folder, run, manifest, close: () => rm(folder, { recursive: true }) }
}

/** A registry on loopback that keeps what is published to it, in order. */
async function startPublishing() {
  const published: { name: string; version: string; manifest: Record<string, unknown> }[] = []
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url!.slice(1).split('?')[0]!)
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method === 'PUT') {
      const { versions } = (await json(request)) as { versions: Record<string, Record<string, unknown>> }
      for (const [version, manifest] of Object.entries(versions)) published.push({ name, version, manifest })
      return send(201, {})
    }
    const releases = published.filter((release) => release.name === name)
    if (releases.length === 0) return send(404, { error: 'Not found' })
    const latest = releases.at(-1)!.version
    const versions = Object.fromEntries(releases.map(({ version, manifest }) => [version, manifest]))
    send(200, { name, 'dist-tags': { latest }, versions })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    published,
    npmrc: `registry=http://${host}/\n//${host}/:_authToken=rehearsal\n`,
    close: () => server.close(),
  }
}

test('npm version sets the version of all packages, writes the changelog, and tags the commit', async () => {
  const { folder, run, manifest, close } = await cloneProject()
  onTestFinished(close)
  await run('git', 'tag', 'v0.1.0')
  await writeFile(join(folder, 'news'), '')
  await run('git', 'add', 'news')
  await run('git', 'commit', '--quiet', '--message', 'store: show the weather')
  const before = await run('git', 'rev-parse', 'HEAD')
  await writeFile(join(folder, 'private'), 'a file that is not part of the project')

  await run('npm', 'version', 'minor')

  const folders = [
    '',
    'userscript',
    'harness-plugin/cli',
    'harness-plugin/dsh',
    'harness-plugin/koishi',
    'mock-api/package',
  ]
  for (const each of folders) expect((await manifest(each)).version, each).toBe('0.2.0')
  expect(JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')).version).toBe('0.2.0')
  expect(await readFile(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
    /^## 0\.2\.0, [\d-]+\n\n### Store\n\n- Show the weather\n\n## 0\.1\.0,/,
  )
  expect(await run('git', 'rev-parse', 'v0.2.0^{commit}', 'v0.2.0~1')).toBe(
    `${await run('git', 'rev-parse', 'HEAD')}\n${before}`,
  )
  expect(await run('git', 'status', '--short'), 'a stray file is in no release').toBe('?? private')
})

describe('a rehearsed release', () => {
  let project: Awaited<ReturnType<typeof cloneProject>>
  let registry: Awaited<ReturnType<typeof startPublishing>>
  const release = (...args: string[]) => project.run(process.execPath, 'e2e/tools/release/release.ts', ...args)
  beforeAll(async () => {
    project = await cloneProject()
    registry = await startPublishing()
    await writeFile(join(project.folder, '.npmrc'), registry.npmrc)
    return async () => {
      registry.close()
      await project.close()
    }
  })

  test('is refused while the owner has not named the repository, dated the changelog and tagged the version', async () => {
    const refused = release('build', 'out')
    await expect(refused).rejects.toMatchObject({ code: 1 })
    const { stderr } = await refused.catch((error) => error)
    expect(stderr).toContain('Set "repository" in the root package.json')
    expect(stderr).toContain('The tag is missing and the version is 0.1.0')
    expect(stderr).toContain('CHANGELOG.md does not begin with "## 0.1.0, YYYY-MM-DD"')
    expect(await readdir(project.folder)).not.toContain('out')
  })

  test('names a tag that "git push --follow-tags" sends', async () => {
    const { run } = project
    const { stderr } = await release('build', 'out').catch((error) => error)
    const [, tag = ''] = /"(git tag [^"]+)"/.exec(stderr) ?? []
    const remote = await mkdtemp(join(tmpdir(), 'plugmark-remote-'))
    onTestFinished(() => rm(remote, { recursive: true }))
    await run('git', 'init', '--quiet', '--bare', remote)
    await run('sh', '-c', tag)
    await run('git', 'push', '--quiet', '--follow-tags', remote, 'HEAD:refs/heads/main')
    expect(await run('git', '--git-dir', remote, 'tag')).toContain('v0.1.0')
    await run('git', 'tag', '--delete', 'v0.1.0')
  })

  test('builds every file under a fixed name, with checksums that are true', async () => {
    const { folder, run } = project
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const repository = { type: 'git', url: `git+${REPOSITORY}.git` }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, repository }, null, 2))
    await writeFile(join(folder, 'CHANGELOG.md'), '## 0.1.0, 2026-12-01\n\nThe first version.\n')
    await run('git', 'tag', 'v0.1.0')
    await release('build', 'out')
    expect((await readdir(join(folder, 'out'))).toSorted()).toEqual([
      'NOTES.md',
      'SHA256SUMS',
      'dsh-plugin-plugmark.tgz',
      'koishi-plugin-plugmark.tgz',
      'plugmark-directory.tgz',
      'plugmark.meta.js',
      'plugmark.tgz',
      'plugmark.user.js',
      'server.json',
    ])
    expect(await readFile(join(folder, 'out/NOTES.md'), 'utf8')).toBe('The first version.\n')
    expect((await run('sh', '-c', 'cd out && sha256sum --check --strict SHA256SUMS')).split('\n')).toHaveLength(6)
    const header = (await readFile(join(folder, 'out/plugmark.meta.js'), 'utf8')).replace(/ +/g, ' ')
    expect(header).toContain(`// @homepageURL ${REPOSITORY}\n`)
    expect(header).toContain(`// @supportURL ${REPOSITORY}/issues\n`)
    expect(header).toContain(`// @updateURL ${REPOSITORY}/releases/latest/download/plugmark.meta.js\n`)
  })

  test('publishes each package once and in order, also when it is repeated', async () => {
    registry.published.push({ name: 'plugmark', version: '0.0.0', manifest: { name: 'plugmark', version: '0.0.0' } })
    expect((await release('publish', 'out')).split('\n')).toEqual(PACKAGES.map((name) => `${name} 0.1.0 published`))
    expect((await release('publish', 'out')).split('\n')).toEqual(
      PACKAGES.map((name) => `${name} 0.1.0 is published already`),
    )
    const [, ...releases] = registry.published
    expect(releases.map(({ name, version }) => `${name} ${version}`)).toEqual(PACKAGES.map((name) => `${name} 0.1.0`))
    for (const { manifest } of releases) {
      expect(manifest).toMatchObject({
        repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: expect.any(String) },
        homepage: `${REPOSITORY}#readme`,
        bugs: { url: `${REPOSITORY}/issues` },
      })
      expect(manifest).not.toHaveProperty('private')
      expect(manifest.files).toContain('CHANGELOG.md')
    }
    expect(releases[0]!.manifest.mcpName).toBe('io.github.Acme/plugmark')
    expect(releases[1]!.manifest.keywords).toContain('dsh-plugin')
  })

  test('describes the MCP server by the name that the published package has', async () => {
    const document = JSON.parse(await readFile(join(project.folder, 'out/server.json'), 'utf8'))
    expect(document).toEqual(createServerDocument(REPOSITORY, '0.1.0'))
    // Rules of the registry's schema of 2025-12-11.
    expect(document.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    expect(document.description.length).toBeLessThanOrEqual(100)
    // Its icon is a file of the repository.
    const [, icon = 'none'] = document.icons[0].src.split('/raw/HEAD/')
    expect(await readFile(join(root, icon), 'utf8')).toContain('<svg')
    expect(document.packages[0].version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(document.name).toBe(registry.published.find(({ version }) => version === '0.1.0')!.manifest.mcpName)
  })
})
