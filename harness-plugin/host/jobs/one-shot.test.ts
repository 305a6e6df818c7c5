import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { processStart } from '@plugmark/shared/file-lock'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aHome, FAKE_HARNESS, furnish, hashTree } from '../testing.ts'

const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

/**
 * Script that runs one job as a command does: writes the job's output and its outcome, closes the host, and ends by
 * itself. Ctrl+C cancels the job.
 */
const COMMAND = `
  import { createStoreHost } from ${url('../index.ts')}
  import { aRecord, directoryOf } from ${url('../testing.ts')}
  const [home, id] = process.argv.slice(1)
  const host = createStoreHost({
    baseUrl: 'https://directory.example', home, stateDir: home + '/state', trial: false, registry: 'http://127.0.0.1:9',
    command: [process.execPath, home + '/program.cjs'],
  }, directoryOf(['a/good', 'a/waits'].map((id) => aRecord(id, { installCheck: 'passed' }))))
  if (id) {
    const ended = Promise.withResolvers()
    host.subscribe((event) => {
      if (event.type === 'output') console.log(event.lines.join())
      if (event.type === 'job' && event.job.outcome) ended.resolve(event.job.outcome)
    })
    await host.calls.overview({})
    const { value } = await host.calls.review({ id, profile: 'web', action: 'install' })
    const job = await host.calls.start({ id, token: value.token, acknowledged: false })
    process.once('SIGINT', () => host.calls.cancel({ job: job.value.id }))
    console.log(JSON.stringify(await ended.promise))
  }
  await host.close()
  // Node counts the file operation whose end has just resolved a promise until this turn of its loop is over.
  await new Promise(setImmediate)
  // Node closes a file only after the promise of its contents has resolved.
  const isOfUs = (name) => !/Pipe|TTY|Signal|CloseReq/.test(name)
  console.log(JSON.stringify(process.getActiveResourcesInfo().filter(isOfUs)))`

let home: Awaited<ReturnType<typeof aHome>>
let before: string
let child: ChildProcess | null = null
beforeEach(async () => {
  home = await aHome()
  await furnish(home.directory)
  await writeFile(join(home.home, 'program.cjs'), FAKE_HARNESS)
  before = await hashTree(home.directory)
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await home.dispose()
})

/** Runs the script to its end. @returns its output lines, exit code and signal */
async function run(id: string | null, onLine: (line: string, child: ChildProcess) => void = () => {}) {
  const args = ['--input-type=module', '-e', COMMAND, home.home, ...(id ? [id] : [])]
  const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  child = started
  const ended = once(started, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: started.stdout })) {
    lines.push(line)
    onLine(line, started)
  }
  const [code] = await ended
  return {
    lines,
    code,
    outcome: lines.length > 1 ? JSON.parse(lines.at(-2)!) : null,
    active: JSON.parse(lines.at(-1)!),
  }
}

test('ends by itself after its job, with no work of the host left', async () => {
  expect(await run('a/good')).toMatchObject({ code: 0, outcome: { kind: 'registered' }, active: [] })
  expect(await run(null)).toMatchObject({ code: 0, active: [] })
})

test('cancels the job on Ctrl+C, ends its processes, and rolls back', async () => {
  let pid = 0
  const { code, outcome, active } = await run('a/waits', (line, child) => {
    if (!line.startsWith('done')) return
    pid = Number(line.split(' ')[1])
    child.kill('SIGINT')
  })
  expect({ code, active }).toEqual({ code: 0, active: [] })
  expect(outcome).toMatchObject({ kind: 'cancelled', rollback: 'complete' })
  expect(await processStart(pid)).toBeNull()
  expect(await hashTree(home.directory)).toBe(before)
})
