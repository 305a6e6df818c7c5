import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import type { Drift, ProfileLock, SyncPlan } from '../../protocol/index.ts'
import { hostForTests, value, whenRecovered } from '../host-testing.ts'
import { aRecord, directoryOf } from '../testing.ts'

export const COMMIT = 'a1'.repeat(20)
export const SECRET = 'npm_0123456789abcdefABCDEF0123'

export const LOCKFILE = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      good: { specifier: ^1.0.0, version: 1.0.0 }
patchedDependencies:
  good@1.0.0: { hash: 0f1e, path: patches/good.patch }
packages:
  good@1.0.0: { resolution: { integrity: sha512-good } }
  needed@2.0.0: { resolution: { integrity: sha512-needed } }
  kite@https://codeload.github.com/moss/kite/tar.gz/${COMMIT}:
    resolution: { tarball: https://codeload.github.com/moss/kite/tar.gz/${COMMIT} }
    version: 0.1.0
`

/** Writes a profile with a plugin of each kind, as the package manager leaves it. */
export async function furnishProfile(directory: string, { lockfile = LOCKFILE } = {}) {
  const file = (name: string) => join(directory, name)
  const dependencies = { other: 'file:/opt/other', kite: 'github:moss/kite', good: '^1.0.0' }
  const manifest = { dependencies, dsh: { profile: { bundles: ['@deepseek-ai/dsh-base', 'kite', 'other'] } } }
  await writeFile(file('package.json'), JSON.stringify(manifest))
  await writeFile(file('pnpm-lock.yaml'), lockfile)
  for (const [name, version] of [
    ['good', '1.0.0'],
    ['kite', '0.1.0'],
    ['other', '3.0.0'],
  ]) {
    await mkdir(file(`node_modules/${name}`), { recursive: true })
    const bundle = { name, version, dsh: { bundle: {} } }
    await writeFile(file(`node_modules/${name}/package.json`), JSON.stringify(bundle))
  }
  await writeFile(file('node_modules/.modules.yaml'), JSON.stringify({ packageManager: 'pnpm@11.28.11' }))
  await mkdir(file('.plugmark'), { recursive: true })
  const holds = { good: { reason: 'It works.', since: 5 }, kite: { reason: null, since: 5, skips: '0.2.0' } }
  await writeFile(file('.plugmark/holds.json'), JSON.stringify({ version: 1, holds }))
}

export const kinds = (drift: readonly Drift[]) => drift.map(({ kind, name }) => `${kind} ${name}`)
export const taken = ({ changes }: SyncPlan) =>
  changes.map(({ id, action, version }) => `${action} ${id} ${version ?? ''}`.trim())

// A lock that a profile is made like as a whole.

/** Stands in for the package manager: installs what its lock says, and refuses a frozen one that is not for package.json. */
export const PNPM = `#!${process.execPath}
  const { writeFileSync, mkdirSync, readFileSync } = require('node:fs')
  const { parse } = require(${JSON.stringify(createRequire(import.meta.url).resolve('yaml'))})
  if (process.argv.includes('--version')) console.log('11.28.11')
  if (process.argv[2] !== 'install') process.exit()
  const wanted = JSON.parse(readFileSync('package.json', 'utf8')).dependencies
  const { importers } = parse(readFileSync('pnpm-lock.yaml', 'utf8'))
  const locked = importers['.'].dependencies
  if (Object.keys(wanted).some((name) => locked[name]?.specifier !== wanted[name])) {
    console.log('ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"')
    process.exit(1)
  }
  for (const [name, { version }] of Object.entries(locked)) {
    mkdirSync('node_modules/' + name, { recursive: true })
    writeFileSync('node_modules/' + name + '/package.json', JSON.stringify({ name, version, dsh: { bundle: {} } }))
  }
  writeFileSync('node_modules/.modules.yaml', JSON.stringify({ packageManager: 'pnpm@11.28.11' }))`
export const lines = (...names: string[]) => [
  "lockfileVersion: '9.0'",
  'importers:',
  '  .:',
  '    dependencies:',
  ...names.map((name) => `      ${name}: { specifier: ^1.0.0, version: 1.0.0 }`),
  'packages:',
  ...names.map((name) => `  ${name}@1.0.0: { resolution: { integrity: sha512-${name} } }`),
  'snapshots:',
  ...names.map((name) => `  ${name}@1.0.0: {}`),
  '',
]
/** Returns the lines of a lock with other texts in them. */
export const edited = (
  packages: readonly string[] | null,
  ...edits: readonly (readonly [from: string, to: string])[]
) => edits.reduce((text, [from, to]) => text.replace(from, to), packages!.join('\n')).split('\n')
export const pluginOf = (name: string, change: Partial<ProfileLock['plugins'][number]> = {}) => ({
  ...{ name, spec: '^1.0.0', version: '1.0.0', integrity: `sha512-${name}`, commit: null, off: false, held: null },
  ...change,
})
const WORKSPACE = '# Mine.\noverrides:\n  "@deepseek-ai/dsh-base": 0.2.1\n  mine: 1.0.0\nfetchRetries: 3\n'
const LAYERS = ['good-too', '@deepseek-ai/dsh-base', 'other']

/** Creates a host for each test, over a profile with a plugin of each kind. */
export function locksForTests() {
  const { its, ended } = hostForTests()
  /** Holds the user's variables: the code host is a folder of this home. */
  const env: Record<string, string> = {}
  beforeEach(async () => {
    await furnishProfile(its.home.directory)
    const { home } = its.home
    Object.assign(env, { PATH: process.env.PATH!, HOME: home })
    const settings = `[user]\nname = a\nemail = a@a.dev\n[url "file://${home}/github/"]\ninsteadOf = https://github.com/\n`
    await writeFile(join(home, '.gitconfig'), settings)
    its.create({ env })
    await whenRecovered(its.host)
  })

  const lockOf = async () => value(await its.host.calls.profileLock({ profile: 'web' }))
  async function driftOf(lock: ProfileLock): Promise<readonly Drift[]> {
    const drift = value(await its.host.lockDrift('web', JSON.stringify(lock)))
    if ('problem' in drift) throw new Error(drift.problem)
    return drift
  }
  async function planOf(text: string | object, exact = false): Promise<SyncPlan> {
    const given = { profile: 'web', text: typeof text === 'string' ? text : JSON.stringify(text), exact }
    const plan = value(await its.host.calls.planSync(given))
    if ('problem' in plan) throw new Error(`${plan.problem} ${plan.where}`)
    return plan
  }

  /** Commits to a repository of the code host. @returns the commit */
  async function commit(repository: string): Promise<string> {
    const cwd = join(its.home.home, 'github', `${repository}.git`)
    await mkdir(cwd, { recursive: true })
    const git = (...args: string[]) => execFileSync('git', args, { cwd, env }).toString().trim()
    git('init', '--quiet')
    git('commit', '--quiet', '--allow-empty', '-m', 'one')
    return git('rev-parse', 'HEAD')
  }

  /** Opens the store over a profile that can be made like a lock as a whole, also beside another one. */
  function openWindow(options: Parameters<typeof its.create>[0] = {}) {
    const records = ['good', 'good-too'].map((name) => aRecord(`a/${name}`, { installCheck: 'passed' }))
    return its.create({
      env: { ...env, PATH: `${its.home.home}/bin:${env.PATH}` },
      fetch: directoryOf(records).fetch,
      ownPackage: '@plugmark/store',
      ...options,
    })
  }

  /** Makes a profile that can be made like a lock as a whole. @returns that lock */
  async function wholeLock(): Promise<ProfileLock> {
    const { directory, home } = its.home
    await rm(directory, { recursive: true })
    await mkdir(directory, { recursive: true })
    const bundles = ['@deepseek-ai/dsh-base', 'other', 'more']
    const manifest = { dependencies: { more: '^1.0.0', other: '^1.0.0' }, dsh: { profile: { bundles } } }
    await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(directory, 'pnpm-lock.yaml'), lines('more', 'other').join('\n'))
    await writeFile(join(directory, 'pnpm-workspace.yaml'), WORKSPACE)
    for (const name of ['more', 'other']) {
      await mkdir(join(directory, 'node_modules', name), { recursive: true })
      const bundle = JSON.stringify({ name, version: '1.0.0', dsh: { bundle: {} } })
      await writeFile(join(directory, 'node_modules', name, 'package.json'), bundle)
    }
    await mkdir(join(home, 'bin'))
    await writeFile(join(home, 'bin/pnpm'), PNPM, { mode: 0o755 })
    openWindow()
    const held = { reason: 'It works.' }
    return {
      ...(await lockOf()),
      plugins: [pluginOf('good', { off: true, held }), pluginOf('good-too'), pluginOf('other')],
      layers: LAYERS,
      packages: lines('good', 'good-too', 'other'),
      settings: { overrides: { needed: '2.0.0' }, patchedDependencies: { other: 'patches/other.patch' } },
      patches: { 'patches/other.patch': ['--- a', '+++ b', ''] },
    }
  }
  /** Starts a plan with a yes to each of its changes. */
  const start = async (plan: SyncPlan, named = plan.changes, { host } = its) => {
    const reviews = await Promise.all(
      named.map(async ({ id, version, action }) => {
        const given = { id, profile: 'web', action, ...(version !== null && { version }) } as const
        const review = await (action === 'remove'
          ? host.calls.reviewPackage({ package: id, profile: 'web', action })
          : host.calls.review(given))
        return { id, token: value(review).token, acknowledged: true }
      }),
    )
    return host.calls.startAll({ reviews, ...(plan.token !== null && { sync: plan.token }) })
  }
  const layers = async () =>
    JSON.parse(await readFile(join(its.home.directory, 'package.json'), 'utf8')).dsh.profile.bundles
  return { its, ended, env, lockOf, driftOf, planOf, commit, openWindow, wholeLock, start, layers }
}
