// `npm test` runs every stage, whatever fails, and ends with the line that sums them up.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Counts, countPlaywright, countVitest, lastLine } from './counts.ts'

const folder = await mkdtemp(join(tmpdir(), 'plugmark-report-'))
const report = join(folder, 'report.json')
const vitest = { args: ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`], count: countVitest }
const playwright = { args: ['--reporter=list,json'], count: countPlaywright }
/** The quickest stages come first. Types and lint write no report. */
const stages = { types: null, lint: null, unit: vitest, contract: vitest, browser: vitest, e2e: playwright }

let stopped = false
/** Runs an npm script in front. @returns whether it succeeded */
async function run(script: string, args: readonly string[]): Promise<boolean> {
  const child = spawn('npm', ['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
  const stop = (signal: NodeJS.Signals) => {
    stopped = true
    // A terminal sends SIGINT to the child as well.
    if (signal === 'SIGTERM') child.kill(signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const [code] = await once(child, 'close')
  process.off('SIGINT', stop).off('SIGTERM', stop)
  return code === 0
}

async function runStage(name: keyof typeof stages): Promise<Counts> {
  await rm(report, { force: true })
  const ok = await run(`test:${name}`, stages[name]?.args ?? [])
  if (stages[name] === null) return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, failures: ok ? [] : [name] }
  const text = await readFile(report, 'utf8').catch(() => null)
  const counts =
    text === null ? { passed: 0, failed: 0, skipped: 0, failures: [] } : stages[name].count(JSON.parse(text))
  if (ok || counts.failed > 0) return counts
  return { ...counts, failed: 1, failures: [`${name} ended before its tests did`] }
}

const total = { passed: 0, failed: 0, skipped: 0 }
const lines: string[] = []
const failures: string[] = []
for (const name of Object.keys(stages) as (keyof typeof stages)[]) {
  if (stopped) break
  console.log(`\n── ${name} ──`)
  const started = performance.now()
  const counts = await runStage(name)
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key]
  failures.push(...counts.failures)
  lines.push(`${name.padEnd(10)}${lastLine(counts)}, ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
await rm(folder, { recursive: true })
console.log(['', ...failures.map((failure) => `✗ ${failure}`), '', ...lines, '', lastLine(total)].join('\n'))
process.exitCode = total.failed > 0 || stopped ? 1 : 0
