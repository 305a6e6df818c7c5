import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JobAction } from '../../protocol/index.ts'
import { hostForTests, value } from '../host-testing.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import { aRecord, directoryOf } from '../testing.ts'

const { its } = hostForTests()

describe('installed', () => {
  test('lists the dependencies of a profile with their listings', async () => {
    const dependencies = { good: '^1.0.0', unlisted: '^2.0.0', linked: 'link:../linked' }
    const manifest = { dependencies, dsh: { profile: { bundles: ['@deepseek-ai/dsh-base', 'good'] } } }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
    await mkdir(join(its.home.directory, 'node_modules/good'), { recursive: true })
    await writeFile(join(its.home.directory, 'node_modules/good/package.json'), '{"version":"1.0.3"}')
    const ours = {
      name: 'good',
      spec: '^1.0.0',
      version: '1.0.3',
      latest: null,
      waiting: null,
      listing: 'a/good',
      layer: true,
      enabled: null,
      switchesLive: false,
      hold: null,
      updateProblem: null,
      advisories: [],
      news: [],
      directorySource: null,
      state: expect.objectContaining({ kind: 'loaded' }),
    }
    const state = expect.objectContaining({ kind: 'package-missing' })
    const other = {
      state,
      version: null,
      latest: null,
      waiting: null,
      updateProblem: null,
      advisories: [],
      news: [],
      directorySource: null,
      listing: null,
      layer: false,
      enabled: null,
      switchesLive: false,
      hold: null,
      removable: false,
    }
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toEqual([
      { ...ours, removable: true, unmanagedReason: null },
      { ...other, name: 'linked', spec: 'link:../linked', unmanagedReason: 'other-source' },
      { ...other, name: 'unlisted', spec: '^2.0.0', unmanagedReason: 'not-in-directory' },
    ])
  })

  test('names the same listing of a package that is listed under two names, in every order', async () => {
    const manifest = { dependencies: { kite: '^1.0.0' }, dsh: { profile: { bundles: ['kite'] } } }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
    const listed = ['old/kite', 'new/kite'].map((name) => aRecord(name, { installCheck: 'passed', npmPackage: 'kite' }))
    const found = []
    for (const records of [listed, listed.toReversed()]) {
      its.create({ fetch: directoryOf(records).fetch })
      found.push(value(await its.host.calls.installed({ profile: 'web' })).map(({ listing }) => listing))
    }
    expect(found).toEqual([['new/kite'], ['new/kite']])
  })

  test('names the successor of a package whose scope changed, found by its repository', async () => {
    const dependencies = { '@old/kite': '^1.0.0', '@old/other': '^1.0.0' }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify({ dependencies }))
    for (const name of Object.keys(dependencies)) {
      const folder = join(its.home.directory, 'node_modules', name)
      await mkdir(folder, { recursive: true })
      const repository = { type: 'git', url: `git+https://github.com/acme/${name.slice(5)}.git` }
      await writeFile(join(folder, 'package.json'), JSON.stringify({ version: '1.0.0', repository }))
    }
    const records = [aRecord('acme/kite', { installCheck: 'passed', npmPackage: '@new/kite' })]
    its.create({ fetch: directoryOf(records).fetch })
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([
      { name: '@old/kite', unmanagedReason: 'other-source', directorySource: '@new/kite', removable: false },
      { name: '@old/other', unmanagedReason: 'not-in-directory', directorySource: null },
    ])
  })

  test('marks the store itself, and shows neither passwords nor the path of the home', async () => {
    const source = 'git+https://me:secret@host.example/private.git'
    const dependencies = { private: source, 'the-store': `file:${its.home.home}/the-store.tgz` }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify({ dependencies }))
    its.create({ ownPackage: 'the-store' })
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([
      { name: 'private', spec: 'git+https://***@host.example/private.git', unmanagedReason: 'other-source' },
      { name: 'the-store', spec: 'file:$DSH_HOME/the-store.tgz', unmanagedReason: 'store', removable: false },
    ])
    const { profiles } = value(await its.host.calls.overview({}))
    expect(JSON.stringify(profiles)).not.toMatch(new RegExp(`secret|${its.home.home}`))
  })

  test('lists plugins also where the history of the profile cannot be read', async () => {
    await writeFile(join(its.home.directory, 'package.json'), '{"dependencies":{"good":"^1.0.0"}}')
    await mkdir(join(its.home.directory, '.plugmark'))
    await writeFile(join(its.home.directory, '.plugmark/history'), 'in place of a folder')
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([{ name: 'good' }])
  })

  test('reports a directory that cannot be reached and a profile that does not exist', async () => {
    const manifest = { dependencies: { good: '^1.0.0' } }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
    its.create({ fetch: async () => Response.json({}, { status: 400 }) })
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([{ unmanagedReason: 'directory' }])
    expect(await its.host.calls.installed({ profile: 'other' })).toMatchObject({ ok: false, code: 'unknown-profile' })
  })

  test('recognises a plugin that the directory lists from another source, and removes it by its name', async () => {
    const records = [aRecord('acme/webkit', { npmPackage: '@new/webkit', installCheck: 'passed' })]
    const manifest = { dependencies: { webkit: 'github:acme/webkit' }, dsh: { profile: { bundles: ['webkit'] } } }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
    its.create({ fetch: directoryOf(records).fetch })
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([
      { name: 'webkit', listing: 'acme/webkit', removable: true, directorySource: '@new/webkit' },
    ])
    const review = (action: JobAction) => its.host.calls.review({ id: 'acme/webkit', profile: 'web', action })
    expect(value(await review('remove'))).toMatchObject({ command: 'dsh plugin --profile web remove webkit' })
    expect(value(await review('update'))).toMatchObject({ command: 'dsh plugin --profile web update --latest webkit' })
    expect(await review('install')).toMatchObject({ ok: false, code: 'other-source' })
  })

  test('asks the directory once for an unlisted plugin, and never once the index is loaded', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `unlisted-${n}`)
    const dependencies = Object.fromEntries(names.map((name) => [name, `github:nobody/${name}`]))
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify({ dependencies }))
    const directory = directoryOf([aRecord('a/good', { installCheck: 'passed' })])
    its.create({ fetch: directory.fetch })
    const look = async () => value(await its.host.calls.installed({ profile: 'web' }))
    expect(await look()).toMatchObject(names.map(() => ({ unmanagedReason: 'not-in-directory' })))
    const { length } = directory.asked
    await look()
    expect(directory.asked).toHaveLength(length)
    its.create({ fetch: directory.fetch })
    await its.host.readDirectory()
    const { length: afterReading } = directory.asked
    await look()
    expect(directory.asked).toHaveLength(afterReading)
  })

  test('knows nothing of a package by a name that every object has', async () => {
    const manifest = { dependencies: { constructor: '^1.0.0', tool: 'github:nobody/tool' } }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
    expect(value(await its.host.calls.installed({ profile: 'web' }))[0]).toMatchObject({ hold: null })
    await writeFile(join(its.home.directory, 'package.json'), '{"dependencies":{"tool":"github:nobody/tool"}}')
    const compared = await its.host.calls.updateDiff({ package: 'constructor', profile: 'web', after: null })
    expect(compared).toMatchObject({ ok: false, code: 'not-installed' })
  })

  test('finds a plugin by the index that a search without it missed', async () => {
    await writeFile(join(its.home.directory, 'package.json'), '{"dependencies":{"unit-shelf":"^1.0.0"}}')
    // A search for the package finds nothing: the name of the repository is another.
    its.create({ fetch: directoryOf([aRecord('a/good', { npmPackage: 'unit-shelf' })]).fetch })
    const listing = async () => value(await its.host.calls.installed({ profile: 'web' }))[0]?.listing
    const before = await listing()
    await its.host.readDirectory()
    expect([before, await listing()]).toEqual([null, 'a/good'])
  })

  test('looks for a plugin again after the clock was set back', async () => {
    await writeFile(join(its.home.directory, 'package.json'), '{"dependencies":{"good":"^1.0.0"}}')
    const records = [aRecord('a/other')]
    let now = Date.now()
    its.create({ fetch: (...given) => directoryOf(records).fetch(...given), now: () => now })
    const listing = async () => value(await its.host.calls.installed({ profile: 'web' }))[0]?.listing
    const before = await listing()
    records.push(aRecord('a/good', { installCheck: 'passed' }))
    now -= 24 * 60 * 60_000
    expect([before, await listing()]).toEqual([null, 'a/good'])
  })

  test('finds a plugin whose index arrived while the directory was searched for it', async () => {
    await writeFile(join(its.home.directory, 'package.json'), '{"dependencies":{"unit-shelf":"^1.0.0"}}')
    const directory = directoryOf([aRecord('a/good', { npmPackage: 'unit-shelf' })])
    const [asked, indexed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    its.create({
      fetch: async (input) => {
        if (String(input instanceof Request ? input.url : input).includes('q=')) {
          asked.resolve()
          await indexed.promise
        }
        return directory.fetch(input)
      },
    })
    const listing = async () => value(await its.host.calls.installed({ profile: 'web' }))[0]?.listing
    const first = listing()
    await asked.promise
    await its.host.readDirectory()
    indexed.resolve()
    expect([await first, await listing()]).toEqual(['a/good', 'a/good'])
  })

  test('asks a directory that does not answer for one plugin only', async () => {
    const dependencies = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`one-${n}`, `github:nobody/one-${n}`]))
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify({ dependencies }))
    const directory = directoryOf([])
    directory.fail(true)
    its.create({ fetch: directory.fetch })
    const plugins = value(await its.host.calls.installed({ profile: 'web' }))
    expect(plugins.map(({ unmanagedReason }) => unmanagedReason)).toEqual(plugins.map(() => 'directory'))
    expect(directory.asked.length).toBeLessThan(3)
  })

  test('names the newest version of each package, and keeps it while the registry does not answer', async () => {
    const manifest = { dependencies: { good: '^1.0.0', ahead: '^3.0.0', gone: '^1.0.0' } }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
    await placePackage('ahead', '3.0.0')
    const registry = await startRegistryForTests({ good: { '2.0.0': {} }, ahead: { '2.9.0': {} } })
    its.create({ registry: registry.url })
    const found = [
      { name: 'ahead', latest: null, updateProblem: null },
      { name: 'gone', latest: null, updateProblem: 'not-found' },
      { name: 'good', latest: '2.0.0', updateProblem: null },
    ]
    expect(value(await its.host.calls.checkUpdates({ profile: 'web' }))).toMatchObject(found)
    await registry.close()
    expect(await its.host.calls.checkUpdates({ profile: 'web' })).toMatchObject({ ok: false, code: 'package-manager' })
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject(found)
  })

  test('offers the newest version that pnpm installs now, and names the time of a release that must wait', async () => {
    let now = Date.parse('2026-11-26T14:00:00Z')
    const manifest = { dependencies: { good: '^1.0.0', 'other-one': '^1.0.0' } }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
    await placePackage('good', '1.0.0')
    await placePackage('other-one', '1.0.0')
    const [old, young] = [{ release: '2026-11-20T00:00:00Z' }, { release: '2026-11-26T12:59:30Z' }]
    const registry = await startRegistryForTests({
      good: { '1.0.0': old, '2.0.0': old, '9.0.0': young },
      'other-one': { '1.0.0': old, '9.0.0': young },
    })
    its.create({
      env: { PATH: await pnpmThatPrints({ userAgent: 'pnpm/11.28.11 npm/? node/v24.21.0' }) },
      registry: registry.url,
      now: () => now,
    })
    const waiting = { version: '9.0.0', until: '2026-11-27T13:00:00.000Z', pnpm: 11, minutes: 1440 }
    expect(value(await its.host.calls.checkUpdates({ profile: 'web' }))).toMatchObject([
      { name: 'good', latest: '2.0.0', waiting },
      { name: 'other-one', latest: null, waiting },
    ])
    now = Date.parse(waiting.until)
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([
      { name: 'good', latest: '9.0.0', waiting: null },
      { name: 'other-one', latest: '9.0.0', waiting: null },
    ])
    await registry.close()
  })

  test('asks a registry once, however many pages check at the same time', async () => {
    const manifest = { dependencies: { good: '^1.0.0' } }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
    const registry = await startRegistryForTests({ good: { '2.0.0': {} } })
    its.create({ registry: registry.url })
    const release = registry.hold()
    const times = Array.from({ length: 20 })
    const checks = times.map(() => its.host.calls.checkUpdates({ profile: 'web' }))
    // These calls read the same files after the checks.
    await Promise.all(times.map(() => its.host.calls.installed({ profile: 'web' })))
    release()
    await Promise.all(checks)
    expect(registry.requests).toHaveLength(1)
    await registry.close()
  })

  test('compares a repository by its commit, and shows a tag beside the version of its package.json', async () => {
    const [old, found] = ['a'.repeat(40), 'b'.repeat(40)]
    const bin = join(its.home.home, 'bin')
    await mkdir(bin)
    await writeFile(join(bin, 'git'), `#!/bin/sh\nprintf '${found}\\tHEAD\\n'`, { mode: 0o755 })
    // A package of the same names is in the registry, and newer.
    const registry = await startRegistryForTests({ other: { '9.0.0': {} }, tagged: { '9.0.0': {} } })
    its.create({ env: { PATH: `${bin}:${process.env.PATH}` }, registry: registry.url })
    const dependencies = { other: 'github:a/other', tagged: 'github:a/tagged#v1.3.0' }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify({ dependencies }))
    for (const name of ['other', 'tagged']) await placePackage(name, '1.2.0')
    const latest = async () =>
      value(await its.host.calls.checkUpdates({ profile: 'web' })).map(({ spec, version, latest }) => [
        spec,
        version,
        latest,
      ])
    await install('1.0.0', old)
    expect(await latest()).toEqual([
      ['github:a/other', '1.2.0', 'bbbbbbb'],
      ['github:a/tagged#v1.3.0', '1.2.0', null],
    ])
    // The newest commit has the same version in its package.json.
    await install('1.0.0', found)
    expect(await latest()).toEqual([
      ['github:a/other', '1.2.0', null],
      ['github:a/tagged#v1.3.0', '1.2.0', null],
    ])
    expect(registry.requests).toEqual([])
    await registry.close()
  })

  test('completes the other update checks when a repository is gone', async () => {
    const [old, found] = ['a'.repeat(40), 'b'.repeat(40)]
    const bin = join(its.home.home, 'bin')
    await mkdir(bin)
    const git = `#!/bin/sh\ncase "$*" in *gone*) exit 128;; esac; printf '${found}\\tHEAD\\n'`
    await writeFile(join(bin, 'git'), git, { mode: 0o755 })
    const registry = await startRegistryForTests({ good: { '1.1.0': {} } })
    its.create({ env: { PATH: `${bin}:${process.env.PATH}` }, registry: registry.url })
    const dependencies = { good: '^1.0.0', other: 'github:a/other', gone: 'github:a/gone' }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify({ dependencies }))
    await install('1.0.0', old)
    expect(value(await its.host.calls.checkUpdates({ profile: 'web' }))).toMatchObject([
      { name: 'gone', latest: null, updateProblem: 'no-answer' },
      { name: 'good', latest: '1.1.0' },
      { name: 'other', latest: 'bbbbbbb' },
    ])
    // The result is no longer offered once another version is installed.
    await install('1.2.0', 'c'.repeat(40))
    const after = value(await its.host.calls.installed({ profile: 'web' }))
    expect(after.map(({ latest }) => latest)).toEqual([null, null, null])
    await registry.close()
  })
})

/** Creates a program in place of pnpm. @returns a PATH with it */
async function pnpmThatPrints(settings: object): Promise<string> {
  const bin = join(its.home.home, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'pnpm'), `#!/bin/sh\necho '${JSON.stringify(settings)}'`, { mode: 0o755 })
  return `${bin}:${process.env.PATH}`
}

async function placePackage(name: string, version: string) {
  await mkdir(join(its.home.directory, 'node_modules', name), { recursive: true })
  await writeFile(join(its.home.directory, 'node_modules', name, 'package.json'), JSON.stringify({ version }))
}

/** Puts `good` and the repository `a/other` into the profile, at a version and a commit. */
async function install(version: string, commit: string) {
  await placePackage('good', version)
  const id = `other@https://codeload.github.com/a/other/tar.gz/${commit}`
  const lock = { packages: { [id]: { resolution: { tarball: id } } } }
  await writeFile(join(its.home.directory, 'pnpm-lock.yaml'), JSON.stringify(lock))
}
