/**
 * `test.ts [packages] [versions] [recordings]` runs all tests of this machine, and those named in addition. Two lanes
 * run side by side, made for two cores: journeys, which take longest, and all else. Prints their lines as
 * they come, at the end again what failing commands said last, and one line with the sum, which other programs read.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const FOLDER = 'node_modules/.cache/test'
/** Of each failing command: both runners list their failures at the end. */
const LAST_LINES = 300

const asked = process.argv.slice(2)
const known = ['packages', 'versions', 'recordings']
const unknown = asked.filter((name) => !known.includes(name))
if (unknown.length > 0)
  throw new Error(
    `No tests are called ${unknown.join(', ')}, only: ${known.join(', ')}. For one file: npx vitest run FILE, npx playwright test FILE.`,
  )
const ifAsked = <T>(name: string, ...items: T[]): T[] => (asked.includes(name) ? items : [])

interface Command {
  readonly name: string
  readonly words: readonly [string, ...string[]]
  /** False for a tool that counts nothing: it is one test. */
  readonly reports: boolean
}

const report = (name: string) => join(FOLDER, `${name}.xml`)
const projects = (...names: string[]) => names.flatMap((name) => ['--project', name])
const playwright = projects('0.2.*', ...ifAsked('versions', '0.1.*', 'matrix*', 'whole*'))
const vitest = projects('unit', 'browser', 'contract', ...ifAsked('packages', 'packages'))
const junit = ['--reporter=default', '--reporter=junit', `--outputFile.junit=${report('vitest')}`]

const LANES: readonly (readonly Command[])[] = [
  [
    { name: 'journeys', words: ['playwright', 'test', ...playwright, '--reporter=list,junit'], reports: true },
    ...ifAsked<Command>('recordings', {
      name: 'record',
      words: ['node', 'e2e/tools/matrix/record.ts'],
      reports: false,
    }),
  ],
  [
    { name: 'types', words: ['node', 'e2e/setup/check.ts', 'types'], reports: false },
    { name: 'lint', words: ['node', 'e2e/setup/check.ts', 'lint'], reports: false },
    { name: 'vitest', words: ['vitest', 'run', ...vitest, ...junit], reports: true },
  ],
]

const children = new Set<ChildProcess>()
let isEnding = false
// A terminal sends SIGINT to the children as well.
process.on('SIGTERM', () => {
  isEnding = true
  for (const child of children) child.kill()
})

const total = { passed: 0, failed: 0, skipped: 0 }
const failed: string[] = []
const seconds: string[] = []

async function run({ name, words: [program, ...args], reports }: Command): Promise<void> {
  const from = performance.now()
  await rm(report(name), { force: true })
  const child = spawn(program, args, {
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', PLAYWRIGHT_JUNIT_OUTPUT_FILE: report(name) },
  })
  children.add(child)
  const lines: string[] = []
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => {
      lines.push(line)
      console.log(`${name.padEnd(8)} ${line}`)
    })
  const [code] = await once(child, 'close')
  children.delete(child)
  const counts = reports ? await countTests(report(name)) : { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0 }
  // A runner that ends early, or finds no test, has failed.
  if (counts.failed === 0 && (code !== 0 || counts.passed === 0)) counts.failed = 1
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key]
  if (counts.failed > 0) failed.push(`── ${name} ──`, ...lines.slice(-LAST_LINES))
  seconds.push(`${name} ${Math.round((performance.now() - from) / 1000)} s`)
}

/** Adds up the suites of a JUnit report, which both runners write. */
async function countTests(file: string): Promise<typeof total> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const xml = await readFile(file, 'utf8').catch(() => '')
  for (const [suite] of xml.matchAll(/<testsuite .*?>/g)) {
    const number = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(suite)?.[1] ?? 0)
    const failures = number('failures') + number('errors')
    counts.failed += failures
    counts.skipped += number('skipped')
    counts.passed += number('tests') - failures - number('skipped')
  }
  return counts
}

await mkdir(FOLDER, { recursive: true })
await Promise.all(
  LANES.map(async (commands) => {
    for (const command of commands) if (!isEnding) await run(command)
  }),
)
console.log(['', ...failed, seconds.join(', '), ''].join('\n'))
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed > 0 ? 1 : 0
