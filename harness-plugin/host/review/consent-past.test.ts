import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { hostForTests, value } from '../host-testing.ts'
import { aRecord, directoryOf } from '../testing.ts'

const { its, review } = hostForTests()
let folder: string
let env: Record<string, string>
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env }).toString().trim()

/** Commits a package.json with this name. @returns the commit */
async function commit(name: string, version: string): Promise<string> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version, dsh: { bundle: {} } }))
  git('add', '--all')
  git('commit', '--quiet', '-m', version)
  return git('rev-parse', 'HEAD')
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-consent-past-'))
  // The code host is this folder. Jobs take nothing of git's from the environment but the settings of the user.
  env = { PATH: process.env.PATH!, HOME: its.home.home }
  const settings = `[user]\nname = a\nemail = a@a.dev\n[url "file://${folder}"]\ninsteadOf = https://github.com/acme/kite.git\n`
  await writeFile(join(its.home.home, '.gitconfig'), `${settings}[uploadpack]\nallowAnySHA1InWant = true\n`)
  git('init', '--quiet', '--initial-branch=main')
  const installed = await commit('kite', '1.0.0')
  const { directory } = its.home
  await mkdir(join(directory, 'node_modules/kite'), { recursive: true })
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({ dependencies: { kite: 'github:acme/kite' }, dsh: { profile: { bundles: ['kite'] } } }),
  )
  await writeFile(join(directory, 'node_modules/kite/package.json'), JSON.stringify({ name: 'kite', version: '1.0.0' }))
  const tarball = `https://codeload.github.com/acme/kite/tar.gz/${installed}`
  await writeFile(
    join(directory, 'pnpm-lock.yaml'),
    JSON.stringify({
      importers: { '.': { dependencies: { kite: { specifier: 'github:acme/kite', version: tarball } } } },
      packages: { [`kite@${tarball}`]: { resolution: { tarball }, version: '1.0.0' } },
      snapshots: { [`kite@${tarball}`]: {} },
    }),
  )
  its.create({ env, fetch: directoryOf([aRecord('acme/kite', { installCheck: 'passed', npmPackage: null })]).fetch })
  return () => rm(folder, { recursive: true })
})
const update = () => review('acme/kite', 'web', 'update')

test('reviews the next commit of a repository as any update', async () => {
  const after = await commit('kite', '1.1.0')
  expect(value(await update())).toMatchObject({ cautions: [], commit: after, past: { after, breaks: [], unknown: [] } })
})

test('warns of a repository whose history was replaced, and asks for a deliberate step', async () => {
  git('switch', '--quiet', '--orphan', 'theirs')
  const after = await commit('kite', '3.0.0')
  const { id, token, cautions, past } = value(await update())
  expect(cautions).toEqual(['past'])
  expect(past).toMatchObject({ before: expect.stringMatching(/^[0-9a-f]{40}$/), after, breaks: [{ kind: 'history' }] })
  expect(await its.host.calls.start({ id, token, acknowledged: false })).toMatchObject({ code: 'not-acknowledged' })
})

test('refuses a repository that now holds another package, with both names', async () => {
  await commit('kite-stranger', '3.0.0')
  expect(await update()).toMatchObject({ ok: false, code: 'other-package', names: ['kite', 'kite-stranger'] })
})
