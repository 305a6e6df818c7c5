import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { JobStage } from '@plugmark/harness-plugin/host'
import { addByHand, profileHash } from '../harness/home.ts'
import { faultyRegistry } from '../registry/faulty.ts'
import { credulousDirectory } from '../registry/plugins.ts'
import type { FullDisk } from './full-disk.ts'
import { aHost, ended, expect, perform, start, test } from './host.ts'

test.use({ directory: { catalogue: credulousDirectory(['dsh-plugin-bad-output']) } })

const NOTES = 'dsh-plugin-harbor-notes'
const KITE = 'github:lanternworks/dsh-plugin-paper-kite'

test('a job that is cancelled in any stage leaves the profile unchanged', { tag: '@matrix' }, async ({
  host,
  home,
}) => {
  await addByHand(home, KITE)
  const before = await profileHash(home)
  for (const stage of ['preparing', 'trying', 'starting', 'installing'] satisfies JobStage[]) {
    const stop = host.subscribe((event) => {
      if (event.type === 'job' && event.job.stage === stage) void host.calls.cancel({ job: event.job.id })
    })
    const { outcome } = await perform(host, NOTES)
    expect(outcome, stage).toMatchObject({ kind: 'cancelled', rollback: 'complete', profile: { changed: [] } })
    expect(await profileHash(home), stage).toBe(before)
    stop()
  }
})

test('a job that is cancelled while its result is checked is rolled back', { tag: '@matrix' }, async ({
  host,
  home,
}) => {
  const before = await profileHash(home)
  host.subscribe((event) => {
    if (event.type === 'job' && event.job.stage === 'checking') void host.calls.cancel({ job: event.job.id })
  })
  expect((await perform(host, NOTES)).outcome).toMatchObject({ kind: 'cancelled', rollback: 'complete' })
  expect(await profileHash(home)).toBe(before)
})

test.describe('a time limit', () => {
  test.use({ options: { timeLimitMs: 4000 } })

  test('ends a job whose package never arrives', async ({ host, home, registry }) => {
    const stalled = await faultyRegistry(registry, 'stalls')
    try {
      await home.setRegistry(stalled.url)
      const before = await profileHash(home)
      expect((await perform(host, NOTES)).outcome).toMatchObject({ kind: 'timed-out', rollback: 'complete' })
      expect(await profileHash(home)).toBe(before)
    } finally {
      await stalled.close()
    }
  })

  test('ends a job whose plugin never starts, without blaming the plugin', async ({ host, home }) => {
    const before = await profileHash(home)
    expect((await perform(host, 'dsh-plugin-bad-output')).outcome).toMatchObject({
      kind: 'timed-out',
      rollback: 'complete',
    })
    expect(await profileHash(home)).toBe(before)
  })
})

for (const trial of [true, false]) {
  test.describe(trial ? 'in the trial' : 'without a trial', () => {
    test.use({ options: { trial } })

    test('reports a registry that fails halfway and leaves the profile unchanged', { tag: '@matrix' }, async ({
      host,
      home,
      registry,
    }) => {
      await addByHand(home, KITE)
      const dying = await faultyRegistry(registry, 'dies')
      try {
        await home.setRegistry(dying.url)
        // Every pnpm reads it here: 11 and 12 wait 70 s between their tries without it, and ignore .npmrc.
        await appendFile(join(home.home, 'profiles', home.profile, 'pnpm-workspace.yaml'), '\nfetchRetries: 0\n')
        const before = await profileHash(home)
        expect((await perform(host, NOTES)).outcome).toMatchObject({ kind: 'unreachable', rollback: 'complete' })
        expect(await profileHash(home)).toBe(before)
        await home.setRegistry(registry.url)
        expect((await perform(host, NOTES)).outcome.kind).toBe('registered')
      } finally {
        await dying.close()
      }
    })
  })
}

/** Returns a command that runs a program with a small disk at `directory`, which only this program sees. */
const onSmallDisk = (directory: string, ...program: string[]) => {
  const mounted = 'mount -t tmpfs -o size=160m plugmark "$0" && exec "$@"'
  return promisify(execFile)('unshare', ['--map-root-user', '--mount', 'sh', '-c', mounted, directory, ...program])
}

test.describe('a disk that is full', () => {
  test.beforeAll(async () => {
    const refusal = await onSmallDisk(tmpdir(), 'true').then(
      () => null,
      ({ stderr, message }) => (stderr || message).trim(),
    )
    test.skip(refusal !== null, `no file system can be mounted without privileges here: ${refusal}`)
  })

  for (const [free, trial] of [
    [0, 'trial'],
    [40_000, 'trial'],
    [150_000, 'trial'],
    [150_000, 'straight'],
  ] as const) {
    test(`is reported at ${free} free bytes (${trial}) and leaves the profile unchanged`, {
      tag: trial === 'trial' ? '@matrix' : [],
    }, async ({ api, registry, harnessVersion }) => {
      const directory = await mkdtemp(join(tmpdir(), 'plugmark-disk-'))
      try {
        const script = join(import.meta.dirname, 'full-disk.ts')
        const args = [directory, registry.url, registry.gitConfig, api.url, String(free), trial, harnessVersion]
        const { stdout } = await onSmallDisk(directory, process.execPath, script, ...args)
        const { outcome, same, again }: FullDisk = JSON.parse(stdout)
        expect(outcome.kind).toBe('disk-error')
        expect(same).toBe(true)
        expect(again.kind).toBe('registered')
      } finally {
        await rm(directory, { recursive: true })
      }
    })
  }
})

test('a job says if the harness is missing, is too old, or has no package manager', async ({ home, api }) => {
  const before = await profileHash(home)
  const old = join(home.env.TMPDIR ?? '', 'old.cjs')
  await writeFile(old, `console.error("error: unknown command 'plugin'"); process.exitCode = 1`)
  for (const [program, options] of [
    ['harness', { command: ['no-such-harness'] }],
    ['harness', { command: [process.execPath, old] }],
    ['pnpm', { env: { ...home.env, PATH: '/usr/bin:/bin' } }],
  ] as const) {
    const host = aHost(home, { baseUrl: api.url, ...options })
    const { outcome } = await ended(host, await start(host, NOTES))
    expect(outcome).toMatchObject({ kind: 'program-missing', subjects: [program], rollback: 'complete' })
    await host.close()
  }
  expect(await profileHash(home)).toBe(before)
})
