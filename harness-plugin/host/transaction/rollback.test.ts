import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { constants, type Stats } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { JobContext } from '../harness/job.ts'
import { emptyOutcome } from '../harness/outcome.ts'
import { Output } from '../harness/output.ts'
import { JobQueue } from '../jobs/queue.ts'
import { JOB_VARIABLE } from '../process/run.ts'
import { readProfileState } from '../profile/state.ts'
import { aHome, furnish, hashTree } from '../testing.ts'
import { readHistory } from './history.ts'
import { beginJournal, withLockedProfile } from './journal.ts'
import { findHarnessLocks, recoverProfile, rollbackInterrupted } from './recover.ts'
import { outcomeOfError, Transaction } from './transaction.ts'

const fs = vi.hoisted(() => ({
  /** Called before each operation, which fails with any error that it throws. */
  before: async (_name: string, _args: readonly unknown[]): Promise<void> => {},
  /** Real time before which the clock was an hour ahead, ms. */
  setBackAt: 0,
  freeBytes: Number.POSITIVE_INFINITY,
}))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<Record<string, (...args: unknown[]) => Promise<unknown>>>()
  const hooked = Object.entries(real).map(([name, run]) => {
    if (typeof run !== 'function') return [name, run]
    const call = async (...args: unknown[]) => {
      await fs.before(name, args)
      if (name === 'statfs') return { bsize: 1, bavail: fs.freeBytes }
      // Without clones, a copy takes space.
      if (name === 'copyFile' && args[2] === constants.COPYFILE_FICLONE_FORCE) throw new Error('not supported')
      const result = await run(...args)
      if (name !== 'lstat' && name !== 'stat') return result
      const found = result as Stats
      if (found.ctimeMs < fs.setBackAt) found.ctimeMs += 3_600_000
      return found
    }
    return [name, call]
  })
  return Object.fromEntries(hooked)
})

let home: Awaited<ReturnType<typeof aHome>>
beforeEach(async () => {
  fs.before = async () => {}
  fs.setBackAt = 0
  fs.freeBytes = Number.POSITIVE_INFINITY
  home = await aHome()
  await furnish(home.directory)
})
afterEach(async () => {
  fs.before = async () => {}
  await home.dispose()
})

const file = (name: string) => join(home.directory, name)
const hash = () => hashTree(home.directory, ['.plugmark'])
const readJson = async (name: string) => JSON.parse(await readFile(file(name), 'utf8'))

function aContext(): JobContext {
  const job = { id: randomUUID(), action: 'install', listing: 'a/added', more: [], command: 'dsh' } as const
  return {
    directory: home.directory,
    job: { ...job, queuedAt: 1, startedAt: 1 },
    settings: { client: 'cli', now: () => 0, redactions: [] },
    output: new Output({ redactions: [], onLines: () => {} }),
    signal: new AbortController().signal,
    onStage: () => {},
  } as unknown as JobContext
}
const begin = ({ isTried = false } = {}) =>
  Transaction.begin(aContext(), {
    specs: ['added', '@a/added-too'].map((name) => ({ kind: 'npm', name })),
    isTried,
  })

/** Adds a dependency and a layer as pnpm does. */
async function add(name: string, { linked = true } = {}): Promise<void> {
  const manifest = await readJson('package.json')
  manifest.dependencies[name] = '^1.0.0'
  manifest.dsh.profile.bundles.push(name)
  await writeFile(file('package.json'), JSON.stringify(manifest))
  await writeFile(file('pnpm-lock.yaml'), `lockfileVersion: 9 # ${Object.keys(manifest.dependencies)}`)
  const store = linked
    ? `node_modules/.pnpm/${name.replace('/', '+')}@1.0.0/node_modules/${name}`
    : `node_modules/${name}`
  await mkdir(file(store), { recursive: true })
  await writeFile(file(`${store}/package.json`), '{"version":"1.0.0"}')
  if (!linked) return
  await mkdir(join(file(`node_modules/${name}`), '..'), { recursive: true })
  await symlink(file(store), file(`node_modules/${name}`))
}

test.each(['foreign', '@a/foreign'])(
  'keeps %s working that another program installed while the job ran, in package.json and in node_modules',
  async (foreign) => {
    await add('old-layer')
    const tx = await begin()
    await tx.snapshot()
    await add('added')
    await add('@a/added-too')
    await add(foreign)
    const outcome = await tx.rollback(emptyOutcome('failed'))
    expect(outcome).toMatchObject({ rollback: 'complete', profile: { changed: ['package.json'] } })
    const { dependencies, dsh } = await readJson('package.json')
    expect(dependencies).toHaveProperty(foreign)
    expect(dependencies).not.toHaveProperty('added')
    expect(dsh.profile.bundles).toContain(foreign)
    for (const name of [foreign, 'old-layer'])
      expect(await readJson(`node_modules/${name}/package.json`)).toEqual({ version: '1.0.0' })
    expect(await readdir(file('node_modules'))).not.toContain('added')
    const ofScope = await readdir(file('node_modules/@a')).catch(() => [])
    expect(ofScope).toEqual(foreign === '@a/foreign' ? ['foreign'] : [])
    expect(await readFile(file('node_modules/old/index.js'), 'utf8')).toBe('as it was')
  },
)

test('loses no package of a scope when a merge is repeated after the other program removed its package', async () => {
  await add('@a/kept', { linked: false })
  const before = await hash()
  const tx = await begin()
  await tx.snapshot()
  await writeFile(file('node_modules/@a/kept/package.json'), '{"version":"9.0.0"}')
  await add('added')
  await add('@a/foreign', { linked: false })
  let isBack = false
  fs.before = async (name, [, to]) => {
    if (isBack) throw Object.assign(new Error('injected'), { code: 'EIO', errno: -5 })
    isBack = name === 'rename' && to === file('node_modules/@a/kept')
  }
  expect(await tx.rollback(emptyOutcome('failed'))).toMatchObject({ rollback: 'failed' })
  fs.before = async () => {}
  const { dependencies, dsh, ...rest } = await readJson('package.json')
  const { '@a/foreign': _, ...others } = dependencies
  dsh.profile.bundles = dsh.profile.bundles.filter((name: string) => name !== '@a/foreign')
  await writeFile(file('package.json'), JSON.stringify({ ...rest, dependencies: others, dsh }))
  await rm(file('node_modules/@a/foreign'), { recursive: true })
  const again = await rollbackInterrupted({ home: home.home, redactions: [] }, home.directory)
  expect(again?.outcome).toMatchObject({ rollback: 'complete' })
  expect(await readJson('node_modules/@a/kept/package.json')).toEqual({ version: '1.0.0' })
  expect(await readdir(file('node_modules/@a'))).toEqual(['kept'])
  expect(await readdir(file('node_modules'))).not.toContain('added')
  expect(JSON.parse(await readFile(file('package.json'), 'utf8')).dependencies).not.toHaveProperty('added')
  expect(before).toBeTruthy()
})

test('keeps what another program updated while the job ran', async () => {
  await add('other', { linked: false })
  const tx = await begin()
  await tx.snapshot()
  await add('added')
  const manifest = await readJson('package.json')
  await writeFile(
    file('package.json'),
    JSON.stringify({ ...manifest, dependencies: { ...manifest.dependencies, other: '^2.0.0' } }),
  )
  await writeFile(file('node_modules/other/package.json'), '{"version":"2.0.0"}')
  expect(await tx.rollback(emptyOutcome('failed'))).toMatchObject({ rollback: 'complete' })
  expect((await readJson('package.json')).dependencies.other).toBe('^2.0.0')
  expect(await readJson('node_modules/other/package.json')).toEqual({ version: '2.0.0' })
})

test('says that the rollback is partial when a package of another program needs one that the job added', async () => {
  const tx = await begin()
  await tx.snapshot()
  await add('added', { linked: false })
  await add('foreign')
  await rm(file('node_modules/foreign'))
  await symlink(file('node_modules/added'), file('node_modules/foreign'))
  expect(await tx.rollback(emptyOutcome('failed'))).toMatchObject({ rollback: 'partial' })
})

test('restores what changed after the clock was set back', async () => {
  const before = await hash()
  fs.setBackAt = Date.now() + 600_000
  const tx = await begin()
  await tx.snapshot()
  fs.setBackAt = Date.now()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await writeFile(file('node_modules/old/index.js'), 'written over')
  expect(await tx.rollback(emptyOutcome('failed'))).toMatchObject({ rollback: 'complete' })
  expect(await hash()).toBe(before)
})

test('restores the modes of folders', async () => {
  await mkdir(file('node_modules/private/inner'), { recursive: true })
  await chmod(file('node_modules/private/inner'), 0o700)
  await chmod(file('node_modules/private'), 0o770)
  const before = await hash()
  const tx = await begin()
  await tx.snapshot()
  await rm(file('node_modules/private'), { recursive: true })
  await tx.rollback(emptyOutcome('failed'))
  expect(await hash()).toBe(before)
})

test('takes a snapshot while other programs delete files', async () => {
  await mkdir(file('node_modules/.cache'))
  await writeFile(file('node_modules/.cache/vanishes'), '')
  const tx = await begin()
  fs.before = async (name, [path]) => {
    if (name === 'copyFile' && String(path).endsWith('vanishes')) await rm(String(path))
  }
  await tx.snapshot()
  fs.before = async () => {}
  await writeFile(file('node_modules/old/index.js'), 'written over')
  expect(await tx.rollback(emptyOutcome('failed'))).toMatchObject({ rollback: 'complete' })
  expect(await readFile(file('node_modules/old/index.js'), 'utf8')).toBe('as it was')
})

test('calls a profile missing only if it is', async () => {
  const missing = Object.assign(new Error('gone'), { code: 'ENOENT' })
  const tx = await begin()
  expect(await tx.rollback(missing)).toMatchObject({ kind: 'disk-error', subjects: ['ENOENT'] })
  await home.dispose()
  expect(await begin().catch((error) => outcomeOfError(error))).toMatchObject({ kind: 'profile-missing' })
})

test('takes only the system’s own error codes for an error of the disk', () => {
  const { code, name } = new DOMException('The time is over.', 'TimeoutError')
  for (const other of ['ERR_INVALID_ARG_TYPE', code])
    expect(outcomeOfError(Object.assign(new Error(name), { code: other }))).toMatchObject({ kind: 'failed' })
})

test('shows the error that ended a job after its snapshot', async () => {
  const lines: string[] = []
  const output = new Output({ redactions: [], onLines: (_, more) => lines.push(...more) })
  const tx = await Transaction.begin({ ...aContext(), output }, { specs: [] })
  await tx.snapshot()
  const error = Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' })
  expect(await tx.rollback(error)).toMatchObject({ kind: 'disk-error', subjects: ['EIO'], rollback: 'complete' })
  expect(lines).toEqual(['Error: EIO: i/o error, fsync'])
})

test('reports a fault of the store that ended a job, and nothing that a disk or the user did', async () => {
  const faults: unknown[] = []
  const begun = () => Transaction.begin({ ...aContext(), onFault: (cause) => faults.push(cause) }, { specs: [] })
  for (const error of [Object.assign(new Error('EIO'), { code: 'EIO' }), emptyOutcome('failed')])
    await (await begun()).rollback(error)
  expect(faults).toEqual([])
  // The second is Node's, which gives it a code.
  const mistakes = [new TypeError('x is undefined'), await writeFile(undefined!, '').catch((error) => error)]
  for (const fault of mistakes) await (await begun()).rollback(fault)
  expect(faults).toEqual(mistakes)
})

test('releases the lock of a profile later when its file cannot be read for a while', async () => {
  const lock = file('.plugmark/lock')
  await withLockedProfile(home.directory, {}, async () => {
    fs.before = async (name, [path]) => {
      if (name === 'readFile' && path === lock) throw Object.assign(new Error('injected'), { code: 'EIO' })
    }
  })
  expect((await stat(lock)).isFile()).toBe(true)
  fs.before = async () => {}
  await expect.poll(() => stat(lock).catch(() => null)).toBeNull()
})

test('keeps the reason of a job whose rollback is repeated', async () => {
  const tx = await begin()
  await tx.snapshot()
  await add('added')
  fs.before = async (name, [path]) => {
    if (name === 'rename' && String(path).includes('node_modules'))
      throw Object.assign(new Error('injected'), { code: 'EIO', errno: -5 })
  }
  const failed = { ...emptyOutcome('stops-harness', ['why']), trial: { harnessStarted: true, pageLoaded: null } }
  expect(await tx.rollback(failed)).toMatchObject({ kind: 'stops-harness', rollback: 'failed' })
  fs.before = async () => {}
  const again = await rollbackInterrupted({ home: home.home, redactions: [] }, home.directory)
  expect(again?.outcome).toMatchObject({ kind: 'stops-harness', subjects: ['why'], rollback: 'complete' })
  expect((await readHistory(home.directory)).map(({ outcome }) => [outcome.kind, outcome.rollback])).toEqual([
    ['stops-harness', 'complete'],
  ])
})

test('keeps the undo of the last change until a job begins to change the profile', async () => {
  const first = await begin()
  await first.snapshot()
  await add('first')
  await first.commit(emptyOutcome('registered'), (await readProfileState(home.directory))!)
  // The disk has space for another copy only without it.
  fs.freeBytes = 50_020_000
  const tx = await begin()
  expect(await readdir(file('.plugmark/undo'))).toContain('change.json')
  await tx.rollback(emptyOutcome('stops-harness'))
  expect(await readdir(file('.plugmark/undo'))).toContain('change.json')
  await (await begin()).snapshot()
  expect(await readdir(file('.plugmark'))).not.toContain('undo')
})

test('ends processes of the job that left its group before it restores the profile', async () => {
  const before = await hash()
  const tx = await begin()
  await tx.snapshot()
  const { job } = await readJson('.plugmark/journal.json')
  const write = "require('node:fs').writeFileSync('node_modules/old/index.js', 'late')"
  const left = spawn(process.execPath, ['-e', `setInterval(() => ${write}, 1); console.log(1)`], {
    cwd: home.directory,
    detached: true,
    env: { [JOB_VARIABLE]: job.id },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void left.kill('SIGKILL'))
  const exited = once(left, 'exit')
  await once(left.stdout, 'data')
  expect(await tx.rollback(emptyOutcome('failed'))).toMatchObject({ rollback: 'complete' })
  expect(await exited).toEqual([null, 'SIGKILL'])
  expect(await hash()).toBe(before)
})

test('restores nothing while processes of the job may still run', async () => {
  const before = await hash()
  const tx = await begin()
  await tx.snapshot()
  await add('added')
  fs.before = async (name, [path]) => {
    if (name === 'readdir' && path === '/proc') throw Object.assign(new Error('injected'), { code: 'EMFILE' })
  }
  expect(await tx.rollback(emptyOutcome('failed'))).toMatchObject({ rollback: 'failed' })
  expect((await readJson('package.json')).dependencies).toHaveProperty('added')
  fs.before = async () => {}
  expect((await rollbackInterrupted({ home: home.home, redactions: [] }, home.directory))?.outcome).toMatchObject({
    rollback: 'complete',
  })
  expect(await hash()).toBe(before)
})

test('names the files that changed while a refused plugin was tried', async () => {
  const tx = await begin({ isTried: true })
  await writeFile(file('cordis.patch.yml'), '- id: planted')
  await writeFile(file('node_modules/old/index.js'), 'planted')
  const outcome = await tx.rollback({ ...emptyOutcome('stops-harness'), rollback: 'complete' })
  expect(outcome.rollback).toBe('changed')
  expect(outcome.profile?.changed).toEqual(['cordis.patch.yml', 'node_modules/old/index.js'])
})

test('records an interrupted job without private folders and passwords', async () => {
  const source = `${home.home}/kite`
  const job = {
    ...aContext().job,
    listing: source,
    more: ['https://me:secret@host.example/kit'],
    command: `dsh add ${source}`,
  }
  await beginJournal(home.directory, job, [])
  await rollbackInterrupted({ home: home.home, redactions: [[home.home, '$DSH_HOME']] }, home.directory)
  expect(await readHistory(home.directory)).toMatchObject([
    { listing: '$DSH_HOME/kite', more: ['https://***@host.example/kit'], command: 'dsh add $DSH_HOME/kite' },
  ])
})

test('removes the lock of a harness that was killed with the job, and names it', async () => {
  const tx = await begin()
  await tx.snapshot()
  await writeFile(file('package.json.lock'), `${2 ** 22 + 1}\n`)
  await writeFile(file('package.json.lock.takeover-0123456789abcdef'), `${2 ** 22 + 1}\n`)
  const recovered = await rollbackInterrupted({ home: home.home, redactions: [] }, home.directory)
  expect(recovered?.outcome).toMatchObject({ kind: 'interrupted', subjects: ['package.json.lock'] })
  expect((await readdir(home.directory)).filter((name) => name.includes('.lock'))).toEqual([])
  expect(tx.before).toBeTruthy()
})

test('removes the lock of an ended harness although no job was running, once no harness would hold one that long', async () => {
  const recover = () =>
    recoverProfile({ home: home.home, redactions: [] }, home.directory, (cause) => expect.fail(`${cause}`))
  await writeFile(file('package.json.lock'), `${2 ** 22 + 1}\n`)
  // It may run in a container that shares the home.
  expect(await recover()).toEqual({ jobs: [], isComplete: true })
  expect(await findHarnessLocks(home.directory)).toEqual([{ name: 'package.json.lock', owner: 'unknown' }])
  const elevenMinutesAgo = new Date(Date.now() - 660_000)
  await utimes(file('package.json.lock'), elevenMinutesAgo, elevenMinutesAgo)
  expect(await recover()).toEqual({ jobs: [], isComplete: true })
  expect(await readdir(home.directory)).not.toContain('package.json.lock')
  await writeFile(file('package.json.lock'), `${process.pid}\n`)
  await recover()
  expect(await findHarnessLocks(home.directory)).toEqual([{ name: 'package.json.lock', owner: 'running' }])
})

test('leaves the lock of a harness that runs', async () => {
  await (await begin()).snapshot()
  await writeFile(file('package.json.lock'), `${process.pid}\n`)
  expect((await rollbackInterrupted({ home: home.home, redactions: [] }, home.directory))?.outcome.subjects).toEqual([])
  expect((await stat(file('package.json.lock'))).isFile()).toBe(true)
})

test('reports an error of the disk in a recovery, and asks to try again', async () => {
  const before = await hash()
  await (await begin()).snapshot()
  await add('added')
  const problems: unknown[] = []
  const recover = () =>
    recoverProfile({ home: home.home, redactions: [] }, home.directory, (cause) => problems.push(cause))
  const injected = Object.assign(new Error('injected'), { code: 'EIO', errno: -5 })
  fs.before = async (name, [path]) => {
    if (name === 'readFile' && path === file('.plugmark/journal.json')) throw injected
  }
  expect(await recover()).toEqual({ jobs: [], isComplete: false })
  expect(problems).toEqual([injected])

  // A rollback that fails is not complete either.
  fs.before = async (name, [path]) => {
    if (name === 'rename' && String(path).includes('node_modules')) throw injected
  }
  expect(await recover()).toMatchObject({ jobs: [{ outcome: { rollback: 'failed' } }], isComplete: false })
  fs.before = async () => {}
  expect(await recover()).toMatchObject({ jobs: [{ outcome: { rollback: 'complete' } }], isComplete: true })
  expect(await hash()).toBe(before)
})

test('does not keep back what pages read when the profiles could not be listed for the recovery', async () => {
  const settings = { ...aContext().settings, home: home.home }
  const queue = new JobQueue(settings, () => {}, { ...aContext(), emit: () => {} })
  fs.before = async (name) => {
    if (name === 'readdir') throw Object.assign(new Error('injected'), { code: 'EMFILE' })
  }
  await expect(queue.recover()).rejects.toThrow('injected')
  await queue.recovered()
  await queue.close()
})

test('reports a journal of a newer version, and does not try again', async () => {
  await mkdir(file('.plugmark'))
  await writeFile(file('.plugmark/journal.json'), '{"version":1000}')
  const problems: unknown[] = []
  const recovered = await recoverProfile({ home: home.home, redactions: [] }, home.directory, (cause) =>
    problems.push(cause),
  )
  expect(recovered).toEqual({ jobs: [], isComplete: true })
  expect(problems.map(String)).toEqual([expect.stringContaining('newer')])
})

test('begins a job that is tried although a folder of the profile cannot be listed', async () => {
  await mkdir(file('private'))
  fs.before = async (name, [path]) => {
    if (name === 'readdir' && path === file('private')) throw Object.assign(new Error('injected'), { code: 'EACCES' })
  }
  const tx = await begin({ isTried: true })
  expect(await tx.rollback(emptyOutcome('stops-harness'))).toMatchObject({ kind: 'stops-harness' })
})
