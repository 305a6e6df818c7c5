import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pickVersion } from '@plugmark/harness-plugin/host/testing'
import fc from 'fast-check'
import { expect, test } from 'playwright/test'
import { type Pnpm, pnpmCommand } from '../harness/home.ts'

// Every version that our rule gives for a range, against the one that the real pnpm writes into a lockfile.

const VERSIONS =
  '0.1.0 0.2.0-rc.1 0.2.0-rc.2 0.2.0 1.0.0-alpha.1 1.0.0 1.1.0 1.2.0-beta.1 1.2.0 2.0.0-rc.1 2.0.0 10.0.0'
const RANGES =
  '* latest next ^1.0.0 ~1.1 >1.0.0 >=1.0.0 1.x ^0.2.0-rc.1 >=0.2.0-rc.1 ^2.0.0-rc.0 1||2 <1 1.0.0 =1.1.0 v1.1.0 >0.0.0-0 ~0.2.0-0'
const OLD = '2020-01-01T00:00:00.000Z'

const releases = fc.record({
  isDeprecated: fc.boolean(),
  /** Needs another Node, which pnpm ignores. */
  hasEngines: fc.boolean(),
  isYoung: fc.boolean(),
})
const packages = fc
  .dictionary(fc.constantFrom(...VERSIONS.split(' ')), releases, { minKeys: 1, maxKeys: 6 })
  .chain((versions) => {
    const version = fc.constantFrom(...Object.keys(versions))
    const range = fc.constantFrom(...RANGES.split(' '))
    return fc.record({ versions: fc.constant(versions), latest: version, next: fc.option(version), range })
  })
type Package = typeof packages extends fc.Arbitrary<infer T> ? T : never

const tagsOf = ({ latest, next }: Package) => ({ latest, ...(next === null ? {} : { next }) })
const digest = `sha512-${'A'.repeat(86)}==`
function documentOf(name: string, one: Package, young: string) {
  const manifest = (version: string) => ({
    name,
    version,
    dist: { tarball: 'http://127.0.0.1:9/a.tgz', integrity: digest },
    ...(one.versions[version]!.isDeprecated ? { deprecated: 'old' } : {}),
    ...(one.versions[version]!.hasEngines ? { engines: { node: '<1' } } : {}),
  })
  const versions = Object.fromEntries(Object.keys(one.versions).map((version) => [version, manifest(version)]))
  const time = Object.entries(one.versions).map(([version, { isYoung }]) => [version, isYoung ? young : OLD])
  return { name, 'dist-tags': tagsOf(one), versions, modified: young, time: Object.fromEntries(time) }
}

/** Installs packages with pnpm into a lockfile. @returns the version of each */
async function resolve(pnpm: Pnpm, wanted: ReadonlyMap<string, Package>, waitMinutes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'plugmark-pick-'))
  const young = new Date(Date.now() - 60_000).toISOString()
  const server = createServer(({ url = '' }, response) => {
    const name = url.slice(1)
    const dependencies = Object.fromEntries([...wanted].map(([name, { range }]) => [name, range]))
    const root = {
      name,
      version: '1.0.0',
      dependencies,
      dist: { tarball: 'http://127.0.0.1:9/a.tgz', integrity: digest },
    }
    const found = wanted.get(name)
    const body = found
      ? documentOf(name, found, young)
      : { name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': root }, modified: OLD, time: { '1.0.0': OLD } }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  try {
    await writeFile(join(folder, 'package.json'), '{"dependencies":{"root":"1.0.0"}}')
    await writeFile(join(folder, 'pnpm-workspace.yaml'), `minimumReleaseAge: ${waitMinutes}\n`)
    await writeFile(join(folder, '.npmrc'), `registry=${registry}\n`)
    const env = { PATH: process.env.PATH, HOME: folder, CI: '1', XDG_CACHE_HOME: join(folder, 'cache') }
    const [program, ...leading] = pnpmCommand(pnpm)
    await promisify(execFile)(program, [...leading, 'install', '--lockfile-only'], { cwd: folder, env })
    const lockfile = await readFile(join(folder, 'pnpm-lock.yaml'), 'utf8')
    const snapshots = lockfile.slice(lockfile.indexOf('\nsnapshots:'))
    return new Map(
      Array.from(snapshots.matchAll(/^ {6}(p\d+): '?([^'\n]+)'?$/gm), ([, name, version]) => [name!, version!]),
    )
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

for (const [pnpm, waitMinutes] of [
  [11, 0],
  [12, 0],
  [11, 60],
  [12, 60],
] as const)
  test(`picks the version that pnpm ${pnpm} does, where releases wait for ${waitMinutes} minutes`, async () => {
    const isAllowed = (one: Package) => (version: string) => waitMinutes === 0 || !one.versions[version]!.isYoung
    const pick = (one: Package) =>
      pickVersion({ versions: documentOf('', one, OLD).versions, tags: tagsOf(one) }, one.range, isAllowed(one))
    // One that pnpm cannot install would end the whole install.
    const sampled = fc.sample(packages, { numRuns: 400, seed: 63 }).filter((one) => pick(one) !== null)
    const wanted = new Map(sampled.map((one, at) => [`p${at}`, one]))
    expect(wanted.size).toBeGreaterThan(150)
    const installed = await resolve(pnpm, wanted, waitMinutes)
    const differences = [...wanted].flatMap(([name, one]) => {
      const [ours, theirs] = [pick(one), installed.get(name)]
      return ours === theirs ? [] : [{ ...one, versions: JSON.stringify(one.versions), ours, theirs }]
    })
    expect(differences).toEqual([])
  })
