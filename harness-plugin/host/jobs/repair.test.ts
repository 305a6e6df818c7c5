import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { PluginState, PluginStateKind } from '../../protocol/index.ts'
import { doctorForTests } from '../doctor/testing.ts'
import { value } from '../host-testing.ts'
import type { FittingVersion } from '../plugins/fit-check.ts'
import type { ProfileState } from '../profile/state.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import { planRepair } from './repair.ts'

const entry = (name: string, kind: PluginStateKind, why: readonly string[] = []) => ({
  name,
  state: { kind, why, harnessVersion: '0.2.1-rc.2', steps: [], allowCommand: null } satisfies PluginState,
})
const state = (dependencies: Record<string, string>, layers = Object.keys(dependencies)): ProfileState => ({
  manifest: { dependencies, layers },
  versions: new Map(),
  commits: new Map(),
  unbuilt: [],
  files: new Map(),
})

async function plan(
  profile: ProfileState,
  states: readonly ReturnType<typeof entry>[],
  fitting: Readonly<Record<string, FittingVersion>> = {},
) {
  const findUpdate = async (name: string) => (fitting[name] ? { ...fitting[name], why: null, integrity: null } : null)
  const { steps, left, digest } = await planRepair({ profile: 'web', state: profile, states, findUpdate })
  return { steps: steps.map(({ action, name, version }) => [action, name, version]), left, digest }
}

test('plans a step for each broken plugin that has a safe one, and names the others', async () => {
  const dependencies = { fine: '^1.0.0', off: '^1.0.0', lost: '^1.0.0', gone: '^1.0.0', old: '^1.0.0', stuck: '^1.0.0' }
  const found = await plan(
    state({ ...dependencies, mine: 'file:../mine' }, ['fine', 'gone', 'old', 'stuck', 'orphan']),
    [
      entry('fine', 'running'),
      entry('off', 'off'),
      entry('lost', 'layer-missing'),
      entry('gone', 'package-missing'),
      entry('orphan', 'package-missing'),
      entry('dropped', 'package-missing'),
      entry('old', 'refused', ['dsh ^0.1.0']),
      entry('stuck', 'does-not-start'),
      entry('mine', 'refused'),
      entry('@deepseek-ai/dsh-one', 'pins-harness', ['overrides: 0.1.0']),
      entry('@deepseek-ai/dsh-two', 'pins-harness', ['dependencies: 0.1.0']),
      entry('taken', 'replaced', ['taken', 'other']),
    ],
    { old: { version: '1.4.0', shadows: [] }, mine: { version: '2.0.0', shadows: [] } },
  )
  expect(found.steps).toEqual([
    ['enable', 'lost', null],
    ['install', 'gone', null],
    ['take-out', 'orphan', null],
    ['update', 'old', '1.4.0'],
    ['unpin', '@deepseek-ai/dsh-one', null],
  ])
  expect(found.left.map(({ name }) => name)).toEqual(['dropped', 'stuck', 'mine', '@deepseek-ai/dsh-two', 'taken'])
})

test('updates a plugin that shadows the harness only to a version that does not', async () => {
  const shadow = [entry('shadow', 'shadows-harness', ['@deepseek-ai/dsh-settings'])]
  const profile = state({ shadow: '^1.0.0' })
  const still = { shadow: { version: '2.0.0', shadows: ['@deepseek-ai/dsh-settings'] } }
  expect((await plan(profile, shadow, still)).steps).toEqual([])
  const clean = { shadow: { version: '2.0.0', shadows: [] } }
  expect((await plan(profile, shadow, clean)).steps).toEqual([['update', 'shadow', '2.0.0']])
})

test('has another digest as soon as a step is another one', async () => {
  const old = [entry('old', 'refused', ['dsh ^0.1.0'])]
  const digestFor = async (version: string) =>
    (await plan(state({ old: '^1.0.0' }), old, { old: { version, shadows: [] } })).digest
  expect(await digestFor('1.4.0')).toBe(await digestFor('1.4.0'))
  expect(await digestFor('1.4.0')).not.toBe(await digestFor('1.5.0'))
})

const { its, file, hash, create, profileWith, install, doctor, found, repair, ended } = doctorForTests()

const BULK = '-/npm/v1/security/advisories/bulk'
const TWO_VERSIONS = { '1.0.0': {}, '2.0.0': { engines: { dsh: '^0.2.0' } } }

/** Opens a profile whose plugin this harness refuses, over a registry that has a version that fits. */
async function registryWithUpdate() {
  const registry = await startRegistryForTests({ old: TWO_VERSIONS, [BULK]: { file: {} } })
  onTestFinished(() => registry.close())
  create({ registry: registry.url })
  await writeFile(join(its.home.home, 'version'), '0.2.1')
  await profileWith(['old'], { old: '^1.0.0' })
  await install('old', { engines: { dsh: '^0.1.0' } })
  return registry
}

describe('repair', () => {
  test('removes layers without a package, changes no other byte, and can be undone', async () => {
    await profileWith(['gone', 'good', '@scope/ghost'], { gone: '^1.0.0' })
    const [before, text] = [await hash(), await readFile(file('package.json'), 'utf8')]
    const job = value(await its.host.repair({ profile: 'web' }))
    expect(job).toMatchObject({ action: 'repair', listing: null, more: [], command: null })
    const { outcome, stages } = await ended(job.id)
    expect(outcome).toMatchObject({
      kind: 'repaired',
      subjects: ['gone', '@scope/ghost'],
      rollback: null,
      quarantined: [],
    })
    expect(stages).toEqual(['preparing', 'starting', 'installing', 'checking'])
    expect(await readFile(file('package.json'), 'utf8')).toBe(
      text.replace('"gone",', '').replace(',"@scope/ghost"', ''),
    )
    expect(await found()).toEqual({ start: 'starts', findings: [['plugin-broken', 'gone']] })
    expect((await doctor()).findings[0]).toMatchObject({ severity: 'warning', state: { kind: 'package-missing' } })

    await ended(
      value(
        await its.host.calls.undo({
          profile: 'web',
          change: value(await its.host.calls.lastChange({ profile: 'web' }))!.job.id,
        }),
      ).id,
    )
    expect(await hash()).toBe(before)
  })

  test('changes nothing in a profile that starts, or that does not start even without plugins', async () => {
    const before = await hash()
    expect((await repair()).kind).toBe('nothing-to-do')
    expect(await hash()).toBe(before)

    await profileWith(['@deepseek-ai/broken', 'good'])
    const broken = await hash()
    expect(await repair()).toMatchObject({ kind: 'profile-broken', subjects: ['Error: dsh: broken says no'] })
    expect(await hash()).toBe(broken)
  })

  test('does not name a cause that it cannot find, because a start without some plugins takes too long', async () => {
    create({ startLimitMs: 8000 })
    await profileWith(['slow', 'broken'])
    for (const name of ['slow', 'broken']) await install(name)
    const before = await hash()
    expect(await repair()).toMatchObject({ kind: 'profile-broken', subjects: ['Error: dsh: broken says no'] })
    expect(await hash()).toBe(before)
  })

  test('disables the plugins that stop the harness from starting, and no others', async () => {
    const names = ['one', 'broken', 'two', 'ghost', 'denied', 'three']
    await profileWith(names)
    for (const name of names.filter((name) => name !== 'ghost')) await install(name)
    expect(await repair()).toMatchObject({ kind: 'repaired', subjects: ['ghost', 'broken', 'denied'] })
    const { bundles } = JSON.parse(await readFile(file('package.json'), 'utf8')).dsh.profile
    expect(bundles.filter((name: string) => !name.startsWith('@'))).toEqual(['one', 'two', 'three'])
    expect((await found()).start).toBe('starts')
    expect(await readdir(file('node_modules'))).toContain('broken')
  })

  test.each([
    ['0.2.1', undefined],
    ['0.1.5', null],
  ])('says for %s if a running harness keeps what a repair disabled', async (version, due) => {
    await writeFile(join(its.home.home, 'version'), version)
    await profileWith(['broken'], { broken: '^1.0.0' })
    await install('broken', { dsh: { bundle: {} } })
    await writeFile(file('cordis.yml'), '')
    expect(await repair()).toMatchObject({ kind: 'repaired', subjects: ['broken'] })
    const [{ state } = {}] = value(await its.host.calls.installed({ profile: 'web' }))
    expect(state).toMatchObject({ kind: 'off' })
    expect(state?.atRestart).toBe(due)
  })

  test('makes the harness start without the reviewed steps when the package manager fails', async () => {
    await profileWith(['broken', 'good'], { lost: '^1.0.0' })
    await install('broken')
    const pnpm = '[ "$1" = --version ] && echo 10.34.9 && exit\necho ERR_PNPM_META_FETCH_FAIL no network; exit 1\n'
    await writeFile(join(its.home.home, 'bin/pnpm'), `#!/bin/sh\n${pnpm}`, { mode: 0o755 })
    const reviewed = value(await its.host.calls.reviewRepair({ profile: 'web' }))
    expect(reviewed.steps).toMatchObject([{ name: 'lost', action: 'install' }])
    const job = value(await its.host.calls.repair({ profile: 'web', digest: reviewed.digest }))
    expect((await ended(job.id)).outcome).toMatchObject({ kind: 'repaired', subjects: ['broken'], parts: [] })
    expect((await found()).start).toBe('starts')

    await profileWith(['good'], { lost: '^1.0.0' })
    const before = await hash()
    const again = value(await its.host.calls.reviewRepair({ profile: 'web' }))
    const failed = value(await its.host.calls.repair({ profile: 'web', digest: again.digest }))
    expect((await ended(failed.id)).outcome).toMatchObject({ kind: 'unreachable' })
    expect(await hash()).toBe(before)
  })

  test('updates a refused plugin to a version that fits, and to none that is known as malware', async () => {
    const registry = await registryWithUpdate()
    const steps = async () => {
      const { steps } = value(await its.host.calls.reviewRepair({ profile: 'web' }))
      return steps.map(({ name, action, version }) => [name, action, version])
    }
    expect(await steps()).toEqual([['old', 'update', '2.0.0']])
    registry.serve({ old: TWO_VERSIONS, [BULK]: { file: { old: [{ title: 'Malware in old' }] } } })
    expect(await steps()).toEqual([])
  })

  test('installs no other bytes of an update than its registry described at the review', async () => {
    const registry = await registryWithUpdate()
    const published = (integrity: string) => ({
      old: { ...TWO_VERSIONS, '2.0.0': { ...TWO_VERSIONS['2.0.0'], dist: { integrity } } },
      [BULK]: { file: {} },
    })
    const lock = { lockfileVersion: '9.0', packages: { 'old@2.0.0': { resolution: { integrity: 'sha512-others' } } } }
    const pnpm = `
      [ "$1" = --version ] && echo 10.34.9 && exit
      [ "$1" = add ] || exit 0
      mkdir -p node_modules/old && echo '{"version":"2.0.0"}' > node_modules/old/package.json
      echo '${JSON.stringify(lock)}' > pnpm-lock.yaml`
    await writeFile(join(its.home.home, 'bin/pnpm'), `#!/bin/sh\n${pnpm}`, { mode: 0o755 })
    const before = await hash()
    const update = async () => {
      const { digest } = value(await its.host.calls.reviewRepair({ profile: 'web' }))
      return { digest, ...(await ended(value(await its.host.calls.repair({ profile: 'web', digest })).id)).outcome }
    }
    registry.serve(published('sha512-these'))
    const refused = await update()
    expect(refused).toMatchObject({
      kind: 'source-changed',
      subjects: ['old@2.0.0 (sha512-these…)', 'old@2.0.0 (sha512-others…)'],
    })
    expect(await hash()).toBe(before)
    registry.serve(published('sha512-others'))
    create({ registry: registry.url })
    const made = await update()
    expect(made.kind).toBe('repaired')
    expect(made.digest).not.toBe(refused.digest)
  })

  test('leaves an update to the user that is held, not looked up, or may run allowed build scripts', async () => {
    const registry = await registryWithUpdate()
    const plan = async () => {
      const { steps, left } = value(await its.host.calls.reviewRepair({ profile: 'web' }))
      return [steps.map(({ version }) => version), left.map(({ update }) => update)]
    }
    value(await its.host.calls.hold({ package: 'old', profile: 'web', reason: null, skips: '1.5.0' }))
    expect(await plan()).toEqual([['2.0.0'], []])
    value(await its.host.calls.hold({ package: 'old', profile: 'web', reason: 'not yet' }))
    expect(await plan()).toEqual([[], [{ version: '2.0.0', why: 'held' }]])
    value(await its.host.calls.unhold({ package: 'old', profile: 'web' }))

    await writeFile(file('pnpm-workspace.yaml'), 'onlyBuiltDependencies: [other]\n')
    expect(await plan()).toEqual([['2.0.0'], []])
    await writeFile(file('pnpm-workspace.yaml'), 'onlyBuiltDependencies: [old]\n')
    expect(await plan()).toEqual([[], [{ version: '2.0.0', why: 'builds' }]])
    await rm(file('pnpm-workspace.yaml'))

    registry.serve({ old: TWO_VERSIONS, [BULK]: { body: '{}', status: 500 } })
    expect(await plan()).toEqual([[], [{ version: '2.0.0', why: 'unknown' }]])
    // A registry without advisories tells as little.
    registry.serve({ old: TWO_VERSIONS })
    expect(await plan()).toEqual([[], [{ version: '2.0.0', why: 'unknown' }]])
  })

  test('calls no older version an update', async () => {
    const fits = { engines: { dsh: '^0.2.0' } }
    const never = { engines: { dsh: '^9.0.0' } }
    const registry = await startRegistryForTests({ old: { '1.0.0': fits, '2.0.0': never }, [BULK]: { file: {} } })
    onTestFinished(() => registry.close())
    create({ registry: registry.url })
    await writeFile(join(its.home.home, 'version'), '0.2.1')
    await profileWith(['old'], { old: '^2.0.0' })
    await install('old', { version: '2.0.0', ...never })
    const { steps, left } = value(await its.host.calls.reviewRepair({ profile: 'web' }))
    expect([steps, left]).toMatchObject([[], [{ name: 'old', update: null }]])
  })

  test('takes out the second row of a plugin that is listed twice, and leaves the plugin on', async () => {
    await profileWith(['good', 'one', 'good'])
    await install('one')
    expect((await found()).findings).toContainEqual(['layer-twice', 'good'])
    expect(await repair()).toMatchObject({ kind: 'repaired', subjects: [] })
    const { bundles } = JSON.parse(await readFile(file('package.json'), 'utf8')).dsh.profile
    expect(bundles.filter((name: string) => !name.startsWith('@'))).toEqual(['good', 'one'])
    expect(await found()).toEqual({ start: 'starts', findings: [] })
  })

  test.each([
    ['that the page names', 'spoils'],
    ['that is found by starts without others', 'spoils-silently'],
  ])('switches off a plugin that breaks the web page, %s', async (_, name) => {
    await writeFile(join(its.home.home, 'browser'), '')
    await profileWith(['one', name], { [name]: '^1.0.0' })
    await install('one')
    await install(name, { dsh: { bundle: {} } })
    const { findings } = await doctor()
    expect(findings).toMatchObject([{ severity: 'error', repairable: true }])
    expect(await repair()).toMatchObject({ kind: 'repaired', subjects: [name] })
    const { bundles } = JSON.parse(await readFile(file('package.json'), 'utf8')).dsh.profile
    expect(bundles.filter((one: string) => !one.startsWith('@'))).toEqual(['one'])
  })

  test('quarantines unreadable leftovers of an earlier job', async () => {
    await mkdir(file('.plugmark'))
    await writeFile(file('.plugmark/journal.json'), '{')
    expect(await repair()).toMatchObject({
      kind: 'nothing-to-do',
      quarantined: [expect.stringContaining('unreadable')],
    })
    expect((await found()).start).toBe('starts')
  })

  test('moves unreadable files of the store aside also without the harness, and leaves them when it is cancelled', async () => {
    await mkdir(file('.plugmark'))
    await writeFile(file('.plugmark/holds.json'), '{')
    await profileWith(['slow'])
    await install('slow')
    its.host.subscribe((event) => {
      if (event.type === 'job' && event.job.stage === 'starting') void its.host.calls.cancel({ job: event.job.id })
    })
    expect(await repair()).toMatchObject({ kind: 'cancelled', quarantined: [] })
    expect(await readFile(file('.plugmark/holds.json'), 'utf8')).toBe('{')

    create({ command: ['no-such-program'] })
    expect(await repair()).toMatchObject({
      kind: 'program-missing',
      quarantined: [expect.stringMatching(/^\.plugmark\/holds\.json\..*broken$/)],
    })
  })

  test('repair is refused without the harness', async () => {
    create({ command: ['no-such-program'] })
    expect((await repair()).kind).toBe('program-missing')
    await writeFile(join(its.home.home, 'guessed.cjs'), 'console.log("Some Shell")')
    create({ guess: { command: [process.execPath, join(its.home.home, 'guessed.cjs')] } })
    expect((await repair()).kind).toBe('program-missing')
  })
})
