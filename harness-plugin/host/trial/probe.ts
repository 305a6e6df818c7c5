import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import { AddsSchema } from '../../protocol/jobs.ts'
import { RELIED_ON } from '../harness/reliances.ts'

// Two programs that a trial places into the copy of a home: a page that watches the harness's page in a frame, and a
// plugin, the probe, which serves that page and reports both it and the tree.

/** Time that the page of a trial is watched, in ms: while the user waits for a job, and in a check or a repair. */
export const PAGE_MS = 1000
export const LONG_PAGE_MS = 10_000

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
 * broken browser half leaves text and no control, because the harness replaces its whole page with an error, or it leaves
 * nothing; a page that names no plugin, or still loads scripts, may only be slow. The error with which the harness gives
 * its page up is the end of it, and is reported at once. The page posts `{up, text, settings}`.
 * `up` is null if the browser does not send the harness's cookie from a frame, so that the harness refuses its page with
 * plain text.
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
  const controls = ':is(button, input, textarea, select, a[href])'
  const popUps = ':is(dialog, [role="dialog"], [role="alertdialog"], [role="alert"], [role="menu"])'
  const isNamed = (text) => plugins.some((name) => text.includes(name))
  // Written once no part of the page is awaited any more (0.1.0-rc.8 to 0.2.1-rc.2).
  const isGivenUp = (text) => /^HARNESS\\s+Failed to load plugins[^]*(did not activate|failed to [a-z]+ loader entry)/.test(text)
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
      return null
    }
  }
  let wasUpAt = null
  // The harness opens dialogs beside its page, also when a plugin has emptied that.
  let wasThere = false
  let seen = ''
  let since = performance.now()
  // Counted in looks and not by a clock: where the machine gives the page no time, it stays longer under watch.
  let steadyMs = 0
  let loadingMs = 0
  const watch = setInterval(() => {
    const { body, contentType } = frame.contentDocument ?? {}
    const has = (selector) => body?.querySelector(selector) != null
    const isThere = has(controls + ':not(' + popUps + ' *)')
    wasThere ||= isThere
    const up = isThere || (!wasThere && has(controls))
    const text = !up && has(controls) ? '' : (body?.innerText ?? '').trim()
    const timing = frame.contentWindow?.performance
    timing?.setResourceTimingBufferSize(10_000)
    const resources = timing?.getEntriesByType('resource') ?? []
    const scripts = resources.filter(({ initiatorType }) => initiatorType === 'script').length
    const loaded = new Set(resources.map(({ name }) => name))
    // A slow harness serves the plugins' scripts long after its own. One that never comes is not waited for.
    const isLoading = loadingMs < 20_000 && [...(frame.contentDocument?.scripts ?? [])].some(({ src }) => src.startsWith('http') && !loaded.has(src))
    if (isLoading) loadingMs += 100
    const now = scripts + (up ? 'up' : text)
    if (now === seen && !isLoading) steadyMs += 100
    else [since, steadyMs] = [performance.now(), 0]
    if (up) wasUpAt ??= since
    seen = now
    const refused = contentType === 'text/plain'
    if (!refused && (up || !isGivenUp(text)) && steadyMs < settleMs(up, text)) return
    clearInterval(watch)
    const emptied = 'The page was there, and empty ' + Math.round((since - wasUpAt) / 1000) + ' s later.'
    const shown = up ? '' : text.slice(0, 300) || (wasUpAt === null ? '' : emptied)
    post({ up: refused ? null : up, text: shown, settings: up ? settingsOf(frame.contentDocument) : null })
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
  const screen = { opened: false, refused: false, up: null, text: '', settings: null }
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
      // What it adds stays unknown.
      adds = undefined
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
  /** Names what the plugins on trial added; null before they were unloaded, missing when it cannot be seen. */
  adds: v.optional(v.nullable(AddsSchema)),
  screen: v.object({
    opened: v.boolean(),
    /** True if the harness refused its page in a frame. */
    refused: v.boolean(),
    up: v.nullable(v.boolean()),
    text: v.pipe(v.string(), v.maxLength(1000)),
    /** Pages in Settings, each with the beginnings of its functions; null when no page told of them. */
    settings: v.fallback(v.nullable(v.array(v.object({ label: v.string(), code: v.array(v.string()) }))), null),
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

/** Describes a row and its state, for the user. */
export const describeRow = ({ name, disabled, state }: Pick<Row, 'name' | 'disabled' | 'state'>): string =>
  `${name}: ${disabled ? 'disabled' : (STATES[state] ?? state)}`
