import { setTimeout as pause } from 'node:timers/promises'
import type { Output } from '../jobs/output.ts'
import { runProcess } from '../jobs/process.ts'
import { FRAME_PATH } from './frame.ts'
import { lastWords } from './last-words.ts'
import { inactiveRows, placeSentinel, type Report, readReport } from './sentinel.ts'

const POLL_MS = 50
/** How long a tree must stay up: some plugins end the harness a while after it answered. */
const SETTLE_MS = 2000
/** How long a page has to open the frame once the tree is up, and the frame to come to a judgement. */
const OPEN_MS = 3000
const SCREEN_MS = 20_000
const GRACE_MS = 1000

export interface BootOptions {
  /** Program and leading arguments that start the harness. */
  readonly command: readonly string[]
  /** The home to boot. */
  readonly home: string
  readonly profile: string
  readonly env: Readonly<Record<string, string>>
  readonly timeLimitMs: number
  readonly output: Output
  readonly signal: AbortSignal
  /** Told where the web page is while it can be tried in a browser, and null when that is over. */
  readonly onScreen: ((url: string | null) => void) | null
}

/** `screen` is null when no browser tried it. `why` are the harness's own words, for a person. */
export type Boot =
  | { readonly up: true; readonly screen: { readonly up: boolean; readonly text: string } | null }
  | { readonly up: false; readonly why: readonly string[] }

/** Boots a home on a free port, and says whether its whole tree came up and stayed up. Nothing of it is left running. */
export async function bootHarness(options: BootOptions): Promise<Boot> {
  const { command, home, profile, env, output, signal } = options
  const patch = await placeSentinel(home)
  const stop = new AbortController()
  const from = output.end()
  let ended = false
  const running = runProcess({
    command: [...command, '--profile', profile, '--patch', patch, '--no-open', '--port', '0'],
    cwd: home,
    env,
    timeLimitMs: options.timeLimitMs,
    signal: AbortSignal.any([signal, stop.signal]),
    graceMs: GRACE_MS,
    onText: (stream, text) => output.write(stream, text),
  }).finally(() => {
    ended = true
  })

  let judged: Boot | null = null
  let port: number | null = null
  for (let up = 0; !ended && judged === null; await pause(POLL_MS)) {
    const report = await readReport(home)
    const isUp = report !== null && isActive(report) && (up > 0 || (await isServed(report)))
    up = isUp ? up || performance.now() : 0
    if (isUp && port === null && report.port !== null) {
      port = report.port
      options.onScreen?.(`http://127.0.0.1:${port}${FRAME_PATH}`)
    }
    if (report && up > 0) judged = judge(report, performance.now() - up, options.onScreen !== null)
  }
  if (port !== null) options.onScreen?.(null)
  stop.abort()
  const last = await readReport(home)
  await running
  const lines = output.since(from)
  output.end()
  if (judged) return judged
  return { up: false, why: lastWords(lines, last ? inactiveRows(last) : []) }
}

const isActive = (report: Report): boolean => report.rows.length > 0 && inactiveRows(report).length === 0

/** A harness without a web page has none to serve. */
async function isServed({ port }: Report): Promise<boolean> {
  if (port === null) return true
  const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2000) }).catch(() => null)
  await response?.body?.cancel()
  return response?.ok === true
}

/** Null as long as it must be waited for. */
function judge({ screen, port }: Report, upFor: number, tries: boolean): Boot | null {
  if (upFor < SETTLE_MS) return null
  if (!tries || port === null) return { up: true, screen: null }
  if (screen.up !== null) return { up: true, screen: { up: screen.up, text: screen.text } }
  return upFor < (screen.opened ? SCREEN_MS : OPEN_MS) ? null : { up: true, screen: null }
}
