import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import type { YesNoUnknown } from '../../protocol/fit.ts'
import { type Adds, AddsSchema } from '../../protocol/jobs.ts'
import type { Output } from '../harness/output.ts'
import { RELIED_ON } from '../harness/reliances.ts'
import { findProgram, type ProcessEnd, runProcess } from '../process/run.ts'
import { profileDirectory } from '../profile/home.ts'
import { readPagePart } from '../profile/state.ts'

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
/** Time that the page of a trial is watched, in ms, and that of who has more time than somebody who waits for an install. */
export const PAGE_MS = 1000
export const LONG_PAGE_MS = 10_000
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
  /** Ids of the rows that those insert. If given, they are unloaded at the end, to see what they add to the harness. */
  readonly ownRows?: readonly string[]
  /** Arguments of the profile's own app. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Time limit for the tree to come up and be stable, in ms. */
  readonly startLimitMs: number
  /**
   * Time without changes of the tree, in ms of its own clock: some plugins end the harness a while after it answered.
   */
  readonly settleMs: number
  /** Time in which its page must stay as it came up, in ms: a broken one may be emptied a while later. */
  readonly pageMs: number
  readonly output: Output
  readonly signal: AbortSignal
  /** Returns true if a page of the store is open, which can try the harness's page. */
  readonly hasPage: () => boolean
  /** Program of a browser that tries the harness's page when no page of the store is open; null for none. */
  readonly browser: string | null
  /** Called with the address of the frame page while a page of the store can try it, and with null after that. */
  readonly onScreen: (url: string | null) => void
}

/** Result of a harness that runs and serves its page; single rows may be inactive. */
export interface Started {
  readonly up: true
  readonly rows: readonly Row[]
  /** Layers that it started from; null if unknown. */
  readonly layers: readonly string[] | null
  /** Names of the parts that the store relies on and this harness has; null if unknown. */
  readonly parts: readonly string[] | null
  /** Result of trying its web page; unknown when nobody tried it. `text` is what a broken page shows. */
  readonly page: { readonly loads: YesNoUnknown; readonly text: string }
  /** What it had only with the plugins on trial; missing if that was not seen. */
  readonly adds?: Adds
  /** Its output. */
  readonly lines: readonly string[]
}

export interface NotStarted {
  readonly up: false
  /** Quotes from the harness's output, for a person. */
  readonly why: readonly string[]
  /** Its output. */
  readonly lines: readonly string[]
  /** True if it never came up within the time limit of a start; false if it ended by itself. */
  readonly hung: boolean
}

export type Boot = Started | NotStarted

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
  let started: Omit<Started, 'lines'> | null = null
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
  { home, startLimitMs, settleMs }: BootOptions,
  frame: ReturnType<typeof createFrameTrial>,
  hasEnded: () => boolean,
): Promise<Omit<Started, 'lines'> | null> {
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
      const page = frame.result(report, performance.now() - stableAt)
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
    const { settings } = v.parse(AddsSchema, { ...report.adds, settings: await ownPages(report, options) })
    return { ...report.adds, settings }
  }
  return null
}

/** Returns the labels of the pages in Settings whose functions are in the files of the plugins on trial. */
async function ownPages({ screen }: Report, { home, profile, plugins }: BootOptions): Promise<string[]> {
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
  let isOpen = false
  let hasBrowser = false
  let browsing: Promise<void> | null = null
  return {
    open(port: number): void {
      if (isOpen) return
      isOpen = true
      const url = `http://127.0.0.1:${port}${path}`
      onScreen(url)
      if (browser === null || hasPage()) return
      hasBrowser = true
      // Without a browser, the page stays unknown.
      const onEnd = () => {
        hasBrowser = false
      }
      browsing = openInBrowser(url, { browser, home, env, signal }).then(onEnd, onEnd)
    },
    /** Returns what is known of the harness's page; null while somebody may try it. @param waitedMs since the tree is stable */
    result({ screen, port }: Report, waitedMs: number): Started['page'] | null {
      if (screen.up !== null) return { loads: screen.up ? 'yes' : 'no', text: screen.text }
      const isTried = port !== null && !screen.refused && (screen.opened || hasBrowser || hasPage())
      const limitMs = screen.opened || hasBrowser ? SCREEN_MS + 6 * pageMs : OPEN_MS
      return isTried && waitedMs < limitMs ? null : { loads: 'unknown', text: '' }
    },
    async close(): Promise<void> {
      await browsing
      if (isOpen) onScreen(null)
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

/** States of a row, by the number of its fiber's state. Source: cordis 4.0.1, and observed on 0.2.1-rc.2. */
const STATES = ['pending', 'loading', 'active', 'failed', 'disposed', 'unloading'] as const

/** Placeholder in the page for the harness's address with a token, which exists only once the harness listens. */
const ENTRANCE = '{{entrance}}'

/**
 * Creates the path of the page that tries the browser half, on the trial's own port. The path gives access to that
 * harness, so it is random.
 */
export const createFramePath = (): string => `/plugmark-trial-${randomBytes(16).toString('hex')}`

const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/**
 * Returns a page that shows the harness's page in a frame and watches it from outside, where no plugin can break it. A
 * broken browser half leaves text and no control, because the harness replaces its whole page with an error; a page
 * that names no plugin, or still loads scripts, may only be slow. The page posts `{up, text, settings}`. `up` is null if
 * the browser does not send the harness's cookie from a frame, so that the harness refuses its page with plain text.
 *
 * @param entrance address of the harness's page, with its token
 * @param plugins packages on trial
 * @param pageMs time in which a page that came up must stay so, in ms
 */
export const framePage = (entrance: string, plugins: readonly string[], pageMs: number): string => `<!doctype html>
<title>Trial</title>
<iframe width="1280" height="800" style="border: 0"></iframe>
<script>
  const frame = document.querySelector('iframe')
  frame.src = ${inScript(entrance)}
  const plugins = ${inScript(plugins)}
  const post = (body) => fetch(location.pathname, { method: 'POST', body: JSON.stringify(body) })
  const controls = 'button, input, textarea, select, a[href]'
  const isNamed = (text) => plugins.some((name) => text.includes(name))
  const settleMs = (up, text) => (up ? ${pageMs} : wasUpAt !== null || isNamed(text) ? 6000 : 20_000)
  // React holds the page's registry of its places above the root of them (0.1.0-rc.8 to 0.2.1-rc.2). It does not tell
  // who registered a place, but the file of a plugin has the beginnings of its functions. The host takes no long report.
  const settingsOf = (page) => {
    try {
      const root = page.querySelector('[data-slot="root"]')
      let fiber = root[Object.keys(root).find((key) => key.startsWith('__reactFiber$'))]
      while (!fiber.memoizedProps?.value?.entriesOf) fiber = fiber.return
      const entries = fiber.memoizedProps.value.entriesOf('settings.section').slice(0, 20)
      return entries.map(({ component, options: { label } }) => ({
        label: String(typeof label === 'function' ? label() : label).slice(0, 40),
        code: [component.type ?? component.render ?? component, label]
          .filter((part) => typeof part === 'function')
          .map((part) => String(part).slice(0, 150)),
      }))
    } catch {
      return []
    }
  }
  let wasUpAt = null
  let seen = ''
  let since = performance.now()
  // Counted in looks and not by a clock: where the machine gives the page no time, it stays longer under watch.
  let steadyMs = 0
  let loadingMs = 0
  const watch = setInterval(() => {
    const { body, contentType } = frame.contentDocument ?? {}
    const up = body?.querySelector(controls) != null
    const text = (body?.innerText ?? '').trim()
    const resources = frame.contentWindow?.performance.getEntriesByType('resource') ?? []
    const scripts = resources.filter(({ initiatorType }) => initiatorType === 'script').length
    const loaded = new Set(resources.map(({ name }) => name))
    // A slow harness serves the plugins' scripts long after its own. One that never comes is not waited for.
    const isLoading = loadingMs < 20_000 && [...(frame.contentDocument?.scripts ?? [])].some(({ src }) => src && !loaded.has(src))
    if (isLoading) loadingMs += 100
    const now = scripts + (up ? 'up' : text)
    if (now === seen && !isLoading) steadyMs += 100
    else [since, steadyMs] = [performance.now(), 0]
    if (up) wasUpAt ??= since
    seen = now
    const refused = contentType === 'text/plain'
    if (!refused && steadyMs < settleMs(up, text)) return
    clearInterval(watch)
    const emptied = 'The page was there, and empty ' + Math.round((since - wasUpAt) / 1000) + ' s later.'
    const shown = up ? '' : text.slice(0, 300) || (wasUpAt === null ? '' : emptied)
    post({ up: refused ? null : up, text: shown, settings: up ? settingsOf(frame.contentDocument) : [] })
  }, 100)
</script>`

/**
 * Returns the source of a plugin that reports the state of the tree from inside. It cannot be seen from outside: the
 * harness prints the line with its address before a plugin that waits for a missing service ends it, and the line can
 * be forged. Every 50 ms the plugin writes the state of the rows, and the report of the frame, to a file beside itself.
 */
const probeSource = (framePath: string, plugins: readonly string[], pageMs: number, host: number | null): string => `
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
export const name = 'plugmark-trial'
export const inject = ['loader']
export function apply(ctx) {
  const report = new URL('report.json', import.meta.url)
  const screen = { opened: false, refused: false, up: null, text: '', settings: [] }
  let loaded = false
  const onLoaded = () => { loaded = true }
  Promise.resolve(ctx.loader.await?.()).then(onLoaded, onLoaded)
  const entrance = (host) => {
    const url = 'http://' + host + '/'
    return ctx.get('connection')?.authenticatedUrl?.(url) ?? url
  }
  const rows = () => [...ctx.loader.entries()].map((entry) => ({
    id: String(entry.options.id ?? ''),
    name: String(entry.options.name),
    disabled: Boolean(entry.disabled),
    state: entry.fiber?.state ?? 0,
  }))
  const has = (name) => {
    try {
      const [service, ...path] = name.split('.')
      return path.reduce((value, key) => value?.[key], ctx.get(service)) != null
    } catch {
      return false
    }
  }
  // Names alone: a harness does not say who registered them, so they are read with the plugins and after unloading them.
  const named = (list) => (list ?? []).map(({ name }) => String(name))
  const offered = () => ({
    commands: named(ctx.get('commands')?.list?.()),
    tools: named(ctx.get('tools')?.schemas?.()),
  })
  const isOwn = ({ id, name }, ids) =>
    ids.includes(id) || ${JSON.stringify(plugins)}.some((plugin) => name === plugin || String(name).startsWith(plugin + '/'))
  let adds = null
  let withdrawing = false
  const withdraw = async () => {
    if (withdrawing) return
    let ids
    try {
      ids = JSON.parse(readFileSync(new URL('withdraw.json', import.meta.url), 'utf8'))
    } catch {
      return
    }
    withdrawing = true
    try {
      const before = offered()
      const own = [...ctx.loader.entries()].filter(({ options }) => isOwn(options, ids))
      await Promise.all(own.map(({ fiber }) => fiber?.dispose()))
      const after = offered()
      const gone = (kind) => before[kind].filter((name) => !after[kind].includes(name))
      adds = { commands: gone('commands'), tools: gone('tools') }
    } catch {
      adds = { commands: [], tools: [] }
    }
  }
  // An error in a timer would end the harness. On Windows a file that the store reads cannot be replaced: the next tick can.
  const write = () => {
    try {
      writeReport()
    } catch {}
    void withdraw()
  }
  const writeReport = () => {
    const port = ctx.get('webServer')?.port ?? null
    const part = new URL('report.part', import.meta.url)
    writeFileSync(part, JSON.stringify({
      at: performance.now(), loaded, rows: rows(), port, screen, adds,
      entrance: port === null ? null : String(entrance('127.0.0.1:' + port)),
      layers: ctx.get('profileContext')?.startedBundles ?? null,
      parts: loaded ? ${JSON.stringify(RELIED_ON)}.filter(has) : null,
    }), { mode: 0o600 })
    renameSync(part, report)
  }
  const host = ${host}
  const isHostGone = () => {
    try {
      return host !== null && !process.kill(host, 0)
    } catch (error) {
      return error.code === 'ESRCH'
    }
  }
  const tick = setInterval(() => isHostGone() ? process.exit(1) : write(), 50)
  ctx.effect(() => () => clearInterval(tick))
  ctx.inject(['webServer'], (ctx) => ctx.effect(() => ctx.webServer.register({
    kind: 'exact',
    path: ${JSON.stringify(framePath)},
    handler(request, response) {
      response.setHeader('cache-control', 'no-store')
      const { host, origin } = request.headers
      // Accept no other host name: a web site could make its own name point here.
      if (!['127.0.0.1', 'localhost'].some((name) => host === name + ':' + ctx.webServer.port)) return void response.writeHead(403).end()
      if (request.method === 'GET') {
        screen.opened = true
        response.setHeader('content-type', 'text/html; charset=utf-8')
        return void response.end(${JSON.stringify(framePage(ENTRANCE, plugins, pageMs))}.replace(${JSON.stringify(ENTRANCE)}, () => entrance(host)))
      }
      if (origin !== 'http://' + host) return void response.writeHead(403).end()
      let text = ''
      request.on('data', (chunk) => { if (text.length < 16_384) text += chunk })
      request.on('end', () => {
        try {
          const { up, text: shown, settings } = JSON.parse(text)
          if (up === null) screen.refused = true
          if (typeof up === 'boolean' && screen.up === null)
            Object.assign(screen, { up, text: String(shown), settings })
        } catch {}
        response.end()
      })
    },
  })))
}
`

const RowSchema = v.object({ id: v.string(), name: v.string(), disabled: v.boolean(), state: v.number() })
/** A row of the running tree. */
export type Row = v.InferOutput<typeof RowSchema>

const ReportSchema = v.object({
  /** Time of the report by the harness's own clock, in ms. */
  at: v.number(),
  /** True if the harness has loaded every row of its tree that can be loaded. */
  loaded: v.boolean(),
  rows: v.array(RowSchema),
  port: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))),
  /** Address of the harness's page, with its token; null if there is no page. */
  entrance: v.nullable(v.pipe(v.string(), v.startsWith('http://127.0.0.1:'))),
  /** Layers that the harness started from; null if unknown (before 0.2). */
  layers: v.nullable(v.array(v.string())),
  /** Names of the parts that the store relies on and this harness has; null before it has loaded. */
  parts: v.optional(v.nullable(v.array(v.string()))),
  /** What the plugins on trial added; null before they were unloaded. */
  adds: v.optional(v.nullable(AddsSchema)),
  screen: v.object({
    opened: v.boolean(),
    /** True if the harness refused its page in a frame. */
    refused: v.boolean(),
    up: v.nullable(v.boolean()),
    text: v.pipe(v.string(), v.maxLength(1000)),
    /** Pages in Settings, each with the beginnings of its functions. */
    settings: v.fallback(v.array(v.object({ label: v.string(), code: v.array(v.string()) })), []),
  }),
})
export type Report = v.InferOutput<typeof ReportSchema>

/**
 * Writes the probe and its patch into a home.
 *
 * @param plugins packages on trial
 * @param given.pageMs time in which a page that came up must stay so, in ms
 * @param given.host process with which the harness ends, because nothing else can find it later; null where
 *   `endOrphanedProcesses` finds it
 * @returns the patch file that adds the probe to a tree
 */
export async function placeProbe(
  home: string,
  framePath: string,
  plugins: readonly string[],
  {
    pageMs = PAGE_MS,
    host = process.platform === 'win32' ? process.pid : null,
  }: { readonly pageMs?: number; readonly host?: number | null } = {},
): Promise<string> {
  const [plugin, patch] = [join(home, 'probe.mjs'), join(home, 'probe.yml')]
  // The report and the request of an earlier start.
  await rm(join(home, 'report.json'), { force: true })
  await rm(join(home, 'withdraw.json'), { force: true })
  // The source contains the secret path.
  await writeFile(plugin, probeSource(framePath, plugins, pageMs, host), { mode: 0o600 })
  const row = { id: 'plugmark-trial', name: pathToFileURL(plugin).href }
  // Every JSON text is valid YAML.
  await writeFile(patch, JSON.stringify([{ insert: [row] }]))
  return patch
}

/** Returns the probe's last report; null before the first. */
export async function readReport(home: string): Promise<Report | null> {
  try {
    return v.parse(ReportSchema, JSON.parse(await readFile(join(home, 'report.json'), 'utf8')))
  } catch {
    // Also while it is being written.
    return null
  }
}

export const isActive = ({ disabled, state }: Row): boolean => !disabled && STATES[state] === 'active'

/** Returns the enabled rows that do not run. */
export const inactiveRows = (rows: readonly Row[]): Row[] => rows.filter((row) => !row.disabled && !isActive(row))

/** Returns true if a line names a package, and not only a longer name that it begins. */
export const isNamed = (line: string, name: string): boolean =>
  new RegExp(`(?:^|[^\\w@/.-])${name.replaceAll('.', '\\.')}(?![\\w-])`).test(line)

/** Describes a row and its state, for a person. */
export const describeRow = ({ name, disabled, state }: Pick<Row, 'name' | 'disabled' | 'state'>): string =>
  `${name}: ${disabled ? 'disabled' : (STATES[state] ?? state)}`

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
  /** Folder for its own data, so that the person's browser data stay untouched. */
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
