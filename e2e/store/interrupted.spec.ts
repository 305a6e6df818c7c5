import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { faultyRegistry } from '../registry/faulty.ts'
import { profileHash } from './hash.ts'
import { dependencies, expect, layers, test } from './test.ts'

test.setTimeout(120_000)

/** The store's host in a process of its own, so that it can be killed. It writes each outcome. */
const HOST = `
  import { createStoreHost } from '@plugmark/harness-plugin/host'
  const [baseUrl, home, repository, ...command] = process.argv.slice(1)
  const host = createStoreHost({ baseUrl, home, command })
  host.subscribe(({ job }) => job?.outcome && console.log(JSON.stringify(job.outcome)))
  if (repository) {
    const { value } = await host.calls.review({ id: 'lanternworks/' + repository, profile: 'web', action: 'install' })
    await host.calls.start({ id: value.id, token: value.token, acknowledged: true })
  }
  setInterval(() => {}, 1000)`

test('an install whose host was killed is undone at the next start, its package manager ended', async ({
  api,
  home,
  registry,
}) => {
  const hosts: ChildProcess[] = []
  const start = (repository: string) => {
    const args = [api.url, home.home, repository, ...home.command]
    const child = spawn(process.execPath, ['--input-type=module', '-e', HOST, ...args], {
      cwd: import.meta.dirname,
      env: home.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    hosts.push(child)
    const lines = createInterface({ input: child.stdout })
    return { child, outcome: () => once(lines, 'line').then(([line]) => JSON.parse(line)) }
  }
  const stalled = await faultyRegistry(registry, 'stalls')
  try {
    const first = start('dsh-plugin-paper-kite')
    expect(await first.outcome()).toMatchObject({ kind: 'registered' })
    await kill(first.child)
    await home.setRegistry(stalled.url)
    const before = await profileHash(home)

    const second = start('dsh-plugin-harbor-notes')
    const connection = await stalled.asked
    const ended = once(connection, 'close')
    await kill(second.child)

    expect(await start('').outcome()).toMatchObject({ kind: 'interrupted', undo: 'undone', profile: { changed: [] } })
    await ended
    expect(await profileHash(home)).toBe(before)
    expect(await layers(home)).toEqual(['dsh-plugin-paper-kite'])
    expect(await dependencies(home)).toEqual(['dsh-plugin-paper-kite'])
  } finally {
    for (const host of hosts) await kill(host)
    await stalled.close()
  }
})

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
