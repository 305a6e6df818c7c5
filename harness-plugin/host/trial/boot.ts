import { setTimeout as pause } from 'node:timers/promises'
import type { Output } from '../harness/output.ts'
import { type ProcessEnd, runProcess } from '../process/run.ts'
import { openInBrowser } from './browser.ts'
import { createFramePath, describeRow, inactiveRows, placeProbe, type Report, type Row, readReport } from './probe.ts'

/** Arguments of the web app: use any free port, and open no browser. */
export const WEB_ARGS: readonly string[] = ['--no-open', '--port', '0']

const POLL_MS = 50
/**
 * Time limits in ms: for a page to open the frame of a stable tree, for a browser to start, and for the frame to
 * report.
 */
const OPEN_MS = 4000
const BROWSER_MS = 20_000
const SCREEN_MS = 60_000
const GRACE_MS = 1000
/** Time limit of the first page, in ms: a harness that is up may still be slow to serve it. */
const SERVE_MS = 10_000

export interface BootOptions {
  /** Program and leading arguments that start the harness. */
  readonly command: readonly string[]
  /** Home to start from. */
  readonly home: string
  readonly profile: string
  /** Packages on trial: their names on the page show that it is broken and not slow. */
  readonly plugins: readonly string[]
  /** Arguments of the profile's own app. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Time limit for the tree to come up and be stable, in ms. */
  readonly startLimitMs: number
  /**
   * Time without changes of the tree, in ms of its own clock: some plugins end the harness a while after it answered.
   */
  readonly settleMs: number
  /** Time at which the harness is ended, by `performance.now()`. */
  readonly deadline: number
  readonly output: Output
  readonly signal: AbortSignal
  /** Returns true if a page of the store is open, which can try the harness's page. */
  readonly hasPage: () => boolean
  /** Program of a browser that tries the harness's page when no page of the store is open; null for none. */
  readonly browser: string | null
  /** Called with the address of the frame page while a browser can try it, and with null after that. */
  readonly onScreen: ((url: string | null) => void) | null
}

/** Result of a harness that runs and serves its page; single rows may be inactive. */
export interface Started {
  readonly up: true
  readonly rows: readonly Row[]
  /** Bundles that it started from; null if unknown. */
  readonly bundles: readonly string[] | null
  /** Null when no browser tried its page. */
  readonly screen: { readonly up: boolean; readonly text: string } | null
  /** Its output. */
  readonly lines: readonly string[]
}

export interface NotStarted {
  readonly up: false
  /** Quotes from the harness's output, for a person. */
  readonly why: readonly string[]
  /** True if it was ended at the time limit of a start; false if it ended by itself. */
  readonly hung: boolean
}

export type Boot = Started | NotStarted

/** Starts the harness from a home on a free port, reads its tree once it is stable, and ends the harness. */
export async function bootHarness(options: BootOptions): Promise<Boot> {
  const { command, home, profile, env, output, signal } = options
  const framePath = createFramePath()
  const patch = await placeProbe(home, framePath, options.plugins)
  const stop = new AbortController()
  const from = output.end()
  let ended = false
  const running: Promise<ProcessEnd> = runProcess({
    command: [...command, '--profile', profile, '--patch', patch, ...options.args],
    cwd: home,
    env,
    deadline: options.deadline,
    signal: AbortSignal.any([signal, stop.signal]),
    graceMs: GRACE_MS,
    onText: (stream, text) => output.write(stream, text),
  }).finally(() => {
    ended = true
  })

  const startBy = performance.now() + options.startLimitMs
  let judged: Omit<Started, 'lines'> | null = null
  let shown = false
  let browsing: Promise<void> | null = null
  let hasBrowser = false
  /** First report since which no row changed. */
  let settled: Report | null = null
  let stayedAt: number | null = null
  for (; !ended && judged === null; await pause(POLL_MS)) {
    const report = await readReport(home)
    if (!report?.loaded || report.rows.length === 0) settled = null
    else if (settled === null || statesOf(report) !== statesOf(settled))
      settled = (await isServed(report)) ? report : null
    if (settled?.port && !shown) {
      shown = true
      const url = `http://127.0.0.1:${settled.port}${framePath}`
      options.onScreen?.(url)
      const { browser, deadline } = options
      if (options.onScreen && browser !== null && !options.hasPage()) {
        hasBrowser = true
        const signal = AbortSignal.any([options.signal, stop.signal])
        browsing = openInBrowser(url, { browser, home, env, deadline, signal }).finally(() => {
          hasBrowser = false
        })
      }
    }
    // Use the harness's own clock: while it hangs or gets no CPU time, it does not count as stable.
    if (report && settled && report.at - settled.at >= options.settleMs) {
      stayedAt ??= performance.now()
      judged = judge(report, performance.now() - stayedAt, { ...options, hasBrowser })
    } else if (performance.now() > startBy) break
  }
  if (shown) options.onScreen?.(null)
  const hung = !ended && judged === null
  stop.abort()
  const last = await readReport(home)
  const [{ code }] = await Promise.all([running, browsing])
  const lines = output.since(from)
  output.end()
  if (judged) return { ...judged, lines }
  // Skip the row that loads all others, because it waits with them.
  const waiting = inactiveRows(last?.rows ?? []).filter(({ name }) => !name.startsWith('cordis:'))
  const why = findStartupError(lines, waiting.map(describeRow))
  // A harness that ended by itself without output has only an exit code.
  return { up: false, why: why.length > 0 || hung ? why : [`exit code ${code}`], hung }
}

const statesOf = ({ rows }: Report): string => rows.map(({ disabled, state }) => `${disabled}${state}`).join()

/**
 * Returns true if the harness serves its page to a browser, or has no web page. Since 0.1.2 the address has a token,
 * and its answer sets a cookie and redirects to the page.
 */
async function isServed({ entrance }: Report): Promise<boolean> {
  if (entrance === null) return true
  const get = async (url: string | URL, headers: Record<string, string>) => {
    const signal = AbortSignal.timeout(SERVE_MS)
    const response = await fetch(url, { redirect: 'manual', headers, signal }).catch(() => null)
    await response?.body?.cancel()
    return response
  }
  const entered = await get(entrance, {})
  const location = entered?.headers.get('location')
  if (!entered || location == null) return entered?.ok === true
  const cookie = entered.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
  return (await get(new URL(location, entrance), { cookie }))?.ok === true
}

/** Returns the result of a stable harness; null while a browser may still try its page. */
function judge(
  { screen, port, rows, bundles }: Report,
  waited: number,
  { onScreen, hasPage, hasBrowser }: BootOptions & { readonly hasBrowser: boolean },
): Omit<Started, 'lines'> | null {
  const up = { up: true, rows, bundles } as const
  if (screen.up !== null) return { ...up, screen: { up: screen.up, text: screen.text } }
  const isTried = onScreen !== null && port !== null && !screen.refused && (screen.opened || hasBrowser || hasPage())
  const limit = screen.opened ? SCREEN_MS : hasBrowser ? BROWSER_MS : OPEN_MS
  return isTried && waited < limit ? null : { ...up, screen: null }
}

/** Most lines below the error; the job's output has all of them. */
const MAX_DETAILS = 2
const MAX_LINE_LENGTH = 300

/**
 * Finds the reason why a harness did not start: the first error in its output and the lines below it, before the stack;
 * otherwise the rows that it waits for. Returns no lines when it ended without output.
 *
 * @param waiting rows that are not active
 */
export function findStartupError(lines: readonly string[], waiting: readonly string[]): string[] {
  const error = lines.findIndex((line) => /^(?:Uncaught )?\w*Error: |^\S+: .*\b(?:fatal|failed)\b/.test(line))
  if (error < 0) return waiting.slice(-MAX_DETAILS)
  const rest = lines.slice(error + 1)
  const end = rest.findIndex((line) => !/^\S+: /.test(line) || /^\w*Error: /.test(line))
  const details = rest.slice(0, Math.min(end < 0 ? rest.length : end, MAX_DETAILS))
  return [lines[error] ?? '', ...details].map((line) => line.slice(0, MAX_LINE_LENGTH))
}
