import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { thisProcess } from '@plugmark/shared/file-lock'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Job, Outcome } from '../../protocol/index.ts'
import { isSuccess } from '../../protocol/next-steps.ts'
import type { JobContext, ProfileRequest, SyncTarget } from '../harness/job.ts'
import { emptyOutcome } from '../harness/outcome.ts'
import { Output } from '../harness/output.ts'
import { repairProfile } from '../jobs/repair.ts'
import { syncProfile } from '../jobs/sync.ts'
import { undoLastChange } from '../jobs/undo.ts'
import { readHolds } from '../profile/holds.ts'
import { readProfileState } from '../profile/state.ts'
import { hasUnfinishedJob, holdsFile, lockFile } from '../profile/state-folder.ts'
import { readProfileLock } from '../profile-lock/document.ts'
import { aHome, furnish, hashTree } from '../testing.ts'
import { TrialHome } from '../trial/trial-home.ts'
import { withLockedProfile, writeJobFile } from './journal.ts'
import { recoverProfile } from './recover.ts'
import { outcomeOfError, Transaction } from './transaction.ts'

/** Makes one operation of the file system fail, or kills the process there: no operation after it has an effect. */
const fault = vi.hoisted(() => ({
  kind: 'none' as 'none' | 'fails' | 'kills',
  /** Number of the operation, from 1. */
  at: 0,
  operations: 0,
  isDead: false,
  /** True if node_modules is a file system of its own, so that a rename into it fails. */
  isMounted: false,
  arm(kind: 'fails' | 'kills', at: number) {
    Object.assign(this, { kind, at, operations: 0, isDead: false })
  },
  disarm() {
    Object.assign(this, { kind: 'none', isDead: false })
  },
  /** Called before each operation; throws in its place. A process that is killed at a read leaves the same files. */
  step(tear: () => void = () => {}, isRead = false) {
    if (this.kind === 'none') return
    const error = Object.assign(new Error('injected'), { code: 'EIO', errno: -5 })
    if (this.isDead) throw error
    if (isRead && this.kind === 'kills') return
    if (++this.operations !== this.at) return
    if (this.kind === 'kills') {
      this.isDead = true
      tear()
    }
    throw error
  },
}))

type Operation = (...args: unknown[]) => unknown
// Each function is the synchronous one, which takes a tenth of the time on a disk in memory.
vi.mock('node:fs/promises', async () => {
  const fs = await vi.importActual<typeof import('node:fs')>('node:fs')
  /** Returns false for reads of the clock, whose number varies, and of other programs' processes. */
  const isCounted = (path: unknown) => !/^\/proc\/|\/clock$|^\/proc$/.test(String(path))
  const isRead = (name: string) => /^(?:access|lstat|readFile|readdir|readlink|realpath|stat|statfs)$/.test(name)
  const isInModules = (path: unknown) => /web\/node_modules\//.test(String(path))
  const openFile = (path: string, flags: string) => {
    const file = fs.openSync(path, flags)
    return {
      async writeFile(content: string) {
        fault.step()
        fs.writeFileSync(file, content)
      },
      async chmod(mode: number) {
        fault.step()
        fs.fchmodSync(file, mode)
      },
      // These tests do not cut the power.
      sync: async () => fault.step(),
      async close() {
        // The kernel closes the files of a killed process.
        fs.closeSync(file)
        if (!fault.isDead) fault.step()
      },
    }
  }
  const guard =
    (name: string, run: Operation) =>
    async (...args: unknown[]) => {
      const [path, content] = args
      // An interrupted write leaves half of the bytes.
      const tear = () => {
        if (name === 'writeFile') fs.writeFileSync(String(path), String(content).slice(0, String(content).length / 2))
      }
      if (isCounted(path)) fault.step(tear, isRead(name))
      if (name === 'rename' && fault.isMounted && isInModules(path) !== isInModules(content))
        throw Object.assign(new Error('injected'), { code: 'EXDEV' })
      return run(...args)
    }
  const functions = Object.entries({ ...fs, openSync: openFile }).flatMap(([name, run]) =>
    name.endsWith('Sync') ? [[name.slice(0, -4), guard(name.slice(0, -4), run as Operation)]] : [],
  )
  return { ...Object.fromEntries(functions), constants: fs.constants }
})
// Skip the pause between attempts to release a lock, which a killed process does not make.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => {} }))
// Skip the search of all processes: the killed process of this test is only simulated.
const processes = vi.hoisted(() => ({ haveEnded: true as boolean | null }))
vi.mock('../process/run.ts', () => ({
  endOrphanedProcesses: async () => processes.haveEnded,
  programExists: async () => true,
}))
vi.mock('../../../shared/file-lock/write-file.ts', async (original) => ({
  ...(await original<object>()),
  syncToDisk: async () => fault.step(),
}))

// The tests create and delete a thousand profiles, which takes half the time in memory.
if (existsSync('/dev/shm')) vi.stubEnv('TMPDIR', '/dev/shm')
let home: Awaited<ReturnType<typeof aHome>>
afterEach(() => {
  fault.disarm()
  fault.isMounted = false
  processes.haveEnded = true
  vi.restoreAllMocks()
})

const file = (name: string) => join(home.directory, name)
const hash = async () =>
  `${await hashTree(home.directory, ['.plugmark'])} ${Object.keys((await readHolds(home.directory)) ?? {})}`

/** Changes the profile as a package manager does: replaces, overwrites in place, adds and removes files. */
function changeProfile(): void {
  if (fault.isDead) throw new Error('killed')
  const manifest = JSON.parse(readFileSync(file('package.json'), 'utf8'))
  manifest.dependencies.added = '1.0.0'
  manifest.dsh.profile.bundles.push('added')
  writeFileSync(file('package.json'), JSON.stringify(manifest, null, 2))
  writeFileSync(file('pnpm-lock.yaml'), 'lockfileVersion: 9')
  writeFileSync(file('pnpm-workspace.yaml'), 'allowBuilds:\n  added: true\n')
  appendFileSync(file('node_modules/old/index.js'), 'written over')
  rmSync(file('node_modules/old/gone.js'))
  mkdirSync(file('node_modules/added'))
  writeFileSync(file('node_modules/added/index.js'), '1')
}

/** A lock with a plugin that the profile lacks. */
const TARGET = {
  isExact: false,
  isFrozen: false,
  isOnlyHolds: false,
  lock: {
    plugmark: 2,
    harness: null,
    packageManager: null,
    plugins: [
      {
        name: 'added',
        spec: '1.0.0',
        version: '1.0.0',
        integrity: 'x',
        commit: null,
        off: false,
        held: { reason: null },
      },
    ],
    layers: ['added', '@deepseek-ai/dsh-base'],
    settings: { patchedDependencies: { 'added@1.0.0': 'patches/added.patch' } },
    patches: { 'patches/added.patch': ['--- a', '+++ b', ''] },
    packages: [
      "lockfileVersion: '9.0'",
      'importers: { .: { dependencies: { added: { specifier: 1.0.0, version: 1.0.0 } } } }',
      'packages: { added@1.0.0: { resolution: { integrity: x } } }',
      'snapshots: { added@1.0.0: {} }',
    ],
  },
} as const satisfies Omit<SyncTarget, 'here'>

// Stands in for the package manager, and for the registries.
vi.mock('../harness/package-manager.ts', () => ({
  forgetInstall: async () => {},
  async runPackageManager(_: unknown, { directory }: { directory: string }) {
    if (fault.isDead) throw new Error('killed')
    const modules = join(directory, 'node_modules')
    for (const name of ['old', 'added']) mkdirSync(join(modules, name), { recursive: true })
    appendFileSync(join(modules, 'old/index.js'), 'written over')
    rmSync(join(modules, 'old/gone.js'), { force: true })
    writeFileSync(join(modules, 'added/package.json'), '{"name":"added","version":"1.0.0"}')
    writeFileSync(join(modules, 'added/index.js'), '1')
    return { end: { kind: 'exited', code: 0 }, output: [] }
  },
}))
vi.mock('../inspection/advisories.ts', () => ({ advisoriesOfProfile: async () => ({ state: 'no-lockfile' }) }))

const OF_PROFILE = { listing: null, more: [], changes: [], profile: 'web' }

function aContext(): JobContext {
  const job = { id: randomUUID(), action: 'install', listing: 'a/added', more: [], command: 'dsh' } as const
  return {
    directory: home.directory,
    job: { ...job, queuedAt: 0, startedAt: 0 } as unknown as Job,
    request: OF_PROFILE,
    settings: {
      home: home.home,
      stateDir: null,
      command: ['dsh'],
      ...{ client: 'cli', now: () => 0, redactions: [], trial: { isOn: false }, ownPackage: null },
    },
    output: new Output({ redactions: [], onLines: () => {} }),
    signal: new AbortController().signal,
    onStage: () => {},
    onStages: () => {},
  } as unknown as JobContext
}

async function install(context: JobContext, isKept: boolean, change = changeProfile): Promise<Outcome> {
  const tx = await Transaction.begin(context, { specs: [{ kind: 'npm', name: 'added' }] })
  try {
    await tx.snapshot()
    change()
    const after = await readProfileState(home.directory)
    if (isKept && after) return await tx.commit(emptyOutcome('registered'), after)
    return await tx.rollback(emptyOutcome('failed'))
  } catch (error) {
    return tx.rollback(error)
  }
}

/** Runs a whole job as the queue does: its file, the lock, the transaction. */
async function runJob(context: JobContext, run: (context: JobContext) => Promise<Outcome>): Promise<Outcome> {
  try {
    await writeJobFile(home.directory, context.job, { owner: await thisProcess() })
    const outcome = await withLockedProfile(home.directory, { wait: false }, () => run(context))
    return outcome ?? emptyOutcome('failed')
  } catch (error) {
    return outcomeOfError(error)
  }
}

/** Makes the locks belong to a process that has ended, as after a kill. */
async function orphanLocks(): Promise<void> {
  for (const path of [lockFile(home.directory), `${holdsFile(home.directory)}.lock`])
    if (existsSync(path)) writeFileSync(path, JSON.stringify({ id: 'x', ...(await thisProcess()), pid: 2 ** 22 + 1 }))
}

interface Scenario {
  readonly title: string
  /** Creates the profile that the job begins with, and returns the job. */
  prepare(): Promise<(context: JobContext) => Promise<Outcome>>
  readonly isUndo?: true
}
const SCENARIOS: readonly Scenario[] = [
  { title: 'a job that succeeds', prepare: async () => (context) => install(context, true) },
  { title: 'a job that fails in the profile', prepare: async () => (context) => install(context, false) },
  {
    title: 'a job that fails where node_modules is a file system of its own',
    async prepare() {
      fault.isMounted = true
      return (context) => install(context, false)
    },
  },
  {
    title: 'a job that fails in the profile, after another one whose snapshot it takes files from',
    async prepare() {
      await runJob(aContext(), (context) =>
        install(context, true, () => writeFileSync(file('node_modules/old/index.js'), 'as the first job made it')),
      )
      return (context) => install(context, false)
    },
  },
  {
    title: 'a sync',
    async prepare() {
      const here = (await readProfileLock(home.directory, { harness: null, redactions: [] }))!
      const request = { ...OF_PROFILE, action: 'sync', target: { ...TARGET, here } } as const
      return (context) => syncProfile({ ...context, request })
    },
  },
  {
    title: 'a repair',
    async prepare() {
      const bundles = ['@deepseek-ai/dsh-base', 'added', 'ghost', 'added']
      const overrides = { '@deepseek-ai/dsh-base': '0.1.0' }
      const manifest = { dependencies: { added: '1.0.0' }, overrides, dsh: { profile: { bundles } } }
      writeFileSync(file('package.json'), JSON.stringify(manifest))
      writeFileSync(file('pnpm-workspace.yaml'), JSON.stringify({ overrides: { ...overrides, own: '1.0.0' } }))
      const up = { up: true, page: { loads: 'yes' } } as unknown as Awaited<ReturnType<TrialHome['start']>>
      vi.spyOn(TrialHome.prototype, 'start').mockResolvedValue(up)
      vi.spyOn(TrialHome.prototype, 'findUnresolved').mockResolvedValue(['ghost'])
      const repairs = [
        { action: 'install', name: 'added' },
        { action: 'unpin', name: '@deepseek-ai/dsh-base' },
      ]
      const request = { ...OF_PROFILE, action: 'repair', repairs } as unknown as ProfileRequest<'repair'>
      return (context) => repairProfile({ ...context, request })
    },
  },
  {
    title: 'an undo',
    async prepare() {
      const context = aContext()
      await runJob(context, (context) => install(context, true))
      const request = { ...OF_PROFILE, action: 'undo', undoes: context.job.id } as const
      return (context) => undoLastChange({ ...context, request })
    },
    isUndo: true,
  },
]

describe.each(SCENARIOS)('$title', ({ prepare, isUndo }) => {
  /** Runs the job with the fault at an operation. @returns false if the job has fewer operations */
  async function runWithFault(kind: 'fails' | 'kills', at: number, seen: Set<string>): Promise<boolean> {
    home = await aHome()
    try {
      await furnish(home.directory)
      const run = await prepare()
      const before = await hash()
      fault.arm(kind, at)
      const outcome = await runJob(aContext(), run)
      const wasReached = fault.operations >= at
      const wasKilled = fault.isDead
      fault.disarm()
      if (wasKilled) await orphanLocks()
      // The job's file names this process, which is still running.
      rmSync(file('.plugmark/jobs'), { recursive: true, force: true })
      await recoverProfile({ home: home.home, redactions: [] }, home.directory, (cause) => {
        throw cause
      })

      const after = await hash()
      const isOld = after === before
      const where = `${kind} at operation ${at}, which ended as ${outcome.kind}, ${outcome.rollback}`
      const isNew = isUndo ? !existsSync(file('node_modules/added')) : existsSync(file('node_modules/added/index.js'))
      expect(isOld || isNew, `the profile is the old or the new one: ${where}`).toBe(true)
      if (!wasKilled && isSuccess(outcome.kind)) expect(isOld, `a success changed the profile: ${where}`).toBe(false)
      if (!wasKilled && !isSuccess(outcome.kind)) expect(isOld, `a failure did not: ${where}`).toBe(true)
      expect(await hasUnfinishedJob(home.directory), `nothing is left: ${where}`).toBe(false)
      if (!isOld) seen.add(after)
      return wasReached
    } finally {
      fault.disarm()
      await home.dispose()
    }
  }

  test.each(['fails', 'kills'] as const)(
    'leaves the profile unchanged or as it should be, byte for byte, when any operation %s',
    async (kind) => {
      const seen = new Set<string>()
      let at = 1
      while (await runWithFault(kind, at, seen)) at++
      expect(at).toBeGreaterThan(50)
      // All profiles that differ from the old one are equal.
      expect(seen.size).toBeLessThanOrEqual(1)
    },
  )
})

test('keeps what another program installed when the process is killed at any operation of the rollback', async () => {
  /** Installs a plugin as another program does, beside the job's changes. */
  function installForeign() {
    changeProfile()
    const manifest = JSON.parse(readFileSync(file('package.json'), 'utf8'))
    manifest.dependencies.foreign = '1.0.0'
    writeFileSync(file('package.json'), JSON.stringify(manifest, null, 2))
    mkdirSync(file('node_modules/.pnpm/foreign/node_modules/foreign'), { recursive: true })
    writeFileSync(file('node_modules/.pnpm/foreign/node_modules/foreign/package.json'), '{}')
    symlinkSync('.pnpm/foreign/node_modules/foreign', file('node_modules/foreign'))
    isInstalled = true
  }
  let isInstalled = false
  for (let at = 1, isOver = false; !isOver; at++) {
    home = await aHome()
    try {
      await furnish(home.directory)
      mkdirSync(file('node_modules/.pnpm/old'), { recursive: true })
      isInstalled = false
      fault.arm('kills', at)
      await runJob(aContext(), (context) => install(context, false, installForeign))
      isOver = fault.operations < at
      fault.disarm()
      await orphanLocks()
      rmSync(file('.plugmark/jobs'), { recursive: true, force: true })
      await recoverProfile({ home: home.home, redactions: [] }, home.directory, (cause) => {
        throw cause
      })
      const { dependencies } = JSON.parse(readFileSync(file('package.json'), 'utf8'))
      const where = `killed at operation ${at}`
      expect(Object.keys(dependencies), where).toEqual(isInstalled ? ['foreign'] : [])
      expect(existsSync(file('node_modules/foreign/package.json')), where).toBe(isInstalled)
      expect(existsSync(file('node_modules/added')), where).toBe(false)
      expect(readFileSync(file('node_modules/old/index.js'), 'utf8'), where).toBe('as it was')
    } finally {
      fault.disarm()
      await home.dispose()
    }
  }
})

test.each([
  ['they can be listed', true, 0],
  ['its job began an hour ago', null, 3_600_001],
])('where processes cannot be listed, leaves the profile of a killed job until %s', async (_, later, startedAgoMs) => {
  home = await aHome()
  try {
    await furnish(home.directory)
    const before = await hash()
    const startedAt = Date.now()
    const context = aContext()
    const recover = async () => {
      rmSync(file('.plugmark/jobs'), { recursive: true, force: true })
      return recoverProfile({ home: home.home, redactions: [] }, home.directory, (cause) => expect.fail(`${cause}`))
    }
    await runJob({ ...context, job: { ...context.job, startedAt } }, (context) =>
      install(context, false, () => {
        changeProfile()
        fault.arm('kills', 1)
        fault.step()
      }),
    )
    fault.disarm()
    await orphanLocks()
    const changed = await hash()
    expect(changed).not.toBe(before)

    processes.haveEnded = null
    const first = await recover()
    expect(first).toMatchObject({ isComplete: false, jobs: [{ outcome: { rollback: 'failed' } }] })
    expect(await hash()).toBe(changed)

    processes.haveEnded = later
    vi.spyOn(Date, 'now').mockReturnValue(startedAt + startedAgoMs)
    expect(await recover()).toMatchObject({ isComplete: true, jobs: [{ outcome: { rollback: 'complete' } }] })
    expect(await hash()).toBe(before)
  } finally {
    vi.restoreAllMocks()
    await home.dispose()
  }
})
