import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hostForTests, value } from '../host-testing.ts'

const { its } = hostForTests()

describe('installed', () => {
  test('lists the dependencies, and ties them to listings', async () => {
    const dependencies = { good: '^1.0.0', unlisted: '^2.0.0', linked: 'link:../linked' }
    const manifest = { dependencies, dsh: { profile: { bundles: ['base', 'good'] } } }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
    await mkdir(join(its.home.directory, 'node_modules/good'), { recursive: true })
    await writeFile(join(its.home.directory, 'node_modules/good/package.json'), '{"version":"1.0.3"}')
    const ours = {
      name: 'good',
      spec: '^1.0.0',
      version: '1.0.3',
      latest: null,
      listing: 'a/good',
      layer: true,
      enabled: null,
    }
    const other = { version: null, latest: null, listing: null, layer: false, enabled: null, removable: false }
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toEqual([
      { ...ours, removable: true, unmanagedReason: null },
      { ...other, name: 'linked', spec: 'link:../linked', unmanagedReason: 'other-source' },
      { ...other, name: 'unlisted', spec: '^2.0.0', unmanagedReason: 'not-in-directory' },
    ])
  })

  test('tells the store itself from others, and shows neither passwords nor where the home is', async () => {
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

  test('says when the directory could not be asked, and of which profile there is none', async () => {
    const manifest = { dependencies: { good: '^1.0.0' } }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
    its.create({ fetch: async () => Response.json({}, { status: 400 }) })
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([{ unmanagedReason: 'directory' }])
    expect(await its.host.calls.installed({ profile: 'other' })).toMatchObject({ ok: false, code: 'unknown-profile' })
  })

  test('newer versions are what the package manager says, and are remembered', async () => {
    const manifest = { dependencies: { good: '^1.0.0' } }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
    const bin = join(its.home.home, 'bin')
    await mkdir(bin)
    const says = (text: string) => writeFile(join(bin, 'pnpm'), `#!/bin/sh\necho '${text}'; exit 1`, { mode: 0o755 })
    its.create({ env: { PATH: `${bin}:${process.env.PATH}` } })
    await says('{"good":{"current":"1.0.0","latest":"2.0.0"}}')
    expect(value(await its.host.calls.checkUpdates({ profile: 'web' }))).toMatchObject([{ latest: '2.0.0' }])
    const waits = `#!/bin/sh\necho asked >> ${bin}/log; until [ -e ${bin}/go ]; do sleep 0.05; done; echo '{}'`
    await writeFile(join(bin, 'pnpm'), waits, { mode: 0o755 })
    const times = Array.from({ length: 20 })
    const checks = times.map(() => its.host.calls.checkUpdates({ profile: 'web' }))
    // These read the same files after them.
    await Promise.all(times.map(() => its.host.calls.installed({ profile: 'web' })))
    await writeFile(join(bin, 'go'), '')
    await Promise.all(checks)
    expect(await readFile(join(bin, 'log'), 'utf8')).toBe('asked\n')
    await says('{"good":{"current":"1.0.0","latest":"2.0.0"}}')
    await its.host.calls.checkUpdates({ profile: 'web' })
    await says('ERR_PNPM_META_FETCH_FAIL')
    expect(await its.host.calls.checkUpdates({ profile: 'web' })).toMatchObject({ ok: false, code: 'package-manager' })
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([{ latest: '2.0.0' }])
  })

  test('what was found is offered no more once something else is installed', async () => {
    const bin = join(its.home.home, 'bin')
    const found = 'b'.repeat(40)
    await mkdir(bin)
    await writeFile(join(bin, 'pnpm'), `#!/bin/sh\necho '{"good":{"latest":"1.1.0"}}'; exit 1`, { mode: 0o755 })
    await writeFile(join(bin, 'git'), `#!/bin/sh\nprintf '${found}\\tHEAD\\n'`, { mode: 0o755 })
    its.create({ env: { PATH: `${bin}:${process.env.PATH}` } })
    const manifest = { dependencies: { good: '^1.0.0', other: 'github:a/other' } }
    await writeFile(join(its.home.directory, 'package.json'), JSON.stringify(manifest))
    await mkdir(join(its.home.directory, 'node_modules/good'), { recursive: true })
    async function install(version: string, commit: string) {
      await writeFile(join(its.home.directory, 'node_modules/good/package.json'), JSON.stringify({ version }))
      const id = `other@https://codeload.github.com/a/other/tar.gz/${commit}`
      const lock = { packages: { [id]: { resolution: { tarball: id } } } }
      await writeFile(join(its.home.directory, 'pnpm-lock.yaml'), JSON.stringify(lock))
    }
    await install('1.0.0', 'a'.repeat(40))
    const offered = [{ latest: '1.1.0' }, { latest: 'bbbbbbb' }]
    expect(value(await its.host.calls.checkUpdates({ profile: 'web' }))).toMatchObject(offered)
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject(offered)
    await install('1.2.0', 'c'.repeat(40))
    expect(value(await its.host.calls.installed({ profile: 'web' }))).toMatchObject([
      { latest: null },
      { latest: null },
    ])
  })
})
