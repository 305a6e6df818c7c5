import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { JobAction } from '../../protocol/index.ts'
import { hostForTests, value } from '../host-testing.ts'
import { UpdateStates } from '../plugins/updates.ts'
import { FAKE_HARNESS, furnish, hashTree } from '../testing.ts'

const { its, review, ended } = hostForTests()
const KEPT = '.plugmark'
const file = (name: string) => join(its.home.directory, name)
const hash = () => hashTree(its.home.directory, [KEPT])
let before: string

beforeEach(async () => {
  await furnish(its.home.directory)
  await writeFile(join(its.home.home, 'program.cjs'), FAKE_HARNESS)
  before = await hash()
})

async function perform(id: string, action: JobAction = 'install') {
  const { token } = value(await review(id, 'web', action))
  return (await ended(value(await its.host.calls.start({ id, token, acknowledged: true })).id)).outcome!
}
const lastJob = async () => value(await its.host.calls.lastChange({ profile: 'web' }))?.job.id ?? 'none'
const undo = async (change?: string) =>
  (await ended(value(await its.host.calls.undo({ profile: 'web', change: change ?? (await lastJob()) })).id)).outcome!

test('undoes the last change to the byte, and makes it again by another undo', async () => {
  await perform('a/good')
  const after = await hash()
  expect(value(await its.host.calls.lastChange({ profile: 'web' }))).toMatchObject({
    job: { action: 'install', listing: 'a/good' },
    changed: [],
    packages: [{ name: 'good', before: { version: '1.0.0', enabled: true }, after: null }],
  })
  const undone = value(await its.host.calls.undo({ profile: 'web', change: await lastJob() }))
  expect(undone).toMatchObject({ action: 'undo', listing: 'a/good', command: null })
  const { outcome, stages } = await ended(undone.id)
  expect(stages).toEqual(['preparing', 'installing', 'checking'])
  expect(outcome).toMatchObject({
    kind: 'reverted',
    subjects: ['good', 'removed'],
    rollback: null,
    activation: 'restart',
    profile: { registered: false, registeredBefore: true, dependency: false },
  })
  expect(await hash()).toBe(before)
  const redone = value(await its.host.calls.undo({ profile: 'web', change: await lastJob() }))
  expect(redone.action).toBe('redo')
  expect((await ended(redone.id)).outcome).toMatchObject({
    kind: 'redone',
    subjects: ['good', 'installed'],
    profile: { registered: true },
  })
  expect(await hash()).toBe(after)
  expect(await undo()).toMatchObject({ kind: 'reverted', subjects: ['good', 'removed'] })
})

test('asks for no restart where an undo brings back what the harness still runs', async () => {
  await perform('a/good')
  await writeFile(file('cordis.yml'), '')
  expect(await perform('a/good', 'update')).toMatchObject({ kind: 'updated', activation: 'restart' })
  expect(await undo()).toMatchObject({ kind: 'reverted', activation: 'unchanged' })
  expect(await undo()).toMatchObject({ kind: 'redone', activation: 'restart' })
})

test('undoes a change where neither the harness nor the package manager can be started', async () => {
  await perform('a/good')
  its.create({ command: ['not-here'], env: { PATH: '/nowhere' } })
  expect(value(await its.host.calls.history({ profile: 'web' }))).toMatchObject([{ listing: 'a/good' }])
  expect(await undo()).toMatchObject({ kind: 'reverted', subjects: ['good', 'removed'] })
  expect(await hash()).toBe(before)
})

test('names a plugin from a repository of which an undo only changes the commit', async () => {
  await perform('a/good')
  const manifest = { dependencies: { good: 'github:a/good' }, dsh: { profile: { bundles: ['good'] } } }
  for (const [folder, commit] of [
    ['', 'b'.repeat(40)],
    ['.plugmark/undo/', 'a'.repeat(40)],
  ]) {
    const packages = { [`good@https://codeload.github.com/a/good/tar.gz/${commit}`]: { resolution: {} } }
    await writeFile(file(`${folder}package.json`), JSON.stringify(manifest))
    await writeFile(file(`${folder}pnpm-lock.yaml`), JSON.stringify({ packages }))
    await mkdir(file(`${folder}node_modules/good`), { recursive: true })
    await writeFile(file(`${folder}node_modules/good/package.json`), '{"version":"1.0.0"}')
  }
  expect(value(await its.host.calls.lastChange({ profile: 'web' }))?.packages).toMatchObject([
    { name: 'good', before: { version: '1.0.0', commit: 'bbbbbbb' }, after: { version: '1.0.0', commit: 'aaaaaaa' } },
  ])
})

test('names what is known against what an undo brings back, malware first, and brings no malware back', async () => {
  await perform('a/good')
  const known = {
    package: 'deep@1.0.0',
    path: ['good@1.0.0', 'deep@1.0.0'],
    title: 'Malware in deep',
    severity: 'critical',
  }
  const malware = { ...known, url: '', isMalware: true, without: null }
  const nothing = { versions: new Map(), waiting: new Map(), commits: new Map(), problems: new Map(), news: new Map() }
  const installed = { versions: new Map(), commits: new Map() }
  const flaw = { ...malware, isMalware: false }
  const advisories = [flaw, malware, { ...malware, path: ['good@2.0.0'] }]
  const check = { ...nothing, advisories, unknownSince: null, installed }
  await new UpdateStates().change(its.home.directory, () => ({ check }))
  const found = async () => value(await its.host.calls.lastChange({ profile: 'web' }))?.advisories
  expect(await found()).toEqual([])
  await perform('a/good', 'remove')
  expect(await found()).toEqual([malware, flaw])
  expect(await its.host.calls.undo({ profile: 'web', change: await lastJob() })).toMatchObject({ code: 'malware' })
})

test('undoes only the last change, also after a job that failed in the profile', async () => {
  await perform('a/good')
  const installed = await hash()
  await perform('a/good', 'update')
  expect(value(await its.host.calls.lastChange({ profile: 'web' }))).toMatchObject({
    packages: [{ name: 'good', before: { version: '2.0.0' }, after: { version: '1.0.0', enabled: true } }],
  })
  expect((await undo()).kind).toBe('reverted')
  expect(await hash()).toBe(installed)
  expect(await perform('a/other')).toMatchObject({ kind: 'failed', rollback: 'complete' })
  expect(await hash()).toBe(installed)
  expect(await undo()).toMatchObject({ kind: 'redone', rollback: null })
  expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([{ name: 'good', version: '2.0.0' }])
})

test('leaves a change that came after the one to undo', async () => {
  await perform('a/good')
  const meant = await lastJob()
  await perform('a/good', 'update')
  const updated = await hash()
  expect(await undo(meant)).toMatchObject({ kind: 'profile-changed', subjects: [] })
  expect(await hash()).toBe(updated)
})

test('keeps the undo of the change before an update to the same version', async () => {
  await perform('a/good')
  const installed = await hash()
  await perform('a/good', 'update')
  expect((await perform('a/good', 'update')).kind).toBe('nothing-to-do')
  expect((await undo()).kind).toBe('reverted')
  expect(await hash()).toBe(installed)
})

test('keeps the undo of the change before a switch that changes nothing', async () => {
  await perform('a/good')
  const declared = { name: 'good', version: '1.0.0', dsh: { bundle: { patch: 'patch.yml' } } }
  await writeFile(file('node_modules/good/package.json'), JSON.stringify(declared))
  await writeFile(file('node_modules/good/patch.yml'), '[]')
  const target = { package: 'good', profile: 'web', enabled: true, listing: 'a/good' }
  const { outcome } = await ended(value(await its.host.calls.switchPlugin(target)).id)
  expect(outcome).toMatchObject({ kind: 'nothing-to-do', activation: 'unchanged' })
  expect(await undo()).toMatchObject({ kind: 'reverted', subjects: ['good', 'removed'] })
  expect(await hash()).toBe(before)
})

test('leaves a profile that another program has changed since', async () => {
  await perform('a/good')
  const manifest = await readFile(file('package.json'), 'utf8')
  await writeFile(file('package.json'), JSON.stringify({ ...JSON.parse(manifest), description: 'mine' }))
  const changed = await hash()
  expect(value(await its.host.calls.lastChange({ profile: 'web' }))?.changed).toEqual(['package.json'])
  expect(await undo()).toMatchObject({ kind: 'profile-changed', subjects: ['package.json'] })
  expect(await hash()).toBe(changed)
  await writeFile(file('package.json'), manifest)
  expect((await undo()).kind).toBe('reverted')
})

test('keeps settings that were changed since', async () => {
  await perform('a/good')
  await writeFile(file('cordis.patch.yml'), '[{id: mine, disabled: true}]')
  expect((await undo()).kind).toBe('reverted')
  expect(await readFile(file('cordis.patch.yml'), 'utf8')).toContain('mine')
  await writeFile(file('cordis.patch.yml'), '[]')
  expect(await hash()).toBe(before)
})

test('quarantines a snapshot that cannot be read, and changes nothing', async () => {
  await perform('a/good')
  await rm(file('.plugmark/undo/package.json'))
  const installed = await hash()
  const { kind, subjects, quarantined } = await undo()
  expect({ kind, subjects, count: quarantined.length }).toEqual({
    kind: 'profile-changed',
    subjects: ['.plugmark/undo'],
    count: 1,
  })
  expect(await readdir(file(quarantined[0]!))).toEqual(['undo'])
  expect(await hashTree(its.home.directory, [KEPT, quarantined[0]!])).toBe(installed)
})

test('keeps a change whose host ended in the middle of its commit', async () => {
  await perform('a/good')
  await its.host.close()
  await rename(file('.plugmark/undo'), file('.plugmark/snapshot'))
  // The snapshot of an earlier change.
  await mkdir(file('.plugmark/undo'))
  await writeFile(file('.plugmark/undo/change.json'), '{}')
  its.create()
  expect((await undo()).kind).toBe('reverted')
  expect(await hash()).toBe(before)
})

test('refuses a profile that does not exist', async () => {
  for (const profile of ['other', '../web'])
    expect(await its.host.calls.undo({ profile, change: 'none' })).toMatchObject({ ok: false, code: 'unknown-profile' })
})
