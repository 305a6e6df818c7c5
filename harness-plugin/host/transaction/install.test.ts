import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Answer, JobAction } from '../../protocol/index.ts'
import { createStoreHost, type StoreHost } from '../index.ts'
import { startRegistryForTests } from '../registry/testing.ts'
import type { HostOptions, Replacements } from '../settings.ts'
import { aHome, aRecord, directoryOf, FAKE_HARNESS, furnish, hashTree, whenJob } from '../testing.ts'
import { beginJournal } from './journal.ts'
import { rollback } from './rollback.ts'
import { takeSnapshot } from './transaction.ts'

const records = ['good', 'half', 'waits'].map((name) => aRecord(`a/${name}`, { installCheck: 'passed' }))
let home: Awaited<ReturnType<typeof aHome>>
let profile: string
let before: string
const hosts: StoreHost[] = []
const hashProfile = (ignored: readonly string[] = []) => hashTree(profile, ['.plugmark', ...ignored])
beforeEach(async () => {
  home = await aHome()
  profile = home.directory
  await furnish(profile)
  await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS)
  before = await hashProfile()
})
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
  await home.dispose()
})

function aHost(timeLimitMs = 20_000, more: HostOptions & Replacements = {}): StoreHost {
  const all = {
    ...home.options,
    fetch: directoryOf(records).fetch,
    timeLimitMs,
    ...more,
  }
  const host = createStoreHost(all, all)
  hosts.push(host)
  return host
}
function value<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`)
  return answer.value
}
async function install(host: StoreHost, id: string, action: JobAction = 'install'): Promise<string> {
  const { token } = value(await host.calls.review({ id, profile: 'web', action }))
  return value(await host.calls.start({ id, token, acknowledged: false })).id
}
const outcome = async (host: StoreHost, id: string) => (await whenJob(host, id)).outcome!
const wrote = (host: StoreHost, id: string) =>
  whenJob(host, id, ({ output }) => output.some((line) => line.startsWith('done')))

describe('an install', () => {
  test('an install that fails restores the file behind a linked package.json, and keeps the link', async () => {
    const [file, kept] = [join(profile, 'package.json'), join(home.home, 'kept.json')]
    await rename(file, kept)
    await symlink(kept, file)
    const text = await readFile(kept, 'utf8')
    const host = aHost()
    expect(await outcome(host, await install(host, 'a/half'))).toMatchObject({ kind: 'failed', rollback: 'complete' })
    expect(await readFile(kept, 'utf8')).toBe(text)
    expect(await readlink(file)).toBe(kept)
  })

  test('an install that fails restores the profile byte for byte and leaves no state', async () => {
    const host = aHost()
    const inode = (await stat(join(profile, 'cordis.patch.yml'))).ino
    expect(await outcome(host, await install(host, 'a/half'))).toMatchObject({
      kind: 'failed',
      rollback: 'complete',
      profile: { registered: false, dependency: false, changed: [] },
    })
    expect(await hashProfile()).toBe(before)
    // The running harness watches this file.
    expect((await stat(join(profile, 'cordis.patch.yml'))).ino).toBe(inode)
  })

  test('an install that is cancelled or reaches the time limit is rolled back', async () => {
    const host = aHost()
    const cancelled = await install(host, 'a/waits')
    await wrote(host, cancelled)
    expect(await hashProfile()).not.toBe(before)
    await host.calls.cancel({ job: cancelled })
    expect(await outcome(host, cancelled)).toMatchObject({ kind: 'cancelled', rollback: 'complete' })
    expect(await hashProfile()).toBe(before)

    const short = aHost(3000)
    expect(await outcome(short, await install(short, 'a/waits'))).toMatchObject({
      kind: 'timed-out',
      rollback: 'complete',
    })
    expect(await hashProfile()).toBe(before)
  })

  test('an install that finds no update names a release that pnpm does not install yet', async () => {
    const [old, young] = [{ release: '2026-08-01T00:00:00Z' }, { release: '2026-11-26T12:00:00Z' }]
    const registry = await startRegistryForTests({ good: { '1.0.0': old } })
    const bin = join(home.home, 'bin')
    await mkdir(bin)
    const settings = { 'user-agent': 'pnpm/10.34.9 npm/?', 'minimum-release-age': '120' }
    await writeFile(join(bin, 'pnpm'), `#!/bin/sh\necho '${JSON.stringify(settings)}'`, { mode: 0o755 })
    const now = () => Date.parse('2026-11-26T13:00:00Z')
    const host = aHost(20_000, { env: { PATH: `${bin}:${process.env.PATH}` }, registry: registry.url, now })
    await outcome(host, await install(host, 'a/good'))
    registry.serve({ good: { '2.0.0': old, '9.0.0': young } })
    await outcome(host, await install(host, 'a/good', 'update'))
    const { kind, subjects } = await outcome(host, await install(host, 'a/good', 'update'))
    expect([kind, ...subjects]).toEqual([
      'nothing-to-do',
      '2.0.0',
      '2.0.0',
      '9.0.0',
      '2026-11-26T14:00:00.000Z',
      '10',
      '120',
    ])
    await registry.close()
    // Without an answer of the registry, nothing is called the newest version.
    expect((await outcome(host, await install(host, 'a/good', 'update'))).subjects).toEqual(['2.0.0'])
  })

  test('an update that brings nothing although its registry has a newer version says why, and when', async () => {
    const old = { release: '2026-11-01T00:00:00Z' }
    const registry = await startRegistryForTests({ good: { '1.0.0': old } })
    const bin = join(home.home, 'bin')
    await mkdir(bin)
    await writeFile(join(bin, 'pnpm'), `#!/bin/sh\necho '{"userAgent":"pnpm/11.28.11 npm/?"}'`, { mode: 0o755 })
    const now = () => Date.parse('2026-11-26T13:00:00Z')
    const host = aHost(20_000, { env: { PATH: `${bin}:${process.env.PATH}` }, registry: registry.url, now })
    await outcome(host, await install(host, 'a/good'))
    registry.serve({ good: { '2.0.0': old } })
    await outcome(host, await install(host, 'a/good', 'update'))
    // Three days old, but late to this registry: pnpm 11 keeps what it read of it.
    registry.serve({ good: { '2.0.0': old, '2.4.0': { release: '2026-11-23T13:00:00Z' } } })
    const ended = await outcome(host, await install(host, 'a/good', 'update'))
    expect([ended.kind, ...ended.subjects]).toEqual([
      'nothing-to-do',
      '2.0.0',
      '2.0.0',
      '2.4.0',
      '2026-11-27T13:00:00.000Z',
      '11',
      '1440',
      'unseen',
    ])
    await registry.close()
  })

  test('an install that succeeds changes the profile, and its snapshot is kept for an undo', async () => {
    const host = aHost()
    expect(await outcome(host, await install(host, 'a/good'))).toMatchObject({ kind: 'registered', rollback: null })
    expect(await readdir(join(profile, 'node_modules'))).toEqual(['.bin', 'good', 'old'])
    expect(await readdir(join(profile, '.plugmark'))).toEqual(['history', 'undo'])
    expect(await hashTree(join(profile, '.plugmark/undo'), ['change.json', 'marks.json'])).toBe(before)
  })

  test('an installed plugin can be updated and removed, and a failed update or removal is rolled back', async () => {
    const host = aHost()
    await outcome(host, await install(host, 'a/good'))
    expect(await outcome(host, await install(host, 'a/good', 'update'))).toMatchObject({
      kind: 'updated',
      subjects: ['1.0.0', '2.0.0'],
      rollback: null,
      activation: 'restart',
    })
    expect(await outcome(host, await install(host, 'a/good', 'update'))).toMatchObject({
      kind: 'nothing-to-do',
      subjects: ['2.0.0', '2.0.0'],
      activation: 'unchanged',
    })
    await addDependency('half', '^0.5.0')
    before = await hashProfile()
    for (const action of ['update', 'remove'] as const)
      expect(await outcome(host, await install(host, 'a/half', action))).toMatchObject({
        kind: 'failed',
        rollback: 'complete',
      })
    expect(await hashProfile()).toBe(before)

    const removed = await install(host, 'a/good', 'remove')
    expect(host.job(removed)?.command).toBe('dsh plugin --profile web remove good')
    expect(await outcome(host, removed)).toMatchObject({
      kind: 'removed',
      rollback: null,
      activation: 'restart',
      profile: { registered: false, registeredBefore: true, dependency: false },
    })
    expect(await readdir(join(profile, 'node_modules'))).toEqual(['.bin', 'old'])
  })

  test('reports its stages in order', async () => {
    const host = aHost()
    const stages: (string | null)[] = []
    host.subscribe((event) => {
      if (event.type === 'job' && event.job.stage !== stages.at(-1)) stages.push(event.job.stage)
    })
    await outcome(host, await install(host, 'a/good'))
    expect(stages).toEqual([null, 'preparing', 'installing', 'checking', null])
  })

  const PACKAGE = 'package.json'
  const manifest = async () => JSON.parse(await readFile(join(profile, PACKAGE), 'utf8'))
  /** Starts an install that waits, calls `change`, and ends the install. */
  async function whileRuns(change: () => Promise<unknown>) {
    const host = aHost()
    const id = await install(host, 'a/waits')
    await wrote(host, id)
    await change()
    await host.calls.cancel({ job: id })
    return outcome(host, id)
  }
  const withLayer = (name: string) => changeManifest((now) => layersOf(now, (layers) => [...layers, name]))

  test.each([
    ['a dependency', () => addDependency('by-hand'), { dependencies: { 'by-hand': '1.0.0' } }],
    [
      'a script',
      () => changeManifest((now) => ({ ...now, scripts: { mine: 'true' } })),
      { scripts: { mine: 'true' }, dependencies: {} },
    ],
    [
      'a plugin and its layer',
      async () => {
        await addDependency('by-hand')
        await withLayer('by-hand')
      },
      {
        dependencies: { 'by-hand': '1.0.0' },
        dsh: { profile: { bundles: ['@deepseek-ai/dsh-base', 'by-hand'] } },
      },
    ],
    [
      'a layer of the harness itself',
      () => withLayer('@deepseek-ai/dsh-more'),
      { dependencies: {}, dsh: { profile: { bundles: ['@deepseek-ai/dsh-base', '@deepseek-ai/dsh-more'] } } },
    ],
  ])(
    'an install that fails keeps what somebody wrote into package.json meanwhile, and undoes all else: %s',
    async (_, edit, kept) => {
      const was = await manifest()
      const rest = await hashProfile([PACKAGE])
      expect(await whileRuns(edit)).toMatchObject({
        kind: 'cancelled',
        rollback: 'complete',
        profile: { registered: false, dependency: false, changed: [PACKAGE] },
      })
      expect(await manifest()).toEqual({ ...was, ...kept })
      expect(await hashProfile([PACKAGE])).toBe(rest)
    },
  )

  test('an install that fails does not restore a dependency that was removed meanwhile, nor its layer', async () => {
    await addDependency('other')
    await withLayer('other')
    const ended = await whileRuns(async () => {
      await changeManifest(({ dependencies, ...now }) => ({ ...now, dependencies: { waits: '^1.0.0' } }))
      await changeManifest((now) => layersOf(now, (layers) => layers.filter((name) => name !== 'other')))
    })
    expect(ended).toMatchObject({ rollback: 'complete', profile: { dependency: false, changed: [PACKAGE] } })
    expect(await manifest()).toMatchObject({
      dependencies: {},
      dsh: { profile: { bundles: ['@deepseek-ai/dsh-base'] } },
    })
  })

  test('an install that fails keeps the layout of a package.json that was changed meanwhile', async () => {
    await whileRuns(async () => {
      const now = { ...(await manifest()), description: 'mine' }
      await writeFile(join(profile, PACKAGE), `${JSON.stringify(now, null, 4)}\n`)
    })
    const text = await readFile(join(profile, PACKAGE), 'utf8')
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 4)}\n`)
    expect(text).toContain('mine')
  })

  test('an install that fails keeps a pnpm setting that was written meanwhile, with its comments, and none of the job’s', async () => {
    const file = join(profile, 'pnpm-workspace.yaml')
    await writeFile(file, '# mine\nallowBuilds:\n  old: true\n')
    const rest = await hashProfile(['pnpm-workspace.yaml'])
    const ended = await whileRuns(() =>
      writeFile(
        file,
        '# mine\nallowBuilds:\n  old: true\n  waits: set this to true or false\n# pinned\noverrides:\n  a: 1.0.0\n',
      ),
    )
    expect(ended).toMatchObject({ rollback: 'complete', profile: { changed: ['pnpm-workspace.yaml'] } })
    expect(await readFile(file, 'utf8')).toBe('# mine\nallowBuilds:\n  old: true\n# pinned\noverrides:\n  a: 1.0.0\n')
    expect(await hashProfile(['pnpm-workspace.yaml'])).toBe(rest)
  })

  test('an install that fails removes the pnpm settings that the job wrote, and the file with them', async () => {
    const ended = await whileRuns(() =>
      writeFile(join(profile, 'pnpm-workspace.yaml'), 'allowBuilds:\n  waits: set this to true or false\n'),
    )
    expect(ended).toMatchObject({ rollback: 'complete', profile: { changed: [] } })
    expect(await hashProfile()).toBe(before)
  })

  test.each([
    [PACKAGE, '{ "half'],
    [PACKAGE, '{"dependencies": {"a": 1}}'],
    ['pnpm-workspace.yaml', 'overrides: ['],
  ])('an install that fails quarantines an unreadable %s and reports its new name: %s', async (file, text) => {
    const { rollback, quarantined, profile: now } = await whileRuns(() => writeFile(join(profile, file), text))
    expect({ rollback, changed: now?.changed }).toEqual({ rollback: 'complete', changed: [] })
    expect(quarantined).toEqual([expect.stringContaining(file)])
    expect(await readFile(join(profile, quarantined[0]!), 'utf8')).toBe(text)
    await rm(join(profile, quarantined[0]!))
    expect(await hashProfile()).toBe(before)
  })

  test('an install that fails keeps a setting that was changed meanwhile, and restores everything else', async () => {
    const host = aHost()
    const id = await install(host, 'a/waits')
    await wrote(host, id)
    const patch = join(profile, 'cordis.patch.yml')
    await writeFile(patch, '- id: locale\n')
    await chmod(patch, 0o600)
    await writeFile(join(profile, 'compatibility.json'), '{"by-hand@1.0.0":["0.2.1"]}')
    await host.calls.cancel({ job: id })
    expect(await outcome(host, id)).toMatchObject({
      rollback: 'complete',
      profile: { dependency: false, changed: ['cordis.patch.yml', 'compatibility.json'] },
    })
    expect(await readFile(patch, 'utf8')).toBe('- id: locale\n')
    expect((await stat(patch)).mode & 0o777).toBe(0o600)
    await rm(join(profile, 'compatibility.json'))
    await writeFile(patch, '[]')
    await chmod(patch, 0o644)
    expect(await hashProfile()).toBe(before)
  })

  test('an install is refused if node_modules is a link, which a rename could not restore', async () => {
    await rename(join(profile, 'node_modules'), join(home.home, 'modules'))
    await symlink(join(home.home, 'modules'), join(profile, 'node_modules'))
    const [host, was] = [aHost(), await hashProfile()]
    const id = await install(host, 'a/half')
    expect(await outcome(host, id)).toMatchObject({ kind: 'failed', rollback: null })
    expect(host.job(id)?.output).toEqual([expect.stringContaining('could not be looked up')])
    expect(await hashProfile()).toBe(was)
  })

  test('waits for an install of another host, and can be cancelled meanwhile', async () => {
    const [one, other] = [aHost(), aHost()]
    const running = await install(one, 'a/waits')
    await wrote(one, running)
    const [given, waiting] = [await install(other, 'a/half'), await install(other, 'a/good')]
    expect(other.job(given)).toMatchObject({ state: 'queued', position: 0 })
    await other.calls.cancel({ job: given })
    expect((await outcome(other, given)).kind).toBe('cancelled')
    expect(other.job(waiting)?.state).toBe('queued')
    await one.calls.cancel({ job: running })
    expect((await outcome(one, running)).rollback).toBe('complete')
    expect((await outcome(other, waiting)).kind).toBe('registered')
  })
})

const addDependency = (name: string, source = '1.0.0') =>
  changeManifest(({ dependencies, ...rest }) => ({ ...rest, dependencies: { ...dependencies, [name]: source } }))

function layersOf(manifest: Record<string, object>, change: (layers: string[]) => string[]): object {
  const dsh = manifest.dsh as { profile: { bundles: string[] } }
  return { ...manifest, dsh: { ...dsh, profile: { ...dsh.profile, bundles: change(dsh.profile.bundles) } } }
}

async function changeManifest(change: (manifest: Record<string, object>) => object): Promise<void> {
  const file = join(profile, 'package.json')
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')))))
}

describe('rollback', () => {
  const job = {
    id: crypto.randomUUID(),
    action: 'install',
    listing: 'a/half',
    more: [],
    command: 'dsh',
    queuedAt: 0,
    startedAt: 0,
  } as const
  const put = async () =>
    takeSnapshot(profile, await beginJournal(profile, job, [{ kind: 'npm', name: 'half' }]), {
      signal: new AbortController().signal,
      keepsUndo: true,
    })
  const aside = (name: string) => join(profile, '.plugmark', name)
  const replace = async (name: string) => {
    await mkdir(aside('scratch'), { recursive: true })
    await rename(join(profile, 'node_modules', name), join(aside('scratch'), name))
  }

  test('rollback of a job without changes only ends the job', async () => {
    await beginJournal(profile, job, [{ kind: 'npm', name: 'half' }])
    await addDependency('by-hand')
    expect((await rollback(profile)).rollback).toBe('complete')
    expect(await readdir(join(profile, '.plugmark'))).toEqual([])
    expect(await readFile(join(profile, 'package.json'), 'utf8')).toContain('by-hand')
  })

  test.each([
    ['before node_modules were moved', async () => {}],
    ['between the two renames of one', () => replace('old')],
    [
      'after both',
      async () => {
        await replace('old')
        await rename(aside('snapshot/node_modules/old'), join(profile, 'node_modules/old'))
      },
    ],
  ])('rollback is repeated after an interruption: %s', async (_, progress) => {
    await put()
    await addDependency('half')
    await progress()
    expect((await rollback(profile)).rollback).toBe('complete')
    expect(await hashProfile()).toBe(before)
  })

  test('restores the modes of files with changed and unchanged bytes', async () => {
    const [patch, manifest] = ['cordis.patch.yml', 'package.json'].map((file) => join(profile, file))
    await chmod(manifest!, 0o600)
    before = await hashProfile()
    await put()
    await addDependency('half')
    await chmod(manifest!, 0o644)
    await chmod(patch!, 0o600)
    expect((await rollback(profile)).rollback).toBe('complete')
    expect(await hashProfile()).toBe(before)
  })

  test('does not replace unchanged modules', async () => {
    const [old, bin] = ['old', '.bin'].map((name) => join(profile, 'node_modules', name))
    const inodes = async () => [(await stat(old!)).ino, (await stat(bin!)).ino]
    const [ofOld, ofBin] = await inodes()
    await put()
    await addDependency('half')
    await mkdir(join(profile, 'node_modules/half'))
    await symlink('../half/run', join(bin!, 'half'))
    expect((await rollback(profile)).rollback).toBe('complete')
    expect((await inodes())[0]).toBe(ofOld)
    expect((await inodes())[1]).not.toBe(ofBin)
    expect(await hashProfile()).toBe(before)
  })

  test('restores a file that was overwritten with the same size and times', async () => {
    const file = join(profile, 'node_modules/old/index.js')
    const { atime, mtime } = await stat(file)
    await put()
    await writeFile(file, 'as it is!')
    await utimes(file, atime, mtime)
    expect((await rollback(profile)).rollback).toBe('complete')
    expect(await hashProfile()).toBe(before)
  })

  test('removes node_modules if the profile had none', async () => {
    await rm(join(profile, 'node_modules'), { recursive: true })
    before = await hashProfile()
    await put()
    await mkdir(join(profile, 'node_modules'))
    expect((await rollback(profile)).rollback).toBe('complete')
    expect(await hashProfile()).toBe(before)
  })

  test('keeps the snapshot after a failure, and allows no install before it succeeds', async () => {
    await put()
    await addDependency('half')
    const modules = join(profile, 'node_modules')
    await rename(modules, aside('elsewhere'))
    await writeFile(modules, 'in the way')
    expect(await rollback(profile)).toEqual({ rollback: 'failed', quarantined: [] })
    const host = aHost()
    expect(await outcome(host, await install(host, 'a/good'))).toMatchObject({ kind: 'failed', quarantined: [] })
    await rm(modules)
    expect((await rollback(profile)).rollback).toBe('complete')
    expect(await hashProfile()).toBe(before)
  })
})
