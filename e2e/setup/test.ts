/**
 * `test.ts <stage>…` runs stages of the tests, whatever fails. Prints one line for each stage, its whole output only if
 * it fails, and at the end why tests failed and the line that sums them up. `npm test` names the stages that prove the
 * product on this machine; `npm run test:matrix` adds the packages and the journeys on every version of the harness.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { measurePace } from '../run.ts'
import { type Counts, countPlaywright, countVitest, type Failure, failureLines, lastLine } from './counts.ts'

const FOLDER = 'node_modules/.cache/test'
/** A stage of the matrix does not begin later than this, so that a slow machine ends within the limit of CI. */
const LATEST_BEGIN_MS = 50 * 60_000

type Count = ((report: never) => Counts) | null

/**
 * The stages, each an npm script `test:<name>`. Two run at a time, as two cores have no room for more: the journeys, which
 * take longest, and beside them one stage after another.
 */
const STAGES: Readonly<Record<string, { readonly count: Count; readonly isOfMatrix?: true }>> = {
  e2e: { count: countPlaywright },
  types: { count: null },
  lint: { count: null },
  unit: { count: countVitest },
  browser: { count: countVitest },
  contract: { count: countVitest },
  versions: { count: countPlaywright, isOfMatrix: true },
  packages: { count: countVitest, isOfMatrix: true },
  recordings: { count: null, isOfMatrix: true },
}

const asked = process.argv.slice(2)
const known = Object.keys(STAGES)
const unknown = asked.filter((name) => !known.includes(name))
if (unknown.length > 0) throw new Error(`There is no stage ${unknown.join(', ')}, only: ${known.join(', ')}`)
await mkdir(FOLDER, { recursive: true })

/** Of all stages, so that their limits fit the machine. */
process.env.PLUGMARK_PACE ??= `${await measurePace()}`
const began = performance.now()
const secondsSince = (from: number) => ((performance.now() - from) / 1000).toFixed(1)
const children = new Set<ChildProcess>()
let stopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stopped = true
    // A terminal sends SIGINT to the children as well.
    if (signal === 'SIGTERM') for (const child of children) child.kill(signal)
  })

/** Last line that each running stage wrote, and when it began. */
const running = new Map<string, { readonly from: number; last: string }>()
const isTerminal = process.stdout.isTTY
let drawn = 0

/** Prints text above the lines of the running stages. */
function print(text: string): void {
  if (drawn > 0) process.stdout.write(`\u001b[${drawn}A\u001b[J`)
  drawn = 0
  if (text !== '') console.log(text)
  if (!isTerminal) return
  for (const [name, { from, last }] of running)
    console.log(`… ${name.padEnd(11)}${secondsSince(from)} s  ${last}`.slice(0, process.stdout.columns - 1))
  drawn = running.size
}

/** Redraws a terminal each second; elsewhere says once a minute what runs. */
const ticking = setInterval(
  () => {
    if (isTerminal) return print('')
    for (const [name, { from, last }] of running) console.log(`… ${name.padEnd(11)}${secondsSince(from)} s  ${last}`)
  },
  isTerminal ? 1000 : 60_000,
)

const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> }

/** Runs the npm script of a stage without its set-up, which has run for all. @returns whether it succeeded */
async function run(name: string, log: string, report: string, count: Count): Promise<boolean> {
  const reporters =
    count === countPlaywright
      ? ['--reporter=list,json']
      : ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  // Not by `npm run`, which would run the set-up again, or hand its option against that on to every npm of the tests.
  const command = [scripts[`test:${name}`], ...(count === null ? [] : reporters)].join(' ')
  const isWindows = process.platform === 'win32'
  const child = spawn(isWindows ? command : `exec ${command}`, {
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
  children.add(child)
  const file = createWriteStream(log)
  const state = running.get(name)!
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      file.write(text)
      state.last = text.trim().split('\n').at(-1)?.trim() || state.last
    })
  const [code] = await once(child, 'close')
  children.delete(child)
  file.end()
  await once(file, 'close')
  return code === 0
}

async function runStage(name: string, count: Count): Promise<Counts> {
  const [log, report] = [join(FOLDER, `${name}.log`), join(FOLDER, `${name}.json`)]
  await rm(report, { force: true })
  const ok = await run(name, log, report, count)
  const text = await readFile(report, 'utf8').catch(() => null)
  const none: Counts = { passed: count === null && ok ? 1 : 0, failed: 0, skipped: 0, failures: [] }
  const counts = count === null || text === null ? none : count(JSON.parse(text) as never)
  if (ok && counts.failed === 0) return counts
  const said = await readFile(log, 'utf8')
  print(`\n── ${name} ──\n${said}`)
  if (counts.failed > 0) return counts
  // The tools of a stage without tests list what they found after a ✗; other programs say last why they ended.
  const [failure, message] =
    count === null ? [name, said.slice(Math.max(0, said.indexOf('✗')))] : [`${name} ended early`, said.slice(-1000)]
  return { ...counts, failed: 1, failures: [{ name: failure, message }] }
}

const total = { passed: 0, failed: 0, skipped: 0 }
const failures: Failure[] = []
const lines: string[] = []
const waiting = Object.keys(STAGES).filter((name) => asked.includes(name))

/** Removes the next stage from those that wait. Journeys do not run beside other journeys, whose browsers fill the memory. */
function takeStage(): string | undefined {
  const isJourneys = (name: string) => STAGES[name]!.count === countPlaywright
  const isBusy = [...running.keys()].some(isJourneys)
  const next = waiting.find((name) => !(isBusy && isJourneys(name)))
  if (next !== undefined) waiting.splice(waiting.indexOf(next), 1)
  return next
}

async function runStages(): Promise<void> {
  for (let name = takeStage(); name !== undefined && !stopped; name = takeStage()) {
    const { count, isOfMatrix = false } = STAGES[name]!
    const from = performance.now()
    running.set(name, { from, last: '' })
    const isTooLate = isOfMatrix && asked.includes('e2e') && from - began > LATEST_BEGIN_MS
    const counts = isTooLate ? { passed: 0, failed: 0, skipped: 1, failures: [] } : await runStage(name, count)
    running.delete(name)
    for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key]
    failures.push(...counts.failures)
    const note = isTooLate ? ', not begun: this machine is too slow' : ''
    const line = `${counts.failed > 0 ? '✗' : '✓'} ${name.padEnd(11)}${lastLine(counts)}, ${secondsSince(from)} s${note}`
    lines.push(line)
    print(line)
  }
}

await Promise.all([runStages(), runStages()])
clearInterval(ticking)
const summary = [...failureLines(failures), '', ...lines, `  ${'all'.padEnd(11)}${secondsSince(began)} s`]
console.log(['', ...summary, '', lastLine(total)].join('\n'))
process.exitCode = total.failed > 0 || stopped ? 1 : 0
