import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { packDsh } from '@plugmark/harness-plugin/build'
import type { HostOptions, Job, StoreHost } from '@plugmark/harness-plugin/host'
import { addByHand, createHome, dsh, type Home } from '../harness/home.ts'
import { type HarnessVersion, harnessProgram } from '../harness/versions.ts'
import { packedOnce } from '../once.ts'
import { packVersion } from '../registry/packages.ts'
import { startRegistry } from '../registry/registry.ts'
import { test as base, expect } from '../test.ts'
import { aHost } from './host.ts'

/** A profile that harness 0.1.0-rc.8 made. */
const test = base.extend<{ readonly home: Home }>({
  home: async ({ registry }, use) => {
    const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig, version: '0.1.0-rc.8' })
    await use(home)
    await home.dispose()
  },
})

// Each test starts harnesses at least ten times.
test.slow()

/** Creates a host over another harness than the one that made the profile. */
function hostUnder(version: HarnessVersion, home: Home, options: HostOptions = {}): StoreHost {
  const { command, env } = harnessProgram(version)
  return aHost({ ...home, command, env: { ...home.env, ...env } }, { baseUrl: 'http://127.0.0.1:9', ...options })
}

const profileOf = ({ home, profile }: Home) => join(home, 'profiles', profile)

interface Manifest {
  overrides?: Record<string, string>
  dsh: { profile: { bundles: string[] } }
}

async function editManifest(home: Home, change: (manifest: Manifest) => void): Promise<void> {
  const file = join(profileOf(home), 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  change(manifest)
  await writeFile(file, JSON.stringify(manifest, null, 2))
}

async function check(host: StoreHost, upgrade: { readonly version: string | null }) {
  const { signal } = new AbortController()
  const isStarted = upgrade.version === null
  const checked = await host.checkUpgrade({ profile: 'web', version: upgrade.version, isStarted, signal })
  if (!checked.ok) throw new Error(checked.reason)
  const { start, plugins, harnessVersion } = checked.check
  const states = Object.fromEntries(plugins.map(({ name, state, runs }) => [name, [state.kind, runs]]))
  return { start: start.state, harnessVersion, states, plugins }
}

/** Waits for the end of a started job. */
async function ended(host: StoreHost, answer: Awaited<ReturnType<StoreHost['repair']>>): Promise<Job> {
  if (!answer.ok) throw new Error(answer.message)
  await expect.poll(() => host.job(answer.value.id)?.outcome, { timeout: 1_200_000 }).not.toBeNull()
  return host.job(answer.value.id)!
}

test('an upgrade check reports by number and by program how a profile of 0.1.0-rc.8 works under 0.1.5 and 0.2.1', async ({
  home,
}) => {
  await addByHand(home, 'dsh-plugin-old-lighthouse', 'dsh-plugin-far-horizon', 'dsh-plugin-harbor-notes')
  await addByHand(home, 'dsh-plugin-tide-bell', await placePlugin(home, 'dsh-plugin-waits', WAITS))
  await editManifest(home, (manifest) => {
    const { bundles } = manifest.dsh.profile
    manifest.dsh.profile.bundles = bundles.filter((name) => name !== 'dsh-plugin-tide-bell')
    manifest.overrides = { '@deepseek-ai/dsh-settings': '0.1.0-rc.8' }
  })

  const today = hostUnder('0.2.1-rc.2', home)
  const declared = {
    'dsh-plugin-old-lighthouse': ['refused', 'no'],
    'dsh-plugin-far-horizon': ['refused', 'no'],
    'dsh-plugin-tide-bell': ['off', 'unknown'],
    '@deepseek-ai/dsh-settings': ['pins-harness', 'no'],
  }
  expect(await check(today, { version: '0.2.1-rc.2' })).toMatchObject({
    start: 'not-tried',
    states: {
      ...declared,
      'dsh-plugin-harbor-notes': ['loaded', 'unknown'],
      'dsh-plugin-waits': ['loaded', 'unknown'],
    },
  })
  const started = await check(today, { version: null })
  expect(started).toMatchObject({
    start: 'starts',
    harnessVersion: '0.2.1-rc.2',
    states: {
      ...declared,
      'dsh-plugin-harbor-notes': ['running', 'yes'],
      'dsh-plugin-waits': ['does-not-start', 'no'],
    },
  })
  const waits = started.plugins.find(({ name }) => name === 'dsh-plugin-waits')
  expect(waits?.state.why.join()).toContain('waiting for service: lighthouse')
  await today.close()

  const between = hostUnder('0.1.5-rc.1', home)
  expect(await check(between, { version: null })).toMatchObject({
    start: 'does-not-start',
    harnessVersion: '0.1.5-rc.1',
    states: { 'dsh-plugin-old-lighthouse': ['loaded', 'yes'], 'dsh-plugin-far-horizon': ['loaded', 'no'] },
  })
  await between.close()
})

test('an upgrade of the harness is noticed, and one repair brings back what it turned off', async ({ home }) => {
  const registry = await startRegistry()
  const shared = { stateDir: join(home.home, 'state'), registry: registry.url }
  await home.setRegistry(registry.url)
  const [old, lost, gone, far] = ['old-lighthouse', 'harbor-notes', 'tide-table', 'far-horizon'].map(
    (name) => `dsh-plugin-${name}`,
  ) as [string, string, string, string]
  await addByHand(home, old, lost, gone, far)
  const before = hostUnder('0.1.0-rc.8', home, shared)
  expect(await before.findUpgrade()).toBeNull()
  await before.close()

  await editManifest(home, (manifest) => {
    const { bundles } = manifest.dsh.profile
    manifest.dsh.profile.bundles = bundles.filter((name) => name !== lost)
    manifest.overrides = { '@deepseek-ai/dsh-settings': '0.1.0-rc.8' }
  })
  await rm(join(profileOf(home), 'node_modules', gone), { recursive: true })
  registry.publish(await packVersion(old, { version: '2.0.0', engines: { dsh: '>=0.1.0-rc.8 <0.3.0-0' } }))
  // A repair updates nothing whose known problems cannot be looked up.
  registry.advise(old, [])
  const host = hostUnder('0.2.1-rc.2', home, shared)
  expect(await host.findUpgrade()).toEqual({
    from: '0.1.0-rc.8',
    to: '0.2.1-rc.2',
    total: 4,
    off: expect.arrayContaining([old, lost, gone, far]),
  })

  const plan = await host.calls.reviewRepair({ profile: 'web' })
  if (!plan.ok) throw new Error(plan.message)
  expect(plan.value.steps.map(({ action, name, version }) => [action, name, version]).toSorted()).toEqual([
    ['enable', lost, null],
    ['install', gone, null],
    ['unpin', '@deepseek-ai/dsh-settings', null],
    ['update', old, '2.0.0'],
  ])
  expect(plan.value.left.map(({ name }) => name)).toEqual([far])
  const { outcome } = await ended(host, await host.calls.repair({ profile: 'web', digest: plan.value.digest }))
  expect(outcome).toMatchObject({ kind: 'repaired', subjects: [], parts: { length: 4 } })
  const { start, plugins } = await host.doctor({ profile: 'web' })
  expect(start.state).toBe('starts')
  expect(Object.fromEntries(plugins.map(({ name, state }) => [name, state.kind]))).toEqual({
    [old]: 'running',
    [lost]: 'running',
    [gone]: 'running',
    [far]: 'refused',
  })
  expect(await host.findUpgrade()).toMatchObject({ off: [far] })
  await host.close()
  await registry.close()
})

test('a repair disables the two of five plugins that stop the harness from starting', async ({ home }) => {
  const folders: string[] = []
  for (let n = 0; n < 5; n++)
    folders.push(await placePlugin(home, `dsh-plugin-of-five-${n}`, n === 1 || n === 4 ? THROWS : SOUND))
  await addByHand(home, ...folders.slice(0, 1))
  await dsh(home, 'plugin', '--profile', home.profile, 'add', ...folders.slice(1))
  const host = aHost(home, { baseUrl: 'http://127.0.0.1:9' })
  expect((await host.doctor({ profile: 'web' })).start.state).toBe('does-not-start')
  const { outcome } = await ended(host, await host.repair({ profile: 'web' }))
  expect(outcome).toMatchObject({
    kind: 'repaired',
    subjects: ['dsh-plugin-of-five-1', 'dsh-plugin-of-five-4'],
  })
  expect((await host.doctor({ profile: 'web' })).start.state).toBe('starts')
  expect((await home.bundles()).filter((name) => name.startsWith('dsh-plugin-'))).toHaveLength(3)
  await host.close()
})

test('a try reports the verdict of each command on two harnesses, and does not change the home', async ({
  home,
  registry,
}) => {
  const both = ['dsh-plugin-harbor-notes', 'dsh-plugin-copper-bell']
  const names = { '0.1.0-rc.8': [...both, 'dsh-plugin-dry-well', 'dsh-plugin-of-nobody'], '0.2.1-rc.2': both }
  const { signal } = new AbortController()
  const found: Record<string, unknown> = {}
  for (const version of ['0.1.0-rc.8', '0.2.1-rc.2'] as const) {
    const host = hostUnder(version, home, { registry: registry.url })
    const store = await packedOnce('dsh', packDsh)
    for (const spec of [...names[version], await placePlugin(home, 'dsh-plugin-throws', THROWS), store]) {
      const tried = await host.tryPlugin({ spec, signal })
      if (!tried.ok) throw new Error(tried.reason)
      const { verdict, runs, blockedBuilds } = tried.tried
      const name = spec === store ? 'the store itself' : spec.split('/').at(-1)
      found[`${version} ${name}`] = [verdict, runs, ...blockedBuilds.map(({ key }) => key)]
    }
    await host.close()
  }
  expect(found).toEqual({
    '0.1.0-rc.8 dsh-plugin-harbor-notes': ['passed', true],
    '0.1.0-rc.8 dsh-plugin-copper-bell': ['needs-approval', false, 'dsh-plugin-copper-bell@0.4.1'],
    '0.1.0-rc.8 dsh-plugin-dry-well': ['not-a-layer', null],
    '0.1.0-rc.8 dsh-plugin-of-nobody': ['failed', null],
    '0.1.0-rc.8 dsh-plugin-throws': ['passed', false],
    '0.1.0-rc.8 the store itself': ['passed', true],
    '0.2.1-rc.2 dsh-plugin-harbor-notes': ['passed', true],
    '0.2.1-rc.2 dsh-plugin-copper-bell': ['needs-approval', false, 'dsh-plugin-copper-bell@0.4.1'],
    '0.2.1-rc.2 dsh-plugin-throws': ['passed', false],
    '0.2.1-rc.2 the store itself': ['passed', true],
  })
  expect(await home.bundles()).toEqual(expect.not.arrayContaining([expect.stringMatching(/^dsh-plugin-/)]))
})

const SOUND = 'export function apply() {}\n'
const THROWS = "export function apply() { throw new Error('the anchor is fouled') }\n"
const WAITS = "export const inject = ['lighthouse']\nexport function apply() {}\n"

/** Creates a plugin in a folder beside the home. @returns its path */
async function placePlugin({ home }: Home, name: string, source: string): Promise<string> {
  const folder = join(dirname(home), 'plugins', name)
  await mkdir(folder, { recursive: true })
  const manifest = {
    name,
    version: '1.0.0',
    type: 'module',
    exports: { '.': './index.js', './package.json': './package.json' },
    dsh: { bundle: { patch: './cordis.patch.yml' } },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'index.js'), source)
  // Every JSON text is valid YAML.
  await writeFile(join(folder, 'cordis.patch.yml'), JSON.stringify([{ insert: [{ id: name, name }] }]))
  return folder
}
