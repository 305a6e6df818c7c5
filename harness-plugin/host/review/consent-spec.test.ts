import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { hostForTests, value } from '../host-testing.ts'
import { startRegistryForTests } from '../registry/testing.ts'

const { its, ended } = hostForTests()
/** Stands in for the harness's program: links the folder of its last argument as a layer. */
const PROGRAM = `
  const { readFileSync, writeFileSync, mkdirSync } = require('node:fs')
  const path = process.argv.at(-1)
  const { name, version } = JSON.parse(readFileSync(path + '/package.json', 'utf8'))
  process.chdir(process.env.DSH_HOME + '/profiles/web')
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  manifest.dependencies[name] = 'link:' + path
  const layers = manifest.dsh.profile.bundles
  if (!layers.includes(name)) layers.push(name)
  writeFileSync('package.json', JSON.stringify(manifest))
  mkdirSync('node_modules/' + name, { recursive: true })
  writeFileSync('node_modules/' + name + '/package.json', JSON.stringify({ name, version, dsh: { bundle: {} } }))`

let folder: string
const write = (manifest: object) => writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
beforeEach(async () => {
  await writeFile(join(its.home.home, 'program.cjs'), PROGRAM)
  folder = join(its.home.home, 'mine')
  await mkdir(folder)
  await write({ name: 'my-plugin', version: '1.2.0', license: 'MIT' })
})
const review = (spec: string, profile = 'web') => its.host.calls.reviewSpec({ spec, profile })
const codeOf = async (source: string) => {
  const answered = await review(source)
  return answered.ok ? answered.value.id : answered.code
}

test('reviews a folder as something that nobody has checked, and installs it after a deliberate step', async () => {
  const reviewed = value(await review(folder))
  expect(reviewed).toMatchObject({
    id: folder,
    action: 'install',
    command: `dsh plugin --profile web add ${folder}`,
    verdict: null,
    cautions: ['unlisted'],
    license: 'MIT',
    checkedCommand: '',
  })
  const { id, token } = reviewed
  expect(await its.host.calls.start({ id, token, acknowledged: false })).toMatchObject({ code: 'not-acknowledged' })
  const job = await ended(value(await its.host.calls.start({ id, token, acknowledged: true })).id)
  expect(job).toMatchObject({ listing: folder, outcome: { kind: 'registered' } })
  const [entry] = value(await its.host.calls.history({ profile: 'web' }))
  expect(entry).toMatchObject({
    listing: '$DSH_HOME/mine',
    command: 'dsh plugin --profile web add $DSH_HOME/mine',
    changes: [{ name: 'my-plugin', before: null, after: { version: '1.2.0' } }],
  })
  // The same folder again, as its author does after a change.
  await write({ name: 'my-plugin', version: '1.3.0' })
  const again = value(await review(folder))
  const second = value(await its.host.calls.start({ id: again.id, token: again.token, acknowledged: true }))
  expect((await ended(second.id)).outcome).toMatchObject({ kind: 'registered', rollback: null })
})

test('keeps only the version of a folder that the review read, also where its requirements are unreadable', async () => {
  await write({ name: 'my-plugin', version: '1.2.0', dependencies: 'none' })
  const { id, token } = value(await review(folder))
  await write({ name: 'my-plugin', version: '1.3.0' })
  const job = value(await its.host.calls.start({ id, token, acknowledged: true }))
  expect((await ended(job.id)).outcome).toMatchObject({
    kind: 'source-changed',
    subjects: ['my-plugin@1.2.0', 'my-plugin@1.3.0'],
  })
})

test('reads the package.json of a tarball', async () => {
  await rename(folder, join(its.home.home, 'package'))
  const tarball = join(its.home.home, 'my-plugin-1.2.0.tgz')
  execFileSync('tar', ['-czf', tarball, '-C', its.home.home, 'package'])
  expect(value(await review(tarball))).toMatchObject({ id: tarball, license: 'MIT' })
  await writeFile(tarball, (await readFile(tarball)).subarray(0, 40))
  expect(await codeOf(tarball)).toBe('unknown-source')
})

test('shows another digest after any change of a folder or a tarball, so that a yes is for what was shown', async () => {
  const contentsOf = async (source: string) => value(await review(source)).contents
  const first = await contentsOf(folder)
  expect([await contentsOf(folder), first]).toEqual([first, expect.stringMatching(/^sha512-/)])
  await writeFile(join(folder, 'index.js'), 'run()')
  const second = await contentsOf(folder)
  const linked = join(its.home.home, 'linked')
  await symlink(folder, linked)
  expect(await contentsOf(linked)).toBe(second)
  await mkdir(join(folder, 'node_modules'))
  await writeFile(join(folder, 'node_modules/.modules.yaml'), '')
  expect([second === first, await contentsOf(folder)]).toEqual([false, second])
  const tarball = join(its.home.home, 'mine.tgz')
  const pack = () => execFileSync('tar', ['-czf', tarball, '-C', its.home.home, 'mine'])
  pack()
  const packed = await contentsOf(tarball)
  await writeFile(join(folder, 'index.js'), 'steal()')
  pack()
  expect(packed).toMatch(/^sha512-/)
  expect(await contentsOf(tarball)).not.toBe(packed)
})

test('reads a tarball with another outermost folder, and one that is not compressed, as package managers do', async () => {
  for (const [name, options] of [
    ['archive.tgz', '-czf'],
    ['plain.tgz', '-cf'],
  ] as const) {
    const tarball = join(its.home.home, name)
    execFileSync('tar', [options, tarball, '-C', its.home.home, 'mine'])
    expect(value(await review(tarball))).toMatchObject({ id: tarball, license: 'MIT' })
  }
})

test('installs a folder whose path has a space, and quotes it in the command', async () => {
  const path = join(its.home.home, 'my plugin')
  await rename(folder, path)
  const { id, token, command } = value(await review(path))
  expect([id, command]).toEqual([path, `dsh plugin --profile web add "${path}"`])
  const job = await ended(value(await its.host.calls.start({ id, token, acknowledged: true })).id)
  expect(job).toMatchObject({ listing: path, outcome: { kind: 'registered' } })
})

test('reviews of a range the version that pnpm takes, with the bytes of its registry, and installs no other', async () => {
  const dist = { integrity: 'sha512-AAAA' }
  const registry = await startRegistryForTests({
    pick: { '1.1.0': { dist }, '1.2.0': { dist, deprecated: 'no' }, '1.0.0': { dist } },
  })
  try {
    its.create({ registry: registry.url })
    for (const [source, version] of [
      ['pick@^1.0.0', '1.0.0'],
      ['pick@~1.1', '1.1.0'],
      ['pick@latest', '1.0.0'],
    ] as const) {
      const { id, token } = value(await review(source))
      expect(id).toBe(source)
      const facts = value(await its.host.calls.facts({ id, token, wanted: ['fit'] }))
      expect([source, facts.fit?.plugin]).toEqual([source, `pick@${version}`])
      expect([facts.fit?.registry, facts.fit?.integrity]).toEqual([`${registry.url}/`, dist.integrity])
    }
  } finally {
    await registry.close()
  }
})

test('reviews a package whose only release pnpm does not install yet, and does not say that it has none', async () => {
  const now = Date.parse('2026-11-26T14:00:00Z')
  const registry = await startRegistryForTests({ young: { '1.0.0': { release: '2026-11-26T13:00:00Z' } } })
  onTestFinished(() => registry.close())
  const settings = JSON.stringify({ userAgent: 'pnpm/11.28.11 npm/? node/v24.21.0' })
  await writeFile(join(its.home.home, 'pnpm'), `#!/bin/sh\necho '${settings}'`, { mode: 0o755 })
  its.create({ env: { PATH: its.home.home }, registry: registry.url, now: () => now })
  for (const source of ['young', 'young@^1.0.0']) expect(await codeOf(source)).toBe(source)
  expect(await review('young@^2.0.0')).toMatchObject({ message: expect.stringContaining('has no version ^2.0.0') })
})

test('finds a folder in a home whose name has a dollar sign', async () => {
  const home = join(its.home.home, 'a$$b')
  await mkdir(home)
  await rename(folder, join(home, 'mine'))
  vi.stubEnv('HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(value(await review('~/mine')).id).toBe(join(home, 'mine'))
})

test('asks the registry for a package, and refuses one that it does not have', async () => {
  const registry = await startRegistryForTests({ theirs: { '1.0.0': {}, '2.0.0': {} } })
  try {
    its.create({ registry: registry.url })
    for (const source of ['theirs', 'theirs@1.0.0']) expect(await codeOf(source)).toBe(source)
    expect(await review('nothing')).toMatchObject({ code: 'unknown-source', names: ['nothing'] })
  } finally {
    await registry.close()
  }
})

test('refuses a path that is relative or missing, a folder without a name, and a registry that does not answer', async () => {
  for (const path of ['./mine', `${folder}/nothing`, join(its.home.home, 'program.cjs')])
    expect([path, await codeOf(path)]).toEqual([path, 'unknown-source'])
  await write({ version: '1.0.0' })
  expect(await review(folder)).toMatchObject({ code: 'unknown-source', names: [folder] })
  expect(await codeOf('theirs')).toBe('source-unreachable')
  expect(await review(folder, 'other')).toMatchObject({ ok: false, code: 'unknown-profile' })
})

test('installs only the source that a review is of', async () => {
  const { token } = value(await review(folder))
  const start = (id: string) => its.host.calls.start({ id, token, acknowledged: true })
  expect(await start('/somewhere/else')).toMatchObject({ ok: false, code: 'bad-token' })
})
