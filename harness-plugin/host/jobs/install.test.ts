import { rmSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { JobAction } from '../../protocol/index.ts'
import type { JobContext } from '../harness/job.ts'
import { emptyOutcome } from '../harness/outcome.ts'
import { Output } from '../harness/output.ts'
import type { RunningHarness } from '../harness/running-harness.ts'
import { value } from '../host-testing.ts'
import { createStoreHost, type StoreHost } from '../index.ts'
import { UpdateStates } from '../plugins/updates.ts'
import { readProfileState } from '../profile/state.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import type { HostOptions } from '../settings.ts'
import { aHome, aRecord, directoryOf, FAKE_HARNESS, furnish, hashTree, whenJob } from '../testing.ts'
import { ActivationWatch } from './apply.ts'

let home: Awaited<ReturnType<typeof aHome>>
let host: StoreHost
/** Calls of the plugin manager so far. */
let calls: string[]
/** Active rows of the running harness, each with an object that stands in for its fiber. */
let rows: Map<string, object>
/** Runs in place of the next install; null to let the install succeed. */
let fails: (() => Promise<unknown>) | null
/** Holds what 0.2.1-rc.2 says of a plugin that throws when it is enabled; the other row was there before. */
const NOT_ACTIVE =
  'dsh: warning: 2 entries did not activate\nold (good-old): Error: x\ngood (good/part): Error: taken\n    at apply'
/** True if the manager records a bundle as enabled but fails to load it. */
let refusesToEnable: () => boolean | Promise<boolean>
/** Version that the manager installs; undefined for a package without one. */
let published: string | undefined
/** Called before the running harness tells its rows. */
let onTree: () => void
/** Called when somebody listens to the plugin manager. */
let onListen: () => void

async function change(edit: (manifest: { dependencies: Record<string, string>; layers: string[] }) => unknown) {
  const file = join(home.directory, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  const parts = { dependencies: manifest.dependencies, layers: manifest.dsh.profile.bundles }
  edit(parts)
  await writeFile(file, JSON.stringify({ ...manifest, dsh: { profile: { bundles: parts.layers } } }))
}
const layers = async (): Promise<string[]> =>
  JSON.parse(await readFile(join(home.directory, 'package.json'), 'utf8')).dsh.profile.bundles

/** Creates a harness that applies the changes of its plugin manager, as 0.2 does. */
function aHarness(): RunningHarness {
  let log: (line: unknown) => void = () => {}
  const applied = { application: 'applied', changed: true }
  return {
    profile: home.directory,
    program: 'harness',
    isLive: true,
    isDesktop: false,
    tree() {
      onTree()
      const all = [...rows].map(([name, instance]) => ({ id: name, name, disabled: false, active: true, instance }))
      return { rows: all, layers: null }
    },
    offers: () => ({ commands: ['help', ...[...rows.keys()].map((name) => `${name}-note`)], tools: [] }),
    pageModules: () => [],
    pluginManager: () => ({
      async installBundle(spec, { enabled, requestId }) {
        calls.push(`install ${spec} ${enabled}`)
        log({ requestId: 'of somebody else', stream: 'stdout', text: 'not ours\n' })
        log({ requestId, stream: 'stdout', text: 'pnpm says\n' })
        await mkdir(join(home.directory, 'node_modules', spec), { recursive: true })
        const installed = JSON.stringify({ version: published, dsh: { bundle: {} } })
        await writeFile(join(home.directory, 'node_modules', spec, 'package.json'), installed)
        await change(({ dependencies }) => Object.assign(dependencies, { [spec]: '^1.0.0' }))
        return fails ? fails() : { ...applied, bundle: spec }
      },
      cancelInstall: (id) => calls.push(`cancel ${id.length}`),
      async removeBundle(name) {
        calls.push(`remove ${name}`)
        await change((manifest) => {
          delete manifest.dependencies[name]
          manifest.layers = manifest.layers.filter((bundle) => bundle !== name)
        })
        rows.delete(name)
        return applied
      },
      async setBundleEnabled(name, enabled) {
        calls.push(`${enabled ? 'enable' : 'disable'} ${name}`)
        await change((manifest) => {
          manifest.layers = manifest.layers.filter((bundle) => bundle !== name)
          if (enabled) manifest.layers.push(name)
        })
        if (enabled && (await refusesToEnable()))
          return { application: 'failed', changed: true, error: { code: 'operation-error', diagnostic: NOT_ACTIVE } }
        if (enabled) rows.set(name, {})
        else rows.delete(name)
        return applied
      },
      onLog(listener) {
        onListen()
        log = listener
        return () => {
          log = () => {}
        }
      },
    }),
  }
}

const aHost = (options: HostOptions = {}): StoreHost =>
  createStoreHost(
    {
      baseUrl: 'https://directory.example',
      home: home.home,
      command: [process.execPath, join(home.home, 'program.cjs')],
      env: { PATH: process.env.PATH, HOME: home.home },
      trial: false,
      running: aHarness(),
      ...options,
    },
    directoryOf(['good', 'good-other'].map((name) => aRecord(`a/${name}`, { installCheck: 'passed' }))),
  )

beforeEach(async () => {
  home = await aHome()
  // No server listens here, so no version is known to compare with.
  await writeFile(join(home.home, '.npmrc'), 'registry=http://127.0.0.1:9\n')
  calls = []
  rows = new Map()
  fails = null
  refusesToEnable = () => false
  published = undefined
  onTree = () => {}
  onListen = () => {}
  await furnish(home.directory)
  await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS)
  host = aHost()
})
afterEach(async () => {
  await host.close()
  await home.dispose()
})

const start = async (action: JobAction): Promise<string> => {
  const { token } = value(await host.calls.review({ id: 'a/good', profile: 'web', action }))
  return value(await host.calls.start({ id: 'a/good', token, acknowledged: true })).id
}
const ended = (id: string) => whenJob(host, id)
const perform = async (action: JobAction) => ended(await start(action))
const startUndo = async () => {
  const last = value(await host.calls.lastChange({ profile: 'web' }))
  return value(await host.calls.undo({ profile: 'web', change: last!.job.id })).id
}

test('tells what the running harness has beyond before, where no trial saw it', async () => {
  const adds = { commands: ['good-note'], tools: [] }
  expect((await perform('install')).outcome).toMatchObject({ activation: 'live', trial: null, adds })
  expect((await perform('disable')).outcome).not.toHaveProperty('adds')
  expect((await perform('enable')).outcome).toMatchObject({ adds })
})

test('installs, enables, disables and removes by the plugin manager without a restart of the harness', async () => {
  const installed = await perform('install')
  expect(installed.outcome).toMatchObject({ kind: 'registered', activation: 'live' })
  expect(installed.output).toEqual([expect.stringContaining('could not be looked up'), 'pnpm says'])
  expect(await perform('disable')).toMatchObject({ command: null, outcome: { kind: 'disabled', activation: 'live' } })
  const list = async () => value(await host.calls.installed({ profile: 'web' }))
  expect(await list()).toMatchObject([{ name: 'good', layer: false, enabled: false }])
  expect(await perform('enable')).toMatchObject({ outcome: { kind: 'enabled', activation: 'live' } })
  expect(await list()).toMatchObject([{ name: 'good', layer: true, enabled: true }])
  expect(await perform('remove')).toMatchObject({ outcome: { kind: 'removed', activation: 'live' } })
  expect(calls).toEqual(['install good false', 'enable good', 'disable good', 'enable good', 'remove good'])
})

test('rolls back a plugin that the manager installed but cannot load', async () => {
  const before = await hashTree(home.directory, [])
  refusesToEnable = () => true
  const { outcome } = await perform('install')
  const why = ['good (good/part): Error: taken']
  expect(outcome).toMatchObject({ kind: 'does-not-start', subjects: why, rollback: 'complete' })
  expect(await hashTree(home.directory, [])).toBe(before)
  refusesToEnable = () => false
  await perform('install')
  refusesToEnable = () => true
  expect((await perform('update')).outcome).toMatchObject({ kind: 'does-not-start', subjects: why })
})

test('has the harness load the version before again after an update that does not start', async () => {
  await perform('install')
  refusesToEnable = async () =>
    (await readFile(join(home.directory, 'node_modules/good/package.json'), 'utf8')).includes('2.0.0')
  expect((await perform('update')).outcome).toMatchObject({
    kind: 'does-not-start',
    rollback: 'complete',
    activation: 'unchanged',
  })
  expect([...rows.keys()]).toEqual(['good'])
  expect(await layers()).toEqual(['@deepseek-ai/dsh-base', 'good'])
})

test('has the harness load the version before again after an update that was cancelled once the new one ran', async () => {
  await perform('install')
  calls = []
  let id = ''
  refusesToEnable = async () => {
    refusesToEnable = () => false
    await host.calls.cancel({ job: id })
    return false
  }
  id = await start('update')
  expect((await ended(id)).outcome).toMatchObject({ kind: 'cancelled', rollback: 'complete', activation: 'unchanged' })
  expect(calls.filter((call) => !call.startsWith('cancel'))).toEqual([
    ...['disable good', 'enable good'],
    ...['disable good', 'enable good'],
  ])
})

test('asks for a restart while the harness still runs a plugin whose install was cancelled', async () => {
  let id = ''
  refusesToEnable = async () => {
    await host.calls.cancel({ job: id })
    return false
  }
  id = await start('install')
  expect((await ended(id)).outcome).toMatchObject({ kind: 'cancelled', rollback: 'complete', activation: 'restart' })
})

test('has the harness load the version before again after an update that ended with an error', async () => {
  await perform('install')
  onListen = () => {
    if (rows.has('good')) return
    onListen = () => {}
    throw new Error('no events now')
  }
  expect((await perform('update')).outcome).toMatchObject({ rollback: 'complete', activation: 'unchanged' })
  expect([...rows.keys()]).toEqual(['good'])
})

test('can make a change again that was undone in a running harness', async () => {
  await perform('install')
  await change((manifest) => manifest.layers.push('later'))
  await perform('update')
  const text = () => readFile(join(home.directory, 'package.json'), 'utf8')
  const manifest = JSON.parse(await text())
  await writeFile(join(home.directory, '.plugmark/undo/package.json'), JSON.stringify(manifest, null, 4))
  expect((await ended(await startUndo())).outcome).toMatchObject({ kind: 'reverted', activation: 'live' })
  expect(await text()).toBe(JSON.stringify(manifest, null, 4))
  expect((await ended(await startUndo())).outcome).toMatchObject({ kind: 'redone', activation: 'live' })
})

test('leaves plugins enabled after an undo that the harness takes too long to unload or cannot load', async () => {
  const names = ['first', 'second', 'third']
  await change(({ dependencies, layers }) => {
    layers.push(...names)
    for (const name of names) dependencies[name] = '^1.0.0'
  })
  const is = (await readProfileState(home.directory))!
  const was = { ...is, versions: new Map(names.map((name) => [name, '0.9.0'])) }
  const limits: AbortController[] = []
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    limits.push(new AbortController())
    return limits.at(-1)!.signal
  })
  onTestFinished(() => timeout.mockRestore())
  Object.defineProperty(rows, 'delete', {
    value: (name: string) => {
      if (name === 'second') for (const limit of limits) limit.abort()
      return Map.prototype.delete.call(rows, name)
    },
  })
  refusesToEnable = async () => {
    await change((manifest) => manifest.layers.pop())
    return true
  }
  const harness: RunningHarness = { ...aHarness(), isLive: false }
  const output = new Output({ redactions: [], onLines: () => {} })
  const parts = {
    harness,
    output,
    directory: home.directory,
    settings: { ownPackage: null },
    job: { id: 'job', startedAt: 1 },
  }
  const running = new ActivationWatch(parts as unknown as JobContext)
  await running.afterSwitch(emptyOutcome('reverted'), was, is)
  expect(calls.filter((call) => call.endsWith('second'))).toEqual(['disable second', 'enable second'])
  expect(await layers()).toEqual(is.manifest.layers)
})

test.each([
  [
    'cannot read its snapshot',
    'profile-changed',
    () => rmSync(join(home.directory, '.plugmark/undo/node_modules'), { recursive: true }),
  ],
  ['was cancelled', 'cancelled', (id: string) => host.calls.cancel({ job: id })],
] as const)('has the harness load again what an undo had unloaded that %s', async (_, kind, end) => {
  await perform('install')
  calls = []
  let id = ''
  Object.defineProperty(rows, 'delete', {
    value: (name: string) => {
      void end(id)
      return Map.prototype.delete.call(rows, name)
    },
  })
  id = await startUndo()
  expect((await ended(id)).outcome).toMatchObject({ kind, rollback: 'complete', activation: 'unchanged' })
  expect([...rows.keys()]).toEqual(['good'])
})

test.each(['update', 'undo'] as const)(
  'keeps an %s that is done, although the harness can no longer be watched',
  async (action) => {
    await perform('install')
    calls = []
    onTree = () => {
      if (calls.includes('disable good')) throw new Error('its context is gone')
    }
    const { outcome } = await ended(await (action === 'undo' ? startUndo() : start(action)))
    expect(outcome).toMatchObject({
      kind: action === 'undo' ? 'reverted' : 'updated',
      rollback: null,
      activation: 'restart',
    })
  },
)

test('enables a plugin when an installed but disabled one is installed', async () => {
  await perform('install')
  await perform('disable')
  expect(value(await host.calls.review({ id: 'a/good', profile: 'web', action: 'install' }))).toMatchObject({
    action: 'enable',
    command: null,
  })
  expect(await perform('install')).toMatchObject({ action: 'enable', outcome: { kind: 'enabled', activation: 'live' } })
})

test('enables no plugin that the last check found to be malware, also when its install is reviewed', async () => {
  published = '1.0.0'
  await perform('install')
  await perform('disable')
  const { token } = value(await host.calls.review({ id: 'a/good', profile: 'web', action: 'install' }))
  const advisory = { package: 'good@1.0.0', path: ['good@1.0.0'], title: '', severity: '', url: '' }
  await new UpdateStates().change(home.directory, () => ({
    check: {
      ...{ versions: new Map(), waiting: new Map(), commits: new Map(), problems: new Map(), news: new Map() },
      installed: { versions: new Map(), commits: new Map() },
      advisories: [{ ...advisory, isMalware: true, without: null }],
      unknownSince: null,
    },
  }))
  const order = { id: 'a/good', token, acknowledged: true }
  expect(await host.calls.start(order)).toMatchObject({ ok: false, code: 'malware' })
  expect(await host.calls.startAll({ reviews: [order] })).toMatchObject({ ok: false, code: 'malware' })
  expect(await layers()).not.toContain('good')
})

test('enables such a plugin without the manager too when the command line leaves it disabled', async () => {
  await perform('install')
  await perform('disable')
  await host.close()
  await writeFile(join(home.home, 'program.cjs'), '')
  host = aHost({ running: null })
  expect((await perform('install')).outcome).toMatchObject({ kind: 'registered' })
  expect(await layers()).toContain('good')
})

test('reloads an updated plugin and keeps the order of the layers', async () => {
  await perform('install')
  await change((manifest) => manifest.layers.push('later'))
  calls = []
  const { outcome, output } = await perform('update')
  expect(outcome).toMatchObject({ kind: 'updated', activation: 'live' })
  expect(output).toEqual([expect.stringContaining('could not be looked up'), expect.stringMatching(/^done/)])
  expect(calls).toEqual(['disable good', 'enable good'])
  expect(await layers()).toEqual(['@deepseek-ai/dsh-base', 'good', 'later'])
})

test.each([
  [
    'refuses',
    () => Promise.resolve({ application: 'failed', error: { code: 'operation-error', diagnostic: 'no' } }),
    'failed',
  ],
  ['finds no layer', () => Promise.resolve({ application: 'failed', error: { code: 'not-bundle' } }), 'not-a-layer'],
  ['answers something else', () => Promise.resolve('applied'), 'failed'],
  ['rejects', () => Promise.reject(new Error('boom')), 'failed'],
] as const)('restores the profile when the manager %s', async (_, result, kind) => {
  const before = await hashTree(home.directory)
  fails = result
  const { outcome } = await perform('install')
  expect(outcome).toMatchObject({ kind, rollback: 'complete', activation: 'unchanged' })
  expect(calls).toEqual(['install good false'])
  expect(await hashTree(home.directory)).toBe(before)
})

test('keeps and names settings that the harness wrote during a failed install, and undoes everything else', async () => {
  const patch = 'cordis.patch.yml'
  const rest = await hashTree(home.directory, [patch])
  fails = async () => {
    await writeFile(join(home.directory, patch), '- id: locale\n  config:\n    preference: zh\n')
    return { application: 'failed', error: { code: 'operation-error', diagnostic: 'no' } }
  }
  const { outcome } = await perform('install')
  expect(outcome).toMatchObject({
    kind: 'failed',
    rollback: 'complete',
    profile: { dependency: false, changed: [patch] },
  })
  expect(await readFile(join(home.directory, patch), 'utf8')).toContain('preference: zh')
  expect(await hashTree(home.directory, [patch])).toBe(rest)
})

test('cancels the install in the manager when the job is cancelled, and undoes it', async () => {
  const before = await hashTree(home.directory)
  const cancelled = Promise.withResolvers<unknown>()
  fails = () => cancelled.promise
  const id = await start('install')
  await expect.poll(() => calls).toEqual(['install good false'])
  await host.calls.cancel({ job: id })
  expect(calls.at(-1)).toBe(`cancel ${id.length}`)
  cancelled.resolve({ application: 'cancelled' })
  expect((await ended(id)).outcome).toMatchObject({ kind: 'cancelled', rollback: 'complete' })
  expect(await hashTree(home.directory)).toBe(before)
})

test('rolls back after a cancelled manager has restored the profile in its own way', async () => {
  const before = await hashTree(home.directory)
  const cancelled = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  fails = async () => {
    await cancelled.promise
    // After its processes were killed.
    await new Promise((resolve) => setTimeout(resolve, 6500))
    await change(({ dependencies }) => Object.assign(dependencies, { good: '^0.1.0' }))
    late.resolve()
    return { application: 'failed' }
  }
  const id = await start('install')
  await expect.poll(() => calls).toEqual(['install good false'])
  await host.calls.cancel({ job: id })
  cancelled.resolve()
  expect((await ended(id)).outcome).toMatchObject({ kind: 'cancelled', rollback: 'complete' })
  await late.promise
  expect(await hashTree(home.directory)).toBe(before)
})

test('asks for no restart after a cancel that a running harness without a plugin manager reverts by itself', async () => {
  await perform('install')
  rows.clear()
  const harness: RunningHarness = { ...aHarness(), pluginManager: () => null }
  const job = { id: 'job', startedAt: 1 }
  const parts = { harness, directory: home.directory, signal: AbortSignal.abort(), settings: { ownPackage: null }, job }
  const running = new ActivationWatch(parts as unknown as JobContext)
  setTimeout(() => rows.set('good', {}), 300)
  const rolledBack = { ...emptyOutcome('cancelled'), rollback: 'complete' as const }
  expect((await running.afterRollback(rolledBack, ['good'])).activation).toBe('unchanged')
})

test('stops waiting for an install that the manager never ends', async () => {
  const before = await hashTree(home.directory)
  fails = () => new Promise(() => {})
  const id = await start('install')
  await expect.poll(() => calls).toEqual(['install good false'])
  await host.calls.cancel({ job: id })
  expect((await ended(id)).outcome).toMatchObject({ kind: 'cancelled', rollback: 'complete' })
  expect(await hashTree(home.directory)).toBe(before)
})

test('asks for a restart when the harness does not run the plugin in time', async () => {
  await perform('install')
  rows.clear()
  // A row with the same fiber still runs the version from before.
  const same = {}
  Object.defineProperty(rows, 'set', { value: () => Map.prototype.set.call(rows, 'good', same) })
  rows.set('good', same)
  expect((await perform('update')).outcome).toMatchObject({ kind: 'updated', activation: 'restart' })
})

test('says of a package that is not the store why it is not updated by its name', async () => {
  await perform('install')
  expect(await host.calls.reviewPackage({ package: 'good', profile: 'web', action: 'update' })).toEqual({
    ok: false,
    code: 'unlisted-package',
    message:
      'The directory does not list this package, so the store cannot update it. Install it again from its source.',
  })
})

test('updates the store by the command line while the harness runs it, and changes it in no other way', async () => {
  await perform('install')
  await host.close()
  host = aHost({ ownPackage: 'good' })
  calls = []
  for (const action of ['update', 'remove', 'disable'] as const)
    expect(await host.calls.review({ id: 'a/good', profile: 'web', action })).toMatchObject({
      ok: false,
      code: 'own-package',
    })
  const own = { package: 'good', profile: 'web' }
  expect(await host.calls.reviewPackage({ ...own, action: 'remove' })).toMatchObject({ code: 'own-package' })
  expect(value(await host.calls.installed({ profile: 'web' }))).toMatchObject([
    { name: 'good', removable: false, unmanagedReason: 'store' },
  ])
  await writeFile(join(home.directory, 'node_modules/good/package.json'), '{"version":"1.0.0","dsh":{"bundle":{}}}')
  const review = value(await host.calls.reviewPackage({ ...own, action: 'update' }))
  expect(review).toMatchObject({
    command: 'dsh plugin --profile web update --latest good',
    wayBack: 'dsh plugin --profile web add good@1.0.0',
  })
  const job = value(await host.calls.start({ id: 'good', token: review.token, acknowledged: false }))
  expect((await ended(job.id)).outcome).toMatchObject({ kind: 'updated', activation: 'restart' })
  expect(calls).toEqual([])
  // The way back on the screen.
  const last = value(await host.calls.lastChange({ profile: 'web' }))!.job.id
  expect((await ended(value(await host.calls.undo({ profile: 'web', change: last })).id)).outcome).toMatchObject({
    kind: 'reverted',
  })
})

test('continues a job when a listener throws', async () => {
  host.subscribe(() => {
    throw new Error('its page is gone')
  })
  expect((await perform('install')).outcome).toMatchObject({ kind: 'registered' })
})

test.each([
  ['0.2.1-rc.2', 'restart-unless-applied'],
  ['0.1.5-rc.1', 'restart'],
] as const)(
  'says for %s if a harness that it does not see applies an install by itself',
  async (version, activation) => {
    const work = join(home.home, 'profiles/work')
    await mkdir(work)
    await writeFile(join(work, 'package.json'), await readFile(join(home.directory, 'package.json')))
    const says = `if (process.argv.includes('--version')) return console.log('${version}')\n`
    await writeFile(join(home.home, 'program.cjs'), says + FAKE_HARNESS)
    const { token } = value(await host.calls.review({ id: 'a/good', profile: 'work', action: 'install' }))
    const job = await ended(value(await host.calls.start({ id: 'a/good', token, acknowledged: true })).id)
    expect(job.outcome).toMatchObject({ kind: 'registered', activation })
    expect(value(await host.calls.history({ profile: 'work' }))[0]?.outcome.activation).toBe(activation)
  },
)

test('changes another profile by the command line, and enables and disables plugins in its files', async () => {
  const work = join(home.home, 'profiles/work')
  await mkdir(work)
  await writeFile(join(work, 'package.json'), await readFile(join(home.directory, 'package.json')))
  const { token } = value(await host.calls.review({ id: 'a/good', profile: 'work', action: 'install' }))
  const job = await ended(value(await host.calls.start({ id: 'a/good', token, acknowledged: true })).id)
  expect(job.outcome).toMatchObject({ kind: 'registered', activation: 'restart' })

  await writeFile(join(work, 'node_modules/good/package.json'), '{"version":"1.0.0","dsh":{"bundle":{}}}')
  const layers = async () => JSON.parse(await readFile(join(work, 'package.json'), 'utf8')).dsh.profile.bundles
  const flip = async (enabled: boolean) => {
    const target = { package: 'good', profile: 'work', enabled, listing: 'a/good' }
    return ended(value(await host.calls.switchPlugin(target)).id)
  }
  expect(await flip(false)).toMatchObject({
    action: 'disable',
    listing: 'a/good',
    command: null,
    outcome: { kind: 'disabled', activation: 'restart' },
  })
  expect(await layers()).toEqual(['@deepseek-ai/dsh-base'])
  expect(value(await host.calls.installed({ profile: 'work' }))).toMatchObject([
    { enabled: false, switchesLive: false },
  ])
  // A command for another plugin leaves it disabled, though before 0.1.6 the command line enables all plugins.
  await writeFile(
    join(home.home, 'program.cjs'),
    FAKE_HARNESS.replace('layers.push(name)', "layers.push(name, 'good')"),
  )
  const other = value(await host.calls.review({ id: 'a/good-other', profile: 'work', action: 'install' }))
  await ended(value(await host.calls.start({ id: 'a/good-other', token: other.token, acknowledged: true })).id)
  expect(await layers()).toEqual(['@deepseek-ai/dsh-base', 'good-other'])
  expect(await flip(true)).toMatchObject({ outcome: { kind: 'enabled', activation: 'restart' } })
  expect(await layers()).toEqual(['@deepseek-ai/dsh-base', 'good-other', 'good'])
  expect(calls).toEqual([])
  await rm(work, { recursive: true })
})

test('refuses to switch what is not installed, is no plugin, or is the store', async () => {
  const flip = (name: string) =>
    host.calls.switchPlugin({ package: name, profile: 'web', enabled: false, listing: null })
  expect(await flip('good')).toMatchObject({ code: 'not-installed' })
  await change(({ dependencies }) => Object.assign(dependencies, { old: '^1.0.0', good: '^1.0.0' }))
  expect(await flip('old')).toMatchObject({ code: 'not-switchable' })
  await host.close()
  host = aHost({ ownPackage: 'good' })
  expect(await flip('good')).toMatchObject({ code: 'own-package' })
})

test('makes all changes by the plugin manager and without a trial in the Desktop app', async () => {
  await host.close()
  host = aHost({ trial: true, command: ['/no/such/program'], running: { ...aHarness(), isDesktop: true } })
  expect(value(await host.calls.overview({}))).toMatchObject({ harness: 'found', desktop: true })
  const review = value(await host.calls.review({ id: 'a/good', profile: 'web', action: 'install' }))
  expect(review).toMatchObject({ trial: false, desktop: true })
  expect(await perform('install')).toMatchObject({
    stages: ['preparing', 'installing', 'checking'],
    outcome: { kind: 'registered', trial: null, activation: 'live' },
  })
  await change((manifest) => manifest.layers.push('later'))
  calls = []
  expect((await perform('update')).outcome).toMatchObject({ kind: 'nothing-to-do' })
  expect(calls).toEqual(['remove good', 'install good false', 'enable good'])
  expect(await layers()).toEqual(['@deepseek-ai/dsh-base', 'good', 'later'])
  expect((await perform('remove')).outcome).toMatchObject({ kind: 'removed', activation: 'live' })
})

test.each([
  ['without a trial', false],
  ['in the Desktop app', true],
])('never enables another version than the one that the user agreed to, %s', async (_, isDesktop) => {
  const registry = await startRegistryForTests({ good: { '1.0.0': {} } })
  onTestFinished(registry.close)
  // The manager uses only the user's own settings of the network.
  await writeFile(join(home.home, '.npmrc'), `registry=${registry.url}\n`)
  await host.close()
  host = aHost({ trial: isDesktop, running: { ...aHarness(), isDesktop } })
  published = '7.0.0'
  expect((await perform('install')).outcome).toMatchObject({
    kind: 'source-changed',
    subjects: ['good@1.0.0', 'good@7.0.0'],
    rollback: 'complete',
  })
  expect(calls).toEqual(['install good false'])

  published = '1.0.0'
  expect((await perform('install')).outcome).toMatchObject({ kind: 'registered' })
  // The fake command line updates to 2.0.0.
  registry.serve({ good: { '1.0.0': {}, '1.5.0': {} } })
  published = '2.0.0'
  calls = []
  // After the rollback the harness runs the plugin again.
  Object.defineProperty(rows, 'delete', { value: () => false })
  expect((await perform('update')).outcome).toMatchObject({
    kind: 'source-changed',
    subjects: ['good@1.5.0', 'good@2.0.0'],
    rollback: 'complete',
  })
  expect(calls).toEqual(isDesktop ? ['remove good', 'install good false'] : ['disable good'])
})

test('leaves the profile of the Desktop app alone when the store runs elsewhere', async () => {
  await rename(home.directory, join(home.home, 'profiles/Desktop'))
  const review = await host.calls.review({ id: 'a/good', profile: 'Desktop', action: 'install' })
  expect(review).toMatchObject({ ok: false, code: 'no-plugin-manager' })
})
