import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { hostForTests, value } from '../host-testing.ts'
import { aRecord, directoryOf } from '../testing.ts'

// Plugins on a branch or in a folder of a repository, as people put them there by the harness.

const { its, review } = hostForTests()
let folder: string
let env: Record<string, string>
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env }).toString().trim()

async function commit(files: Readonly<Record<string, object>>): Promise<string> {
  for (const [path, manifest] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), JSON.stringify({ dsh: { bundle: {} }, ...manifest }))
  }
  git('add', '--all')
  git('commit', '--quiet', '-m', 'change')
  return git('rev-parse', 'HEAD')
}
const PART = 'packages/part/package.json'

/** Puts plugins into the profile as pnpm does: their specs, and the commits and folders in the lockfile. */
async function installed(plugins: Readonly<Record<string, { spec: string; commit: string; path?: string }>>) {
  const { directory } = its.home
  const names = Object.keys(plugins)
  const dependencies = Object.fromEntries(names.map((name) => [name, plugins[name]!.spec]))
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({ dependencies, dsh: { profile: { bundles: names } } }),
  )
  const packages = names.map((name) => {
    const { commit, path } = plugins[name]!
    const place = path === undefined ? '' : `&path:/${path}`
    return [`${name}@git+https://github.com/acme/mono.git#${commit}${place}`, { resolution: { commit, type: 'git' } }]
  })
  await writeFile(join(directory, 'pnpm-lock.yaml'), JSON.stringify({ packages: Object.fromEntries(packages) }))
  for (const name of names) {
    await mkdir(join(directory, 'node_modules', name), { recursive: true })
    await writeFile(join(directory, 'node_modules', name, 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
  }
}
const checked = async () => value(await its.host.calls.checkUpdates({ profile: 'web' }))

let first: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugmark-mono-'))
  env = { PATH: process.env.PATH!, HOME: its.home.home }
  const settings = `[user]\nname = a\nemail = a@a.dev\n[url "file://${folder}"]\ninsteadOf = https://github.com/acme/mono.git\n`
  await writeFile(join(its.home.home, '.gitconfig'), `${settings}[uploadpack]\nallowAnySHA1InWant = true\n`)
  git('init', '--quiet', '--initial-branch=main')
  first = await commit({
    'package.json': { name: 'mono', version: '1.0.0' },
    [PART]: { name: 'part', version: '1.0.0' },
  })
  const records = [
    aRecord('acme/mono', { installCheck: 'passed', npmPackage: null }),
    aRecord('acme/mono#packages/part', { npmPackage: null, install: null, installable: false }),
  ]
  its.create({ env, fetch: directoryOf(records).fetch })
  return () => rm(folder, { recursive: true })
})

test('finds plugins in a folder and on a branch, each with its own listing and its own update', async () => {
  git('branch', 'side')
  await installed({
    mono: { spec: 'github:acme/mono#side', commit: first },
    part: { spec: 'github:acme/mono#path:/packages/part', commit: first, path: 'packages/part' },
  })
  const after = await commit({ [PART]: { name: 'part', version: '1.1.0' } })
  expect(await checked()).toMatchObject([
    { name: 'mono', listing: 'acme/mono', unmanagedReason: null, latest: null, updateProblem: null },
    { name: 'part', listing: 'acme/mono#packages/part', unmanagedReason: null, latest: after.slice(0, 7) },
  ])
  git('switch', '--quiet', 'side')
  const onSide = await commit({ 'package.json': { name: 'mono', version: '1.2.0' } })
  expect((await checked())[0]).toMatchObject({ name: 'mono', latest: onSide.slice(0, 7) })
})

test('shows no update of a folder for a commit beside it', async () => {
  await installed({ part: { spec: 'github:acme/mono#path:/packages/part', commit: first, path: 'packages/part' } })
  await commit({ 'package.json': { name: 'mono', version: '2.0.0' } })
  expect(await checked()).toMatchObject([{ latest: null, updateProblem: null }])
})

test('says of a branch that is gone why there is no update, and shows those of the others', async () => {
  await installed({
    mono: { spec: 'github:acme/mono#gone', commit: first },
    part: { spec: 'github:acme/mono#path:/packages/part', commit: first, path: 'packages/part' },
  })
  await commit({ [PART]: { name: 'part', version: '1.1.0' } })
  expect(await checked()).toMatchObject([
    { name: 'mono', latest: null, updateProblem: 'not-found' },
    { name: 'part', latest: expect.any(String), updateProblem: null },
  ])
})

test('updates a folder that the directory has no command for, and reviews only its own files', async () => {
  await installed({ part: { spec: 'github:acme/mono#path:/packages/part', commit: first, path: 'packages/part' } })
  const after = await commit({ [PART]: { name: 'part', version: '1.1.0' } })
  const reviewed = value(await review('acme/mono#packages/part', 'web', 'update'))
  expect(reviewed).toMatchObject({
    command: 'dsh plugin --profile web update --latest part',
    commit: after,
    installed: '1.0.0',
    past: { breaks: [], unknown: [] },
  })
  const { id, token } = reviewed
  expect(value(await its.host.calls.diff({ id, token }))).toMatchObject({
    before: first,
    after,
    files: { state: 'read', changed: [{ path: 'package.json' }] },
  })
})

test('installs a folder again where pnpm 10 has forgotten it: an update would replace it by the root', async () => {
  await installed({ part: { spec: 'git+https://github.com/acme/mono.git', commit: first, path: 'packages/part' } })
  await commit({ [PART]: { name: 'part', version: '1.1.0' } })
  expect(await checked()).toMatchObject([{ listing: 'acme/mono#packages/part', latest: expect.any(String) }])
  expect(value(await review('acme/mono#packages/part', 'web', 'update'))).toMatchObject({
    command: 'dsh plugin --profile web add github:acme/mono#path:/packages/part',
  })
})

test('reviews a folder as a source, and refuses the address of one, which names no branch', async () => {
  const reviewSpec = (spec: string) => its.host.calls.reviewSpec({ spec, profile: 'web' })
  const reviewed = value(await reviewSpec('github:acme/mono#path:/packages/part'))
  expect(reviewed).toMatchObject({ commit: first, cautions: ['unlisted'] })
  const { id, token } = reviewed
  expect(value(await its.host.calls.facts({ id, token, wanted: ['fit'] })).fit?.plugin).toBe('part@1.0.0')
  expect(await reviewSpec('https://github.com/acme/mono/tree/main/packages/part')).toMatchObject({
    code: 'unknown-source',
    message: expect.stringContaining('no branch, tag or commit “main/packages/part”'),
  })
  expect(value(await reviewSpec('https://github.com/acme/mono/tree/main')).commit).toBe(first)
})
