import { setTimeout as pause } from 'node:timers/promises'
import type { Output } from '../jobs/output.ts'
import { runProcess } from '../jobs/process.ts'
import { FRAME_PATH } from './frame.ts'
import { lastWords } from './last-words.ts'
import { inactiveRows, placeSentinel, type Report, readReport } from './sentinel.ts'

const POLL_MS = 50
/** How long a tree must stay up, by its own clock: some plugins end the harness a while after it answered. */
const SETTLE_MS = 2000
/** How long a page has to open the frame once the tree stayed up, and the frame to come to a judgement. */
const OPEN_MS = 4000
const SCREEN_MS = 30_000
const GRACE_MS = 1000
/** A harness that is up may still be slow to serve its first page. */
const SERVE_MS = 10_000

export interface BootOptions {
  /** Program and leading arguments that start the harness. */
  readonly command: readonly string[]
  /** The home to boot. */
  readonly home: string
  readonly profile: string
  /** Arguments of the profile's own app. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** How long its tree may take to come up and stay up. */
  readonly startLimitMs: number
  /** How long it may run at all. */
  readonly timeLimitMs: number
  readonly output: Output
  readonly signal: AbortSignal
  /** Whether a page is open that can try the harness's own. */
  readonly hasPage: () => boolean
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
    command: [...command, '--profile', profile, '--patch', patch, ...options.args],
    cwd: home,
    env,
    timeLimitMs: options.timeLimitMs,
    signal: AbortSignal.any([signal, stop.signal]),
    graceMs: GRACE_MS,
    onText: (stream, text) => output.write(stream, text),
  }).finally(() => {
    ended = true
  })

  const startBy = performance.now() + options.startLimitMs
  let judged: Boot | null = null
  let port: number | null = null
  /** What was reported when all rows were up, as they have been since. */
  let up: Report | null = null
  let stayedAt: number | null = null
  for (; !ended && judged === null; await pause(POLL_MS)) {
    const report = await readReport(home)
    if (report === null || !isActive(report)) up = null
    else if (up !== null || (await isServed(report))) up ??= report
    if (up !== null && port === null && report?.port != null) {
      port = report.port
      options.onScreen?.(`http://127.0.0.1:${port}${FRAME_PATH}`)
    }
    // A harness that gets no time, or hangs, reports none: only what it lived through counts.
    if (report && up && report.at - up.at >= SETTLE_MS) {
      stayedAt ??= performance.now()
      judged = judge(report, performance.now() - stayedAt, options)
    } else if (performance.now() > startBy) break
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
  const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(SERVE_MS) }).catch(() => null)
  await response?.body?.cancel()
  return response?.ok === true
}

/** Null as long as a page must be waited for. */
function judge({ screen, port }: Report, waited: number, { onScreen, hasPage }: BootOptions): Boot | null {
  if (screen.up !== null) return { up: true, screen: { up: screen.up, text: screen.text } }
  const isTried = onScreen !== null && port !== null && (screen.opened || hasPage())
  return isTried && waited < (screen.opened ? SCREEN_MS : OPEN_MS) ? null : { up: true, screen: null }
}
