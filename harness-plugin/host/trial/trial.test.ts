import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { JOB_STAGES } from '../../protocol/jobs.ts'
import { LAYERING_HARNESS } from '../harness/testing.ts'
import { hostForTests, value } from '../host-testing.ts'
import { sharedFile } from '../profile/state-folder.ts'
import { startRegistryForTests } from '../registry/testing.ts'

const { its, install, ended } = hostForTests()

/** Stands in for the harness's program: starts a program outside its process group, and fails. */
const PROGRAM = `
  if (process.argv[2] !== 'plugin') process.exit(1)
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
  child.unref()
  require('node:fs').writeFileSync(__dirname + '/pid', String(child.pid))
  process.exitCode = 1`

test('ends programs that a script leaves running', async () => {
  await writeFile(join(its.home.home, 'program.cjs'), PROGRAM)
  its.create({ trial: true })
  const { outcome } = await ended((await install('a/good')).id)
  expect(outcome).toMatchObject({ kind: 'failed', rollback: 'complete' })
  const pid = Number(await readFile(join(its.home.home, 'pid'), 'utf8'))
  // The environment of an ended process is empty until its parent collects it.
  expect(await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).toBe('')
})

test('keeps what it showed of a published version, and nothing of a folder that calls itself so', async () => {
  const { home } = its.home
  const folder = join(home, 'mine')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'good', version: '1.0.0' }))
  await writeFile(join(home, 'program.cjs'), LAYERING_HARNESS)
  await writeFile(join(home, 'start'), 'waits')
  its.create({ trial: true, stateDir: join(home, 'state') })
  const kept = () => readFile(sharedFile(home, 'fit-trials.json'), 'utf8').catch(() => null)

  const { id, token } = value(await its.host.calls.reviewSpec({ spec: folder, profile: 'web' }))
  const job = value(await its.host.calls.start({ id, token, acknowledged: true }))
  expect((await ended(job.id)).outcome?.kind).toBe('does-not-start')
  expect(await kept()).toBeNull()
  expect((await ended((await install('a/good')).id)).outcome?.kind).toBe('does-not-start')
  expect(JSON.parse((await kept()) ?? '')).toMatchObject({ trials: [{ plugin: 'good@1.0.0', runs: false }] })
})

test('enables a published version without a trial if it ran here before, and another version with one', async () => {
  const { home, directory } = its.home
  await writeFile(join(home, 'program.cjs'), LAYERING_HARNESS)
  await writeFile(join(home, 'start'), 'runs')
  its.create({ trial: true, stateDir: join(home, 'state'), settleMs: 100, browser: null })
  expect((await ended((await install('a/good')).id)).outcome).toMatchObject({ kind: 'registered' })
  // Another start would fail.
  await writeFile(join(home, 'start'), 'waits')
  const flip = async (enabled: boolean) => {
    const job = value(await its.host.calls.switchPlugin({ package: 'good', listing: null, profile: 'web', enabled }))
    return ended(job.id)
  }
  for (const enabled of [false, true, false])
    expect(await flip(enabled)).toMatchObject({
      stages: ['preparing', 'installing', 'checking'],
      outcome: { kind: enabled ? 'enabled' : 'disabled', trial: null },
    })
  const file = join(directory, 'node_modules/good/package.json')
  await writeFile(file, (await readFile(file, 'utf8')).replace('1.0.0', '1.0.1'))
  expect(await flip(true)).toMatchObject({ stages: JOB_STAGES, outcome: { kind: 'does-not-start' } })
})

test('tries a linked folder each time it is enabled, and keeps nothing of that about a published version', async () => {
  const { home, directory } = its.home
  const linked = JSON.stringify({ name: 'good', version: '1.0.0', dsh: { bundle: {} } })
  // Each install links the folder.
  const link = `writeFileSync(profile + '/node_modules/good/package.json', ${JSON.stringify(linked)})`
  await writeFile(
    join(home, 'program.cjs'),
    LAYERING_HARNESS.replace('const file = profile', `${link}\n    const file = profile`),
  )
  await writeFile(join(home, 'start'), 'runs')
  its.create({ trial: true, stateDir: join(home, 'state'), settleMs: 100, browser: null })
  const folder = join(directory, 'node_modules/good')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), linked)
  const dsh = { profile: { bundles: ['@deepseek-ai/dsh-base', '@deepseek-ai/dsh-web-app'] } }
  const manifest = { dependencies: { good: 'link:../mine' }, dsh }
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
  for (const enabled of [true, false, true]) {
    const job = value(await its.host.calls.switchPlugin({ package: 'good', listing: null, profile: 'web', enabled }))
    const { outcome, stages } = await ended(job.id)
    expect(outcome?.kind).toBe(enabled ? 'enabled' : 'disabled')
    expect(outcome?.trial === null, String(stages)).toBe(!enabled)
  }
  const { trials } = JSON.parse(await readFile(sharedFile(home, 'fit-trials.json'), 'utf8'))
  expect(trials).toMatchObject([{ plugin: 'good@1.0.0 from link:../mine', runs: true }])
})

test('keeps a start under the source that was installed, not under the one that it replaced', async () => {
  const { home, directory } = its.home
  const registry = await startRegistryForTests({ good: { '1.0.0': {} } })
  onTestFinished(() => registry.close())
  await writeFile(join(home, 'program.cjs'), LAYERING_HARNESS)
  await writeFile(join(home, 'start'), 'waits')
  const manifest = { dependencies: { good: 'file:/mine' }, dsh: { profile: { bundles: [] } } }
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
  its.create({ trial: true, stateDir: join(home, 'state'), registry: registry.url })
  const { id, token } = value(await its.host.calls.reviewSpec({ spec: 'good@1.0.0', profile: 'web' }))
  const job = value(await its.host.calls.start({ id, token, acknowledged: true }))
  expect((await ended(job.id)).outcome?.kind).toBe('does-not-start')
  const { trials } = JSON.parse(await readFile(sharedFile(home, 'fit-trials.json'), 'utf8'))
  expect(trials).toMatchObject([{ plugin: 'good@1.0.0', runs: false }])
})

test('tries a repository when it is enabled, unless the same commit ran before', async () => {
  const { home, directory } = its.home
  const installed = JSON.stringify({ name: 'good', version: '1.0.0', dsh: { bundle: {} } })
  // Each install fetches the repository.
  const fetch = `writeFileSync(profile + '/node_modules/good/package.json', ${JSON.stringify(installed)})`
  const program = LAYERING_HARNESS.replace('const file = profile', `${fetch}\n    const file = profile`)
  await writeFile(join(home, 'program.cjs'), program)
  await writeFile(join(home, 'start'), 'runs')
  its.create({ trial: true, stateDir: join(home, 'state'), settleMs: 100, browser: null })
  const folder = join(directory, 'node_modules/good')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), installed)
  const dsh = { profile: { bundles: ['@deepseek-ai/dsh-base', '@deepseek-ai/dsh-web-app'] } }
  const manifest = { dependencies: { good: 'github:a/good' }, dsh }
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
  const isTried = async (commit: string) => {
    const packages = { [`good@https://codeload.github.com/a/good/tar.gz/${commit}`]: { resolution: {} } }
    await writeFile(join(directory, 'pnpm-lock.yaml'), JSON.stringify({ packages }))
    const switched = async (enabled: boolean) => {
      const input = { package: 'good', listing: null, profile: 'web', enabled }
      return (await ended(value(await its.host.calls.switchPlugin(input)).id)).outcome
    }
    const outcome = await switched(true)
    expect(outcome?.kind).toBe('enabled')
    await switched(false)
    return outcome?.trial !== null
  }
  const [one, other] = ['a'.repeat(40), 'b'.repeat(40)]
  expect([await isTried(one), await isTried(one), await isTried(other), await isTried('unknown')]).toEqual([
    true,
    false,
    true,
    true,
  ])
})

test('says why it starts the harness again, and blames a plugin also when pnpm cannot fill another copy', async () => {
  const { home, directory } = its.home
  await mkdir(join(directory, 'node_modules/old'), { recursive: true })
  await writeFile(join(directory, 'node_modules/old/package.json'), JSON.stringify({ name: 'old', version: '1.0.0' }))
  const dsh = { profile: { bundles: ['old', '@deepseek-ai/dsh-web-app'] } }
  await writeFile(join(directory, 'package.json'), JSON.stringify({ dependencies: { old: '^1.0.0' }, dsh }))
  // A harness that does not start without the files of a layer, and not with `good`.
  const start = `
    const profile = process.env.DSH_HOME + '/profiles/web'
    const { bundles } = JSON.parse(readFileSync(profile + '/package.json', 'utf8')).dsh.profile
    if (args.includes('install')) process.exit(1)
    if (args.includes('add')) {
      mkdirSync(profile + '/node_modules/old', { recursive: true })
      writeFileSync(profile + '/node_modules/old/package.json', '{"name":"old","version":"1.0.0"}')
    }
    if (args[0] === '--profile' && !args.includes('--dump-config')) {
      if (!existsSync(profile + '/node_modules/old')) throw new Error('old is not installed')
      if (bundles.includes('good')) throw new Error('good is broken')
    }`
  await writeFile(join(home, 'program.cjs'), LAYERING_HARNESS.replace('if (args[0]', `${start}\n  if (args[0]`))
  await writeFile(join(home, 'start'), 'runs')
  its.create({ trial: true, settleMs: 100, browser: null })
  const starts = new Set<string | undefined>()
  its.host.subscribe(
    (event) => event.type === 'job' && event.job.stage === 'starting' && starts.add(event.job.again?.start),
  )
  const { outcome, again } = await ended((await install('a/good')).id)
  expect([...starts]).toEqual([undefined, 'with-others', 'without-change'])
  expect(again).toBeNull()
  expect(outcome).toMatchObject({ kind: 'stops-harness', subjects: ['Error: good is broken'] })
})
