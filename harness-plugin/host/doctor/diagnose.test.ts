import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { thisProcess } from '@plugmark/shared/file-lock'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../protocol/index.ts'
import { relianceOf } from '../harness/reliances.ts'
import { value } from '../host-testing.ts'
import { readHolds } from '../profile/holds.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import { beginJournal, lockProfile, writeJobFile } from '../transaction/journal.ts'
import { doctorForTests } from './testing.ts'

const { its, file, hash, create, profileWith, install, doctor, found, repair } = doctorForTests()

describe('doctor', () => {
  test('describes the profile and its programs without changing anything', async () => {
    const before = await hash()
    const lines: string[] = []
    const diagnosis = await doctor({ onLines: (more) => lines.push(...more) })
    expect(diagnosis).toMatchObject({
      home: its.home.home,
      profile: 'web',
      node: { version: process.version },
      harness: { path: process.execPath, version: '0.1.0' },
      packageManager: { name: 'pnpm', path: join(its.home.home, 'bin/pnpm'), version: '10.34.9' },
      start: { state: 'starts', why: [] },
      findings: [],
    })
    expect(lines).toEqual(['starting'])
    expect(await hash()).toBe(before)
    expect(await readdir(its.home.home)).not.toContain('.plugmark')
  })

  test('tells what is known against the packages of the profile, malware as an error, and what is unknown', async () => {
    const malware = { title: 'Malware in deep', cwe: ['CWE-506'] }
    const path = '-/npm/v1/security/advisories/bulk'
    const registry = await startRegistryForTests({ [path]: { file: { deep: [malware] } } })
    create({ registry: registry.url })
    await profileWith(['good'], { good: '1' })
    const lock = {
      importers: { '.': { dependencies: { good: { specifier: '^1.0.0', version: '1.0.0' } } } },
      packages: { 'good@1.0.0': { resolution: { integrity: 'a' } }, 'deep@1.0.0': { resolution: { integrity: 'b' } } },
      snapshots: { 'good@1.0.0': { dependencies: { deep: '1.0.0' } }, 'deep@1.0.0': {} },
    }
    await writeFile(file('pnpm-lock.yaml'), JSON.stringify(lock))
    const { findings, audit } = await doctor()
    expect(findings).toMatchObject([{ kind: 'malware', subjects: ['good@1.0.0', 'deep@1.0.0'], severity: 'error' }])
    expect(audit).toMatchObject({ asked: 2, unknown: [], found: [{ isMalware: true }] })
    // A look at the programs alone asks nobody.
    const requests = registry.requests.length
    expect((await doctor({ start: false })).audit).toBeNull()
    expect(registry.requests).toHaveLength(requests)
    await registry.close()
    expect(await doctor()).toMatchObject({
      findings: [],
      audit: { asked: 0, unknown: [{ packages: 2, reason: 'unreachable' }], found: [] },
    })
  })

  test('says that a newer harness was not tested, and names what it lacks of what the store relies on', async () => {
    await writeFile(join(its.home.home, 'version'), '0.2.2')
    const all = relianceOf('0.2.2', []).map(({ name }) => name)
    const parts = all.filter((name) => name !== 'tools.get' && name !== 'pluginManager.removeBundle')
    await writeFile(join(its.home.home, 'report'), JSON.stringify({ parts }))
    create()
    const { harness, start, findings } = await doctor()
    expect(start.state).toBe('starts')
    expect(harness).toMatchObject({ version: '0.2.2', tested: 'no' })
    expect(harness.parts).toHaveLength(all.length)
    expect(harness.parts).toContainEqual({ name: 'tools.get', use: 'tools of agents', found: 'no' })
    expect(harness.parts).toContainEqual(expect.objectContaining({ name: 'loader.entries', found: 'yes' }))
    expect(findings).toMatchObject([
      { kind: 'harness-changed', severity: 'warning', subjects: ['tools.get', 'pluginManager.removeBundle'] },
    ])
  })

  test('expects of an older harness only what it had, and knows nothing without a start', async () => {
    await writeFile(join(its.home.home, 'version'), '0.1.0-rc.8')
    await writeFile(
      join(its.home.home, 'report'),
      JSON.stringify({ parts: relianceOf('0.1.0-rc.8', []).map(({ name }) => name) }),
    )
    create()
    const { harness, findings } = await doctor()
    expect([harness.tested, findings]).toEqual(['yes', []])
    expect(harness.parts.map(({ name }) => name)).toContain('connection.rpc.handle')
    expect(harness.parts.map(({ name }) => name)).not.toContain('pluginManager.installBundle')
    const unstarted = await doctor({ start: false })
    expect(new Set(unstarted.harness.parts.map(({ found }) => found))).toEqual(new Set(['unknown']))
  })

  test('names programs that are missing or are not the expected ones', async () => {
    create({ command: ['no-such-program'], env: { PATH: '' } })
    const { harness, packageManager, findings } = await doctor()
    expect(harness).toMatchObject({ path: null, version: null })
    expect(packageManager).toEqual({ name: 'pnpm', path: null, version: null })
    expect(findings.map(({ kind }) => kind)).toEqual(['harness-missing', 'package-manager-missing'])

    await writeFile(join(its.home.home, 'program.cjs'), 'console.log("Some Shell version 1.0.0")')
    create()
    expect((await found()).findings).toContainEqual(['not-harness', process.execPath])
  })

  test('names a layer without a package once that is listed twice', async () => {
    await profileWith(['gone', 'gone'])
    const { findings } = await found()
    expect(findings.filter(([kind]) => kind === 'layer-not-installed')).toEqual([['layer-not-installed', 'gone']])
  })

  test('names layers without a package, which stop the harness or do not run because it skips them, and packages that are not enabled as layers', async () => {
    await profileWith(['gone', 'good', '@scope/ghost'], { gone: '^1.0.0', off: '^1.0.0', library: '^1.0.0' })
    await install('off', { dsh: { bundle: {} } })
    await install('library')
    const layers = [
      ['layer-not-installed', 'gone'],
      ['layer-not-installed', '@scope/ghost'],
    ]
    const { start, findings } = await found()
    expect(start).toBe('does-not-start')
    expect(findings).toEqual([
      ['does-not-start', expect.stringContaining('"gone"')],
      ...layers,
      ['layer-not-enabled', 'off'],
    ])
    await writeFile(join(its.home.home, 'skips'), '')
    expect(await found()).toEqual({ start: 'starts', findings: [...layers, ['layer-not-enabled', 'off']] })
    expect((await doctor()).findings[0]).toMatchObject({ severity: 'error', repairable: true })
    // Only the harness can find layers that are not dependencies.
    create({ command: ['no-such-program'] })
    expect((await found()).findings).toContainEqual(layers[0])
    expect((await found()).findings).not.toContainEqual(layers[1])
  })

  test('names a page part that does not parse', async () => {
    await profileWith(['clock'])
    await install('clock', { dsh: { bundle: {}, client: {} }, exports: { './client': './client.js' } })
    await writeFile(file('node_modules/clock/client.js'), 'load({ factory: ( })')
    expect((await found({ start: false })).findings).toEqual([
      ['page-part-broken', "clock/client.js:1: SyntaxError: Unexpected token '}'"],
    ])
  })

  test('removes the trial of a job whose journal is gone, and keeps that of a running job', async () => {
    const [left, used] = ['11111111-0000-4000-8000-000000000000', '22222222-0000-4000-8000-000000000000']
    const job = { action: 'install', listing: 'a/good', more: [], command: 'dsh', queuedAt: 0, startedAt: 0 } as const
    const trials = join(its.home.home, '.plugmark')
    for (const id of [left, used]) await mkdir(join(trials, id), { recursive: true })
    const other = join(its.home.home, 'profiles/other')
    await mkdir(join(other, '.plugmark'), { recursive: true })
    await writeFile(join(other, 'package.json'), '{}')
    await beginJournal(other, { ...job, id: used }, [])
    expect((await doctor({ start: false })).findings).toMatchObject([{ kind: 'trial-removed', subjects: [left] }])
    expect(await readdir(trials)).toEqual([used])
  })

  test('names rows that do not run', async () => {
    await profileWith(['waits'])
    await install('waits')
    expect(await found()).toEqual({ start: 'starts', findings: [['row-inactive', 'a: pending']] })
  })

  test('says once what each plugin does not do, why, and what can be done about it', async () => {
    await profileWith(['kite', 'waits'], { kite: '^1.0.0', waits: '^1.0.0' })
    await install('waits')
    await install('kite', { dsh: { bundle: { patch: 'patch.yml' } } })
    await writeFile(file('node_modules/kite/patch.yml'), '- insert: [{ id: kite, name: kite }]')
    const stateDir = join(its.home.home, 'state')
    create({ stateDir })
    const { findings } = await doctor()
    expect(findings.map(({ kind, subjects }) => [kind, ...subjects])).toEqual([
      ['plugin-broken', 'kite'],
      ['row-inactive', 'a: pending'],
    ])
    expect(findings[0]).toMatchObject({
      severity: 'error',
      state: { kind: 'does-not-start', why: ['kite (kite): Error: no wind'] },
    })
    expect(findings[0]?.state?.steps).toEqual(['update', 'switch-off', 'remove', 'report'])
    // Another process knows it too, without a start.
    create({ stateDir })
    const listed = value(await its.host.calls.installed({ profile: 'web' }))
    expect(listed.find(({ name }) => name === 'kite')?.state.kind).toBe('does-not-start')
    await writeFile(join(its.home.home, 'sound'), '')
    expect((await found()).findings).toEqual([['row-inactive', 'a: pending']])
    create({ stateDir })
    const again = value(await its.host.calls.installed({ profile: 'web' }))
    expect(again.find(({ name }) => name === 'kite')?.state.kind).toBe('running')
  })

  test('names a Node.js that is too old, and the place where a file does not parse', async () => {
    await profileWith(['modern'])
    await install('modern')
    expect((await found()).findings).toEqual([
      ['node-too-old', '20.11.1', expect.stringContaining("does not provide an export named 'stripTypeScriptTypes'")],
    ])
    await profileWith(['good'])
    await writeFile(file('package.json'), '{\n  "name": "p",\n  "dsh": {,\n}')
    expect((await found()).findings).toEqual([
      ['profile-unreadable', expect.stringMatching(/^package\.json: Expected .* at position \d+/)],
    ])
  })

  test.each([
    ['does not come up in time', { startLimitMs: 500 }, 'The harness did not come up within 0.5 s.', true],
    ['takes too long', { timeLimitMs: 3000 }, 'The check took longer than 3 s.', false],
  ])('calls a start unknown that %s', async (_, limits, why, repairable) => {
    await writeFile(join(its.home.home, 'hangs'), '')
    create(limits)
    const { start, findings } = await doctor()
    expect(start).toEqual({ state: 'not-tried', why: [why] })
    expect(findings).toEqual([{ kind: 'start-unknown', subjects: [why], severity: 'error', repairable, state: null }])
  })

  test('ends a program that a plugin started outside the process group of the harness', async () => {
    await writeFile(join(its.home.home, 'daemon'), '')
    expect((await found()).start).toBe('starts')
    const pid = Number(await readFile(join(its.home.home, 'pid'), 'utf8'))
    // The environment of an ended process is empty until its parent collects it.
    expect(await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).toBe('')
  })

  test('starts nothing if that is not requested or another program uses the profile', async () => {
    expect(await found({ start: false })).toEqual({ start: 'not-tried', findings: [] })
    const lock = await lockProfile(its.home.directory)
    expect(await found()).toEqual({ start: 'not-tried', findings: [['job-running']] })
    await lock?.release()
  })

  test('ends the harness that it started when it is cancelled', async () => {
    const cancel = new AbortController()
    expect(await found({ signal: cancel.signal, onLines: () => cancel.abort() })).toEqual({
      start: 'not-tried',
      findings: [],
    })
    expect(await readdir(its.home.directory)).not.toContain('.plugmark')
  })

  test('names the leftovers of earlier jobs', async () => {
    const id = (n: number) => `0000000${n}-0000-4000-8000-000000000000`
    const job = { action: 'install', listing: 'a/good', more: [], command: 'dsh', queuedAt: 0, startedAt: 0 } as const
    await mkdir(file('.plugmark'))
    await beginJournal(its.home.directory, { ...job, id: id(1) }, [])
    await writeJobFile(its.home.directory, { ...job, id: id(2), startedAt: null }, { owner: await thisProcess() })
    await mkdir(file('plugmark.unreadable-2026-01-01T00-00-00.000Z'))
    create()
    expect((await found({ start: false })).findings).toEqual([
      ['job-recovered', id(1)],
      ['unreadable-kept', 'plugmark.unreadable-2026-01-01T00-00-00.000Z'],
      ['job-running', id(2)],
    ])
    await rm(file(`.plugmark/jobs/${id(2)}.json`))

    await mkdir(file('.plugmark'), { recursive: true })
    await writeFile(file('.plugmark/journal.json'), '{')
    create()
    const { findings, start } = await doctor()
    expect(findings[0]).toEqual<Finding>({
      kind: 'journal-unreadable',
      subjects: [],
      severity: 'error',
      repairable: true,
      state: null,
    })
    expect(start.state).toBe('not-tried')
  })

  test('names stored files that cannot be read, and a repair moves them aside with what they hold kept', async () => {
    const hold = { reason: 'It works.', since: 1 }
    const text = JSON.stringify({ version: 1, holds: { good: hold, two: hold } }).slice(0, -3)
    await mkdir(file('.plugmark/undo'), { recursive: true })
    await mkdir(file('.plugmark/history'), { recursive: true })
    await writeFile(file('.plugmark/holds.json'), text)
    await writeFile(file('.plugmark/updates.json'), '{"version":9}')
    await writeFile(file('.plugmark/undo/change.json'), '{')
    await writeFile(file('.plugmark/history/2026-01-01T00-00-00-000-x.json'), '{')
    const stateDir = join(its.home.home, 'state')
    await mkdir(stateDir)
    await writeFile(join(stateDir, 'declarations.json'), '{')
    create({ stateDir })
    expect(await its.host.calls.lastChange({ profile: 'web' })).toMatchObject({ code: 'profile-state' })
    expect(await its.host.calls.undo({ profile: 'web', change: 'any' })).toMatchObject({ code: 'profile-state' })
    const { findings } = await doctor({ start: false })
    expect(findings).toMatchObject([
      {
        kind: 'state-unreadable',
        subjects: ['.plugmark/holds.json', '.plugmark/undo/change.json'],
        severity: 'error',
        repairable: true,
      },
      { kind: 'state-newer', subjects: ['.plugmark/updates.json'], severity: 'error', repairable: false },
      {
        kind: 'cache-unreadable',
        subjects: [expect.stringMatching(/declarations\.json$/), expect.stringMatching(/^\.plugmark\/history\//)],
        severity: 'note',
        repairable: true,
      },
    ])
    const { kind, quarantined } = await repair()
    expect(kind).toBe('repaired')
    expect(quarantined).toEqual([
      expect.stringMatching(/^\.plugmark\/holds\.json\.\d+\.broken$/),
      expect.stringMatching(/^plugmark\.unreadable-/),
      expect.stringMatching(/declarations\.json.*\.broken$/),
      expect.stringMatching(/\.broken$/),
    ])
    expect(await readFile(file(quarantined[0]!), 'utf8')).toBe(text)
    expect(await readHolds(its.home.directory)).toEqual({ good: hold, two: hold })
    expect(await readFile(file('.plugmark/updates.json'), 'utf8')).toBe('{"version":9}')
    expect(value(await its.host.calls.lastChange({ profile: 'web' }))).toBeNull()
    expect((await found({ start: false })).findings.map(([kind]) => kind)).toEqual(['state-newer', 'unreadable-kept'])
  })

  test('names a profile that is missing or cannot be read', async () => {
    expect((await doctor({ profile: 'other' })).findings).toMatchObject([
      { kind: 'profile-missing', subjects: ['web'] },
    ])
    await writeFile(file('package.json'), '{')
    expect((await doctor()).findings).toMatchObject([{ kind: 'profile-unreadable' }])
    await rm(file('package.json'))
    await mkdir(file('package.json'))
    expect((await doctor()).findings).toMatchObject([{ kind: 'profile-unreadable', subjects: ['package.json'] }])
  })
})
