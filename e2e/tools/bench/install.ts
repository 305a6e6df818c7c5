import { execFile } from 'node:child_process'
import { link, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import type { HostOptions, JobStage, StoreHost } from '@plugmark/harness-plugin/host'
import { startMockServer } from '@plugmark/mock-api/node'
import { createHome, dsh, type Home } from '../../harness/home.ts'
import { credulousDirectory } from '../../registry/plugins.ts'
import { type Registry, startRegistry } from '../../registry/registry.ts'
import { aHost, ended, start } from '../../store/host.ts'
import { type Bench, type BenchRow, median } from './rows.ts'

/** The bare command takes 0.6 s or 0.8 s at random: compare many pairs instead of two medians. */
const PAIRS = 9
const ROUNDS = 3
const PLUGIN = 'dsh-plugin-harbor-notes'
/** Installed after it into the same profile. */
const NEXT = 'dsh-plugin-tide-bell'
/** Files of a profile that has many plugins. */
const FILES = 10_000
/** Limit of our own share of an install. */
const SHARE = 0.1

/** Creates an empty home with an empty package store for each round. */
async function withHome<T>(registry: Registry, use: (home: Home) => Promise<T>): Promise<T> {
  const home = await createHome({ registry: registry.url, gitConfig: registry.gitConfig })
  try {
    return await use(home)
  } finally {
    await home.dispose()
  }
}

async function bare(home: Home): Promise<number> {
  const from = performance.now()
  await dsh(home, 'plugin', '--profile', home.profile, 'add', PLUGIN)
  return performance.now() - from
}

/** An install through the host, in ms: in all, and without the time that the command itself ran in the profile. */
async function installByStore(
  home: Home,
  options: HostOptions,
  plugin = PLUGIN,
): Promise<{ all: number; own: number }> {
  const host = aHost(home, options)
  await read(host)
  const at = new Map<JobStage | null, number>()
  host.subscribe((event) => {
    if (event.type === 'job') at.set(event.job.stage, performance.now())
  })
  const from = performance.now()
  const { outcome } = await ended(host, await start(host, plugin))
  const all = performance.now() - from
  if (outcome.kind !== 'registered') throw new Error(`The install ended as ${outcome.kind}.`)
  await host.close()
  return { all, own: all - ((at.get('checking') ?? 0) - (at.get('installing') ?? 0)) }
}

/** Reads the directory before the measurement, as users look around before they install. */
async function read(host: StoreHost): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = host.subscribe((event) => {
    if (event.type === 'catalogue' && event.status.state === 'ready') resolve()
  })
  await host.calls.overview({})
  await promise
  stop()
}

/** A hoisted node_modules, its files with a second name in a store or without, as pnpm leaves it by file system. */
async function fill({ home, profile }: Home, files: 'linked' | 'copied'): Promise<void> {
  for (let index = 0; index < FILES / 100; index++) {
    const directory = join(home, 'profiles', profile, 'node_modules', `package-${index}`)
    const store = join(home, 'store', `${index}`)
    await Promise.all([mkdir(directory, { recursive: true }), mkdir(store, { recursive: true })])
    const put = async (file: string) => {
      await writeFile(join(directory, file), 'x'.repeat(4096))
      if (files === 'linked') await link(join(directory, file), join(store, file))
    }
    await Promise.all(Array.from({ length: 100 }, (_, file) => put(`${file}.js`)))
  }
  // The files of a user's profile have been on the disk for long.
  await promisify(execFile)('sync')
}

type Times = Readonly<Record<'bare' | 'straight' | 'more' | 'trial' | 'own' | 'linked' | 'copied' | 'next', number[]>>

export default {
  name: 'install: the harness’s own command beside ours',
  needs: ['git', 'harness'],
  async run() {
    const [registry, api] = await Promise.all([
      startRegistry(),
      startMockServer({ catalogue: credulousDirectory([NEXT]) }),
    ])
    const times = { bare: [], straight: [], more: [], trial: [], own: [], linked: [], copied: [], next: [] } as Times
    const straight = () => withHome(registry, (home) => installByStore(home, { baseUrl: api.url, trial: false }))
    try {
      await withHome(registry, bare)
      for (let pair = 0; pair < PAIRS; pair++) {
        // Alternate which comes first.
        const before = pair % 2 === 0 ? await withHome(registry, bare) : null
        const { all, own } = await straight()
        const command = before ?? (await withHome(registry, bare))
        times.bare.push(command)
        times.straight.push(all)
        times.more.push(all - command)
        times.own.push(own)
      }
      for (let round = 0; round < ROUNDS; round++) {
        const trial = await withHome(registry, (home) => installByStore(home, { baseUrl: api.url }))
        times.trial.push(trial.all)
        for (const files of ['linked', 'copied'] as const) {
          await withHome(registry, async (home) => {
            await fill(home, files)
            const options = { baseUrl: api.url, trial: false }
            times[files].push((await installByStore(home, options)).own)
            if (files === 'linked') times.next.push((await installByStore(home, options, NEXT)).own)
          })
        }
      }
    } finally {
      await Promise.all([registry.close(), api.close()])
    }
    const command = median(times.bare)
    const against = { what: 'the command alone', value: command }
    const row = (what: string, key: keyof Times, target?: number): BenchRow => ({
      what,
      value: median(times[key]),
      unit: 'ms',
      ...(target === undefined ? {} : { target }),
      against,
    })
    return [
      { what: `the command alone: dsh plugin add ${PLUGIN}`, value: command, unit: 'ms' },
      row('our install without a trial', 'straight', command * (1 + SHARE)),
      row('what it takes more, pair by pair', 'more', command * SHARE),
      row('our own share, by our own clock', 'own', command * SHARE),
      row(`our own share with ${FILES.toLocaleString('en-US')} files in node_modules, linked from the store`, 'linked'),
      row('the same, copied from the store', 'copied'),
      row('  the next install into a linked one', 'next'),
      row('our install with a trial, no page open', 'trial'),
    ]
  },
} satisfies Bench
