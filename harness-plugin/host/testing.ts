/** For tests of the host: records, a directory in memory, a home with profiles. */
import { createHash } from 'node:crypto'
import { link, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import type { PluginRecord } from '@plugmark/shared/contract'
import type { Job } from '../protocol/index.ts'
import type { StoreHost } from './index.ts'
import { ignoreMissing } from './profile/files.ts'
import type { Boot } from './trial/boot.ts'
import type { TreeChange } from './trial/judge.ts'

export { Output } from './harness/output.ts'
export { readNetworkSettings } from './registry/network.ts'
export { pickVersion } from './releases/pick-version.ts'
export { bootHarness } from './trial/boot.ts'
export { readTreeChange } from './trial/judge.ts'
export { createFramePath, placeProbe } from './trial/probe.ts'
export { WEB_ARGS } from './trial/trial-home.ts'

/** Observations of a trial of one broken plugin, from a real harness. */
export interface Recorded {
  /** Lines of the harness when it refused to add the plugin; otherwise null. */
  readonly refusal: readonly string[] | null
  /** Changes of the plugin to the tree; null if the harness could not compose it. */
  readonly change: TreeChange | null
  /** The start with the plugin, with the rows that differ from a start without it; null if it was refused. */
  readonly boot: Boot | null
}

/** Observations of one version of the harness. */
export interface Recording {
  /** The start without a plugin, with the rows that some plugin changes. */
  readonly without: Boot
  /** By package name. */
  readonly plugins: Readonly<Record<string, Recorded>>
}

export function aRecord(fullName: string, change: Partial<PluginRecord> = {}): PluginRecord {
  const repository = fullName.split('#')[0]!
  const npmPackage = change.npmPackage === undefined ? repository.split('/')[1]!.toLowerCase() : change.npmPackage
  const spec = npmPackage ?? `github:${repository}`
  return {
    fullName,
    summary: 'What it does.',
    summaryZh: null,
    category: 'tools',
    stars: 1,
    license: 'MIT',
    npmPackage,
    installKind: npmPackage ? 'npm' : 'github',
    install: `dsh plugin --profile web add ${spec}`,
    installable: true,
    installOptions: [],
    riskFlags: [],
    repoUrl: `https://github.com/${repository}`,
    url: `https://github.com/${repository}`,
    ...change,
  }
}

/** Creates a directory in memory for these tests. Its index and its answers to queries list the same records. */
export function directoryOf(given: readonly PluginRecord[], { filters = true } = {}) {
  const asked: URL[] = []
  let records = given
  let failing = false
  let editions = 0
  const plugins = (url: URL) => {
    const verdict = url.searchParams.get('installCheck')
    const q = url.searchParams.get('q')
    const limit = Number(url.searchParams.get('limit'))
    const from = (Number(url.searchParams.get('page') ?? 1) - 1) * limit
    const matching = records
      .filter(({ installCheck }) => !filters || !verdict || installCheck === verdict)
      .filter(({ fullName, summary }) => !q || `${fullName} ${summary}`.includes(q))
    const results = matching.slice(from, from + limit)
    return { total: matching.length, count: results.length, results }
  }
  const index = () => ({
    generated: new Date(Date.UTC(2026, 7, 24) + editions * 1000).toISOString(),
    count: records.length,
    site: 'https://directory.example',
    fields: ['fullName', 'category', 'install', 'path', 'npm'],
    plugins: records.map(({ fullName, category, install, npmPackage }) => [
      fullName,
      category,
      install,
      null,
      npmPackage,
    ]),
  })
  return {
    /** Addresses of the queries for plugins so far. */
    asked,
    fail: (on: boolean) => {
      failing = on
    },
    /** Replaces the records. */
    change: (to: readonly PluginRecord[]) => {
      records = to
      editions++
    },
    fetch: (async (input: RequestInfo | URL) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const isIndex = url.pathname.endsWith('/index')
      if (!isIndex) asked.push(url)
      if (failing) return Response.json({ error: 'down' }, { status: 400 })
      return Response.json(isIndex ? index() : plugins(url))
    }) as typeof fetch,
  }
}

/**
 * Creates a home in the temporary directory, with a profile `web`. Its `options` are those of a host whose harness is
 * `program.cjs` in there, without trials. No server listens at its registry, so nothing is known of any version.
 */
export async function aHome() {
  const home = await mkdtemp(join(tmpdir(), 'plugmark-host-'))
  const directory = join(home, 'profiles', 'web')
  await mkdir(directory, { recursive: true })
  const manifest = {
    name: 'dsh-profile-web',
    private: true,
    dependencies: {},
    dsh: { profile: { bundles: ['@deepseek-ai/dsh-base'] } },
  }
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
  const options = {
    baseUrl: 'https://directory.example',
    home,
    command: [process.execPath, join(home, 'program.cjs')],
    env: { PATH: process.env.PATH },
    trial: false,
    registry: 'http://127.0.0.1:9',
  }
  return { home, directory, options, dispose: () => rm(home, { recursive: true, force: true }) }
}

/**
 * Resolves with a job once it has ended, or is as described. Waits for the host's events, as `calls.overview` starts the
 * harness's program.
 */
export async function whenJob(
  host: Pick<StoreHost, 'job' | 'subscribe'>,
  id: string,
  holds: (job: Job) => boolean = ({ state }) => state === 'done',
): Promise<Job> {
  const { promise, resolve } = Promise.withResolvers<Job>()
  const look = () => {
    const job = host.job(id)
    if (job && holds(job)) resolve(job)
  }
  const stop = host.subscribe(look)
  look()
  return promise.finally(stop)
}

/**
 * Returns one hash of the names, kinds, modes and contents of everything in a directory, except the history of its jobs.
 *
 * @param ignored names in it to skip, with their contents
 */
export async function hashTree(directory: string, ignored: readonly string[] = []): Promise<string> {
  const names = (await readdir(directory, { recursive: true }))
    .filter((name) => !ignored.includes(name.split(sep)[0] ?? ''))
    .filter((name) => name !== '.plugmark' && !name.startsWith(join('.plugmark', 'history')))
    .toSorted()
  const hash = createHash('sha256')
  for (const name of names) {
    const path = join(directory, name)
    const stat = await lstat(path).catch(ignoreMissing)
    // Another program's temporary file, which is gone by now.
    if (!stat) continue
    const content = stat.isSymbolicLink() ? await readlink(path) : stat.isFile() ? await readFile(path) : ''
    hash.update(`${name}\0${stat.mode}\0`).update(content).update('\0')
  }
  return hash.digest('hex')
}

/**
 * Stands in for the harness's program. Removes plugins, and gives updated plugins another version. An install depends
 * on the plugin's name: `good` and `good-…` become layers; `half` is left half installed, with a file of another
 * package overwritten in place; `waits` does the same and continues to run.
 */
export const FAKE_HARNESS = `
  const { writeFileSync, mkdirSync, rmSync } = require('node:fs')
  const [profile, verb] = process.argv.slice(process.argv.indexOf('--profile') + 1)
  const name = process.argv.at(-1)
  process.chdir(process.env.DSH_HOME + '/profiles/' + profile)
  const manifest = JSON.parse(require('node:fs').readFileSync('package.json', 'utf8'))
  const layers = manifest.dsh.profile.bundles.filter((layer) => layer !== name)
  if (verb === 'remove') delete manifest.dependencies[name]
  else manifest.dependencies[name] = '^1.0.0'
  if (name.startsWith('good') && verb !== 'remove') layers.push(name)
  manifest.dsh.profile.bundles = layers
  writeFileSync('package.json', JSON.stringify(manifest))
  writeFileSync('pnpm-lock.yaml', 'of ' + verb)
  mkdirSync('node_modules/' + name, { recursive: true })
  writeFileSync('node_modules/' + name + '/index.js', '1')
  writeFileSync('node_modules/' + name + '/package.json', '{"version":"' + (verb === 'update' ? '2' : '1') + '.0.0"}')
  if (verb === 'remove') rmSync('node_modules/' + name, { recursive: true })
  if (!name.startsWith('good')) {
    writeFileSync('node_modules/old/index.js', 'written over')
    rmSync('node_modules/old/gone.js', { force: true })
    process.exitCode = 1
  }
  console.log('done', process.pid)
  if (name === 'waits') setInterval(() => {}, 1000)`

/** Fills a profile's node_modules with a package, a file of the package manager's store, a program, and a link. */
export async function furnish(profile: string): Promise<void> {
  const old = join(profile, 'node_modules/old')
  await mkdir(old, { recursive: true })
  await mkdir(join(profile, 'node_modules/.bin'))
  await writeFile(join(old, 'index.js'), 'as it was')
  await writeFile(join(old, 'gone.js'), 'as it was')
  await writeFile(join(profile, '../../store.js'), 'of the store')
  await link(join(profile, '../../store.js'), join(old, 'stored.js'))
  await writeFile(join(old, 'run'), '#!/bin/sh', { mode: 0o755 })
  await symlink('../old/run', join(profile, 'node_modules/.bin/run'))
  await writeFile(join(profile, 'cordis.patch.yml'), '[]')
}
