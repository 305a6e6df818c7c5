import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { PluginRecord } from '@plugmark/shared/contract'
import { expect, test } from './test.ts'

const CLI = fileURLToPath(new URL('../../mock-api/tools/cli.ts', import.meta.url))

/** Verdicts that the real harness gives. The last package was never on the registry. */
const FOUND: Readonly<Record<string, string>> = {
  'lanternworks/dsh-plugin-harbor-notes': 'passed',
  'lanternworks/dsh-plugin-copper-bell': 'needs-approval',
  'lanternworks/dsh-plugin-dry-well': 'not-a-layer',
  'lanternworks/dsh-plugin-lost-ferry': 'failed',
}

test('an operator checks four plugins in two shards, one of them stopped and continued', { tag: '@matrix' }, async ({
  cli,
  home,
  registry,
  api,
}) => {
  const served: { results: PluginRecord[] } = await (await fetch(`${api.url}/api/v1/plugins?limit=100`)).json()
  const results = served.results
    .filter(({ fullName }) => Object.hasOwn(FOUND, fullName))
    .map((record) => ({ ...record, installCheck: null, installCheckedAt: null, blockedBuilds: null }))
  const folder = dirname(home.home)
  await writeFile(join(folder, 'catalogue.json'), JSON.stringify({ results }))

  const programs = ['--plugmark', cli.installed.program, '--harness', join(folder, 'harness')]
  const start = (...args: string[]) => {
    const all = ['check', '--catalogue', 'catalogue.json', '--out', 'out.json', '--registry', registry.url, ...programs]
    return spawn(process.execPath, [CLI, ...all, ...args], { cwd: folder, env: cli.env })
  }
  const run = async (...args: string[]) => {
    const child = start(...args)
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    expect(code, stdout + stderr).toBe(0)
    return stdout
  }

  const stopped = start('--runs', 'one', '--shard', '1/2')
  await once(stopped.stdout, 'data')
  stopped.kill('SIGTERM')
  expect(await once(stopped, 'exit')).toEqual([130, null])
  const before = (await readFile(join(folder, 'one'), 'utf8')).trim().split('\n').length
  expect(await run('--runs', 'one', '--shard', '1/2')).toMatch(/, as before$/m)
  expect(before).toBeLessThan((await readFile(join(folder, 'one'), 'utf8')).trim().split('\n').length)
  await run('--runs', 'two', '--shard', '2/2')
  const summary = await run('--runs', 'all', '--runs', 'one', '--runs', 'two', '--only-write')
  expect(summary).toContain('4 listings, success rate 66.7 %')

  const checked: { results: PluginRecord[] } = JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'))
  expect(Object.fromEntries(checked.results.map((one) => [one.fullName, one.installCheck]))).toEqual(FOUND)
})
