/**
 * `npm run test:recordings [-- VERSION…]` starts each harness with each broken plugin, records what the trial of a job
 * sees of it, and runs the unit tests that judge the recordings.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Recorded, Recording } from '@plugmark/harness-plugin/host/testing'
import { bootHarness, Output, readTreeChange, WEB_ARGS } from '@plugmark/harness-plugin/host/testing'
import { createHome, type Home } from '../../harness/home.ts'
import { HARNESS_VERSIONS, type HarnessVersion, missingHarness } from '../../harness/versions.ts'
import { BROKEN_PLUGINS } from '../../registry/broken-plugins.ts'
import { type Registry, startRegistry } from '../../registry/registry.ts'
import { findChromium } from '../../setup/chromium.mjs'

type Row = Extract<Recording['without'], { up: true }>['rows'][number]

const folder = fileURLToPath(new URL('../../../harness-plugin/host/trial/recordings/', import.meta.url))
const checkout = fileURLToPath(new URL('../../..', import.meta.url))
/** The one that never comes up waits this long, and a slow machine needs it for the others. */
const START_LIMIT_MS = 90_000
const SETTLE_MS = 2000

/** Collects output without the paths of this machine. */
const outputOf = ({ home }: Home) =>
  new Output({
    redactions: [
      [home, '$DSH_HOME'],
      [dirname(home), '~'],
      [checkout.slice(0, -1), '~'],
    ],
    onLines: () => {},
  })

/** Runs `dsh ARGS`. @returns its exit code and its output */
async function dsh({ home, command, env }: Home, ...args: string[]) {
  const [program = '', ...leading] = command
  const done = await promisify(execFile)(program, [...leading, ...args], {
    cwd: home,
    env,
    maxBuffer: 10_000_000,
  }).then(
    (output) => ({ ...output, code: 0 }),
    (error) => error,
  )
  return done as { readonly code: number; readonly stdout: string; readonly stderr: string }
}

async function boot(home: Home, plugins: readonly string[]): Promise<Recorded['boot']> {
  const booted = await bootHarness({
    command: home.command,
    home: home.home,
    profile: home.profile,
    plugins,
    args: WEB_ARGS,
    env: home.env,
    startLimitMs: START_LIMIT_MS,
    settleMs: SETTLE_MS,
    pageMs: 1000,
    output: outputOf(home),
    signal: AbortSignal.timeout(2 * START_LIMIT_MS),
    hasPage: () => false,
    // Only a plugin with a page part needs a browser.
    browser: plugins.some((name) => name.includes('-client-')) ? findChromium() : null,
    onScreen: () => {},
  })
  if (!booted.up) return { ...booted, lines: [] }
  // Without stacks, the address, and the probe's own row, which have paths of this machine.
  const lines = booted.lines.filter((line) => !/^ +at |^dsh web: /.test(line))
  // Recorded of the start without a plugin alone: what the store relies on.
  const parts = plugins.length === 0 ? booted.parts : null
  return { ...booted, lines, parts, rows: booted.rows.filter(({ id }) => id !== 'plugmark-trial') }
}

/** Adds a broken plugin to a new profile and starts it. */
async function recordPlugin(version: HarnessVersion, registry: Registry, name: string): Promise<Recorded> {
  const home = await createHome({ registry: registry.url, version })
  try {
    const profile = join(home.home, 'profiles', home.profile)
    const added = await dsh(home, 'plugin', '--profile', home.profile, 'add', name)
    if (added.code !== 0) {
      const output = outputOf(home)
      output.write('out', added.stdout)
      output.write('err', added.stderr)
      output.end()
      return { refusal: output.lines.filter((line) => line.startsWith('dsh: ')), change: null, boot: null }
    }
    const compose = async () => {
      const { stdout, stderr } = await dsh(home, '--profile', home.profile, '--dump-config')
      return { out: stdout, err: stderr }
    }
    const change = await readTreeChange({ directory: profile, compose }, name)
    return { refusal: null, change, boot: await boot(home, [name]) }
  } finally {
    await home.dispose()
  }
}

const isSame = (one: Row, other: Row) =>
  one.name === other.name && one.state === other.state && one.disabled === other.disabled

async function record(version: HarnessVersion, registry: Registry): Promise<Recording> {
  const clean = await createHome({ registry: registry.url, version })
  const without = await boot(clean, []).finally(() => clean.dispose())
  if (!without?.up) throw new Error(`Harness ${version} does not start:\n${without?.why.join('\n')}`)
  const recorded = new Map<string, Recorded>()
  const waiting = [...BROKEN_PLUGINS]
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      recorded.set(name, await recordPlugin(version, registry, name))
      console.log(`${version} ${name}`)
    }
  }
  // A start waits half of its time.
  await Promise.all([work(), work(), work()])

  const changed = new Set<Row>()
  const plugins: Record<string, Recorded> = {}
  for (const name of BROKEN_PLUGINS) {
    const { boot, ...rest } = recorded.get(name)!
    plugins[name] = { ...rest, boot }
    if (!boot?.up) continue
    // Rows that stay as they were show nothing.
    for (const row of without.rows) if (!boot.rows.some((now) => isSame(now, row))) changed.add(row)
    const rows = boot.rows.filter((row) => !without.rows.some((was) => isSame(was, row)))
    plugins[name] = { ...rest, boot: { ...boot, rows } }
  }
  return { without: { ...without, rows: [...changed] }, plugins }
}

const asked = process.argv.slice(2)
const registry = await startRegistry()
for (const version of HARNESS_VERSIONS) {
  if (asked.length > 0 && !asked.includes(version)) continue
  const missing = missingHarness(version)
  if (missing === null)
    await writeFile(join(folder, `${version}.json`), `${JSON.stringify(await record(version, registry), null, 2)}\n`)
  else console.error(missing)
}
await registry.close()

/** Runs a tool of the project, which npm puts on PATH. */
async function run(program: string, ...args: readonly string[]): Promise<void> {
  const [code] = await once(spawn(program, args, { cwd: checkout, stdio: 'inherit' }), 'close')
  if (code !== 0) process.exitCode = 1
}
await run('biome', 'format', '--write', folder)
await run('vitest', 'run', '--project', 'unit', 'harness-plugin/host/trial/recorded.test.ts')
