import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { processStart } from '@plugmark/shared/file-lock'
import { afterEach, expect, test } from 'vitest'
import { aHome, FAKE_HARNESS, furnish, hashTree } from '../testing.ts'
import { lockProfile } from './journal.ts'

const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

/**
 * Script of a host in a process of its own. Installs `a/waits` on request, and writes every job's state and outcome.
 */
const HOST = `
  import { createStoreHost } from ${url('../index.ts')}
  import { aRecord, directoryOf } from ${url('../testing.ts')}
  const [home, installs] = process.argv.slice(1)
  const host = createStoreHost({
    baseUrl: 'https://directory.example', home, command: [process.execPath, home + '/program.cjs'],
    trial: false,
    // No server listens here, so no version is known to compare with.
    registry: 'http://127.0.0.1:9',
  }, directoryOf([aRecord('a/waits', { installCheck: 'passed' })]))
  host.subscribe((event) => {
    if (event.type === 'job' || event.type === 'output') console.log(JSON.stringify(event.job.outcome ?? event.lines ?? (event.job.profileBusy ? 'busy' : 0)))
  })
  if (installs) {
    const { value } = await host.calls.review({ id: 'a/waits', profile: 'web', action: 'install' })
    await host.calls.start({ id: 'a/waits', token: value.token, acknowledged: false })
  }
  setInterval(() => {}, 1000)`

const hosts: ChildProcess[] = []
afterEach(() => {
  // Kill hosts that a failed test left.
  for (const host of hosts.splice(0)) host.kill('SIGKILL')
})

/** Starts the script and reads lines until one matches. */
async function start(args: string[], until: RegExp) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOST, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  hosts.push(child)
  for await (const line of createInterface({ input: child.stdout })) if (until.test(line)) return { child, line }
  throw new Error('The host ended.')
}
async function kill({ child }: Awaited<ReturnType<typeof start>>) {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Expects that a further host reports no old job, and begins an install like any other. */
async function expectInstallBegins(home: string): Promise<void> {
  const host = await start([home, 'installs'], /done \d+|interrupted/)
  expect(host.line).toContain('done')
  await kill(host)
  await kill(await start([home], /interrupted/))
}

test('reports a job once in the next host when its host is killed before the job changed anything', async () => {
  const home = await aHome()
  try {
    await furnish(home.directory)
    await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS)
    const before = await hashTree(home.directory, ['.plugmark'])
    const mine = await lockProfile(home.directory)
    await kill(await start([home.home, 'installs'], /busy/))

    const second = await start([home.home], /interrupted/)
    expect(JSON.parse(second.line)).toMatchObject({ kind: 'interrupted', rollback: null, profile: null })
    await mine?.release()
    await kill(second)
    expect(await hashTree(home.directory, ['.plugmark'])).toBe(before)

    await expectInstallBegins(home.home)
  } finally {
    await home.dispose()
  }
})

test('rolls back the install of a killed host in the next host, ends its processes, and reports it once', async () => {
  const home = await aHome()
  try {
    await furnish(home.directory)
    await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS)
    const before = await hashTree(home.directory, ['.plugmark'])

    const first = await start([home.home, 'installs'], /done \d+/)
    const program = Number(/done (\d+)/.exec(first.line)?.[1])
    await kill(first)
    expect(await hashTree(home.directory, ['.plugmark'])).not.toBe(before)
    expect(() => process.kill(program, 0)).not.toThrow()

    const second = await start([home.home], /interrupted/)
    expect(JSON.parse(second.line)).toMatchObject({
      kind: 'interrupted',
      rollback: 'complete',
      profile: { changed: [] },
    })
    expect(await hashTree(home.directory, ['.plugmark'])).toBe(before)
    expect(await processStart(program)).toBeNull()
    await kill(second)

    await expectInstallBegins(home.home)
  } finally {
    await home.dispose()
  }
})
