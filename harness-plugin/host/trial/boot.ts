import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import type { YesNoUnknown } from '../../protocol/fit.ts'
import { type Adds, AddsSchema } from '../../protocol/jobs.ts'
import type { JobContext, TrialSettings } from '../harness/job.ts'
import type { HarnessSettings } from '../harness/running-harness.ts'
import { findProgram, type ProcessEnd, runProcess } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'
import { readPagePart } from '../profile/state.ts'
import { createFramePath, describeRow, inactiveRows, placeProbe, type Report, type Row, readReport } from './probe.ts'

const POLL_MS = 50
/**
 * Time limits in ms: for a page to open the frame of a stable tree, and for the frame to begin its watch. A browser that
 * starts has the longer one too: on a busy machine that takes more than 20 s, and a watch several times its time.
 */
const OPEN_MS = 4000
const SCREEN_MS = 60_000
const GRACE_MS = 1000
/** Time limit in ms for the harness to unload the plugins on trial, to see what they add. */
const WITHDRAW_MS = 2000
/** Time limit of the first page, in ms: a harness that is up may still be slow to serve it. */
const SERVE_MS = 10_000

/** Returns the longest time that a start can take while its page is tried, in ms. */
export const longestStartMs = (startLimitMs: number, pageMs: number): number => startLimitMs + screenMs(pageMs)
const screenMs = (pageMs: number): number => SCREEN_MS + 6 * pageMs

export interface BootOptions
  extends Pick<JobContext, 'output' | 'signal'>,
    Pick<TrialSettings, 'startLimitMs' | 'settleMs' | 'hasPage'>,
    Pick<HarnessSettings, 'command' | 'home' | 'env'> {
  readonly profile: string
  /** Packages on trial: their names on the page show that it is broken and not slow. */
  readonly plugins: readonly string[]
  /** Ids of the rows that those insert. If given, they are unloaded at the end, to see what they add to the harness. */
  readonly ownRows?: readonly string[]
  /** Arguments of the profile's own app. */
  readonly args: readonly string[]
  /** Time in which its page must stay as it came up, in ms: a broken one may be emptied a while later. */
  readonly pageMs: number
  /** Returns true if what runs is enough to judge by, so that its page need not be tried. */
  readonly isEnough?: (running: Running) => boolean
  /** Program of a browser that tries the harness's page when no page of the store is open; null for none. */
  readonly browser: string | null
  /** Called with the address of the frame page while a page of the store can try it, and with null after that. */
  readonly onScreen: (url: string | null) => void
}

/** Rows of a tree and the layers that it was started from. */
export type Running = Pick<StartedHarness, 'rows' | 'layers'>

/** Result of a harness that runs and serves its page; single rows may be inactive. */
export interface StartedHarness {
  readonly up: true
  readonly rows: readonly Row[]
  /** Layers that it started from; null if unknown. */
  readonly layers: readonly string[] | null
  /** Names of the parts that the store relies on and this harness has; null if unknown. */
  readonly parts: readonly string[] | null
  /**
   * Result of trying its web page; unknown when nobody tried it, or when it `isSilent`: a browser opened it, and it never
   * told what it shows. `text` is what a broken page shows, on one line.
   */
  readonly page: { readonly loads: YesNoUnknown; readonly text: string; readonly isSilent?: boolean }
  /** Names what it had only with the plugins on trial; missing if that was not seen. */
  readonly adds?: Adds
  /** Its output. */
  readonly lines: readonly string[]
}

export interface FailedStart {
  readonly up: false
  /** Quotes from the harness's output, for the user. */
  readonly why: readonly string[]
  /** Its output. */
  readonly lines: readonly string[]
  /** True if it never came up within the time limit of a start; false if it ended by itself. */
  readonly hung: boolean
}

export type Boot = StartedHarness | FailedStart

/** Starts the harness from a home on a free port, reads its tree once it is stable, and ends the harness. */
export async function bootHarness(options: BootOptions): Promise<Boot> {
  const { command, home, profile, env, output, signal } = options
  const framePath = createFramePath()
  const patch = await placeProbe(home, framePath, options.plugins, { pageMs: options.pageMs })
  const stop = new AbortController()
  const ending = AbortSignal.any([signal, stop.signal])
  const from = output.end()
  let end: ProcessEnd | null = null
  const running = runProcess({
    command: [...command, '--profile', profile, '--patch', patch, ...options.args],
    cwd: home,
    env,
    signal: ending,
    graceMs: GRACE_MS,
    onText: (stream, text) => output.write(stream, text),
  }).then((ended) => {
    end = ended
    return ended
  })
  const frame = createFrameTrial(options, framePath, ending)
  let started: Omit<StartedHarness, 'lines'> | null = null
  let hung = false
  let last: Report | null = null
  try {
    started = await whenStable(options, frame, () => end !== null)
    hung = started === null && end === null
    if (started && options.ownRows) {
      const adds = await readAdds(options, options.ownRows, () => end !== null || signal.aborted)
      if (adds) started = { ...started, adds }
    }
    last = await readReport(home)
  } finally {
    // Also after an error, so that nothing of the trial keeps running.
    stop.abort()
    await running
    await frame.close()
  }
  const { code } = await running
  const lines = output.since(from)
  output.end()
  if (started) return { ...started, lines }
  // Skip the row that loads all others, because it waits with them.
  const waiting = inactiveRows(last?.rows ?? []).filter(({ name }) => !name.startsWith('cordis:'))
  const why = findStartupError(lines, waiting.map(describeRow))
  // A harness that ended by itself without output has only an exit code.
  return { up: false, why: why.length > 0 || hung ? why : [`exit code ${code}`], lines, hung }
}

/** Reads the probe's reports until the tree is stable and its page was tried; null if it ends first, or takes too long. */
async function whenStable(
  { home, startLimitMs, settleMs, isEnough }: BootOptions,
  frame: ReturnType<typeof createFrameTrial>,
  hasEnded: () => boolean,
): Promise<Omit<StartedHarness, 'lines'> | null> {
  let startBy = performance.now() + startLimitMs
  /** First report since which no row changed. */
  let settled: Report | null = null
  let stableAt: number | null = null
  for (; !hasEnded(); await pause(POLL_MS)) {
    const report = await readReport(home)
    if (!report?.loaded || report.rows.length === 0) settled = null
    else if (settled === null || statesOf(report) !== statesOf(settled))
      settled = (await isServed(report)) ? report : null
    if (settled?.port) frame.open(settled.port)
    // Use the harness's own clock: while it hangs or gets no CPU time, it does not count as stable.
    if (report && settled && report.at - settled.at >= settleMs) {
      stableAt ??= performance.now()
      // It came up: if a row changes while the page is tried, it has the whole time again.
      startBy = performance.now() + startLimitMs
      const { rows, layers, parts = null } = report
      const page = isEnough?.(report) ? { loads: 'unknown' as const, text: '' } : frame.result(report, stableAt)
      if (page !== null) return { up: true, rows, layers, parts, page }
    } else if (performance.now() > startBy) return null
  }
  return null
}

/** Has the probe unload the plugins on trial. @returns what the harness no longer has after that; null if it cannot be seen */
async function readAdds(
  options: BootOptions,
  ownRows: readonly string[],
  hasEnded: () => boolean,
): Promise<Adds | null> {
  const { home } = options
  await writeFile(join(home, 'withdraw.json'), JSON.stringify(ownRows))
  const by = performance.now() + WITHDRAW_MS
  for (; !hasEnded() && performance.now() < by; await pause(POLL_MS)) {
    const report = await readReport(home)
    if (report?.adds === null) continue
    if (!report?.adds) return null
    const settings = await ownPages(report, options)
    return v.parse(AddsSchema, { ...report.adds, ...(settings && { settings }) })
  }
  return null
}

/** Returns the labels of the pages in Settings whose functions are in the files of the plugins on trial; null if unknown. */
async function ownPages({ screen }: Report, { home, profile, plugins }: BootOptions): Promise<string[] | null> {
  if (screen.settings === null) return null
  const parts = await Promise.all(plugins.map((name) => readPagePart(profileDirectory(home, profile), name)))
  const isOwn = (code: string) => parts.some((part) => part?.source?.includes(code))
  return screen.settings.filter(({ code }) => code.length > 0 && code.every(isOwn)).map(({ label }) => label)
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
    // A harness that does not answer in time does not serve its page.
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

/**
 * Lets an open page of the store, or else a browser, load the page that tries the harness's page in a frame.
 *
 * @param path path of that page
 * @param signal ends the browser
 */
function createFrameTrial(options: BootOptions, path: string, signal: AbortSignal) {
  const { onScreen, hasPage, browser, home, env, pageMs } = options
  let url: string | null = null
  let hasBrowser = false
  let openedAt = Number.NEGATIVE_INFINITY
  let browsing: Promise<void> | null = null
  return {
    /** Called until the page was tried: the user may close the page of the store before that. */
    open(port: number): void {
      if (url === null) {
        url = `http://127.0.0.1:${port}${path}`
        onScreen(url)
      }
      if (browser === null || browsing !== null || hasPage()) return
      hasBrowser = true
      openedAt = performance.now()
      // Without a browser, the page stays unknown.
      const onEnd = () => {
        hasBrowser = false
      }
      browsing = openInBrowser(url, { browser, home, env, signal }).then(onEnd, onEnd)
    },
    /** Returns what is known of the harness's page; null while somebody may try it. @param stableAt when the tree became stable */
    result({ screen, port }: Report, stableAt: number): StartedHarness['page'] | null {
      if (screen.up !== null)
        return {
          loads: screen.up ? 'yes' : 'no',
          text: screen.text
            .trim()
            .replace(/\s*\n\s*/g, ' · ')
            .replace(/\s+/g, ' '),
        }
      // Its page may have been closed since the last call of `open`: the next one starts the browser.
      const isWaiting = hasPage() || (browser !== null && browsing === null)
      const isTried = port !== null && !screen.refused && (screen.opened || hasBrowser || isWaiting)
      const limitMs = screen.opened || hasBrowser ? screenMs(pageMs) : OPEN_MS
      if (isTried && performance.now() - Math.max(stableAt, openedAt) < limitMs) return null
      const isSilent = screen.opened && !screen.refused
      return { loads: 'unknown', text: isSilent ? 'The page does not answer.' : '', isSilent }
    },
    async close(): Promise<void> {
      await browsing
      if (url !== null) onScreen(null)
    },
  }
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

/** Returns true if a line names a package, and not only a longer name that it begins. */
export const isNamed = (line: string, name: string): boolean =>
  new RegExp(`(?:^|[^\\w@/.-])${name.replaceAll('.', '\\.')}(?![\\w-])`).test(line)

/** Names of browsers that can run without a window, on Linux, macOS and Windows. */
const PROGRAMS = [
  ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge', 'brave-browser'],
  ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const folder = process.env[name]
    return folder
      ? [`${folder}\\Google\\Chrome\\Application\\chrome.exe`, `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`]
      : []
  }),
].flat()

type Environment = Readonly<Record<string, string>>

/** Finds a browser on this machine that can load a page without a window. */
export async function findBrowser(env: Environment): Promise<string | null> {
  for (const name of PROGRAMS) {
    const path = await findProgram(name, env)
    if (path !== null) return path
  }
  return null
}

interface BrowserOptions {
  readonly browser: string
  /** Folder for its own data, so that the user's browser data stay untouched. */
  readonly home: string
  readonly env: Environment
  readonly signal: AbortSignal
}

/** Loads a page in a browser without a window until the signal is aborted. */
export async function openInBrowser(url: string, { browser, home, env, signal }: BrowserOptions): Promise<void> {
  const data = join(home, 'browser')
  await mkdir(data, { recursive: true })
  // For its socket, whose path would be too long in the trial's own temporary folder. It leaves the socket's folder.
  const temporary = await mkdtemp(join(tmpdir(), 'pm-'))
  // Chromium refuses to run as root with its sandbox. The plugin's host part runs with the same rights.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const quiet = [
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--mute-audio',
  ]
  await runProcess({
    command: [browser, '--headless', ...sandbox, ...quiet, '--window-size=1280,800', `--user-data-dir=${data}`, url],
    cwd: home,
    env: { ...env, TMPDIR: temporary },
    signal,
    graceMs: 500,
    onText: () => {},
  }).finally(() => rm(temporary, { recursive: true, force: true, maxRetries: 3 }))
}
