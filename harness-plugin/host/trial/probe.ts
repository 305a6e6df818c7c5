import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'

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
 * that names no plugin, or still loads scripts, may only be slow. The page posts `{up, text}`. `up` is null if the
 * browser does not send the harness's cookie from a frame, so that the harness refuses its page with plain text.
 *
 * @param entrance address of the harness's page, with its token
 * @param plugins packages on trial
 */
const framePage = (entrance: string, plugins: readonly string[]): string => `<!doctype html>
<title>Trial</title>
<iframe width="1280" height="800" style="border: 0"></iframe>
<script>
  const frame = document.querySelector('iframe')
  frame.src = ${inScript(entrance)}
  const plugins = ${inScript(plugins)}
  const post = (body) => fetch(location.pathname, { method: 'POST', body: JSON.stringify(body) })
  const controls = 'button, input, textarea, select, a[href]'
  const settleMs = (up, text) => (up ? 1000 : plugins.some((name) => text.includes(name)) ? 6000 : 20_000)
  let seen = ''
  let since = performance.now()
  const watch = setInterval(() => {
    const { body, contentType } = frame.contentDocument ?? {}
    const up = body?.querySelector(controls) != null
    const text = (body?.innerText ?? '').trim()
    const resources = frame.contentWindow?.performance.getEntriesByType('resource') ?? []
    const scripts = resources.filter(({ initiatorType }) => initiatorType === 'script').length
    const now = up ? 'up' : scripts + text
    if (now !== seen) since = performance.now()
    seen = now
    const refused = contentType === 'text/plain'
    if (!refused && performance.now() - since < settleMs(up, text)) return
    clearInterval(watch)
    post({ up: refused ? null : up, text: up ? '' : text.slice(0, 300) })
  }, 100)
</script>`

/**
 * Returns the source of a plugin that reports the state of the tree from inside. It cannot be seen from outside: the
 * harness prints the line with its address before a plugin that waits for a missing service ends it, and the line can
 * be forged. Every 50 ms the plugin writes the state of the rows, and the report of the frame, to a file beside itself.
 */
const probeSource = (framePath: string, plugins: readonly string[]): string => `
import { renameSync, writeFileSync } from 'node:fs'
export const name = 'plugmark-trial'
export const inject = ['loader']
export function apply(ctx) {
  const report = new URL('report.json', import.meta.url)
  const screen = { opened: false, refused: false, up: null, text: '' }
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
  const write = () => {
    const port = ctx.get('webServer')?.port ?? null
    const part = new URL('report.part', import.meta.url)
    writeFileSync(part, JSON.stringify({
      at: performance.now(), loaded, rows: rows(), port, screen,
      entrance: port === null ? null : String(entrance('127.0.0.1:' + port)),
      bundles: ctx.get('profileContext')?.startedBundles ?? null,
    }), { mode: 0o600 })
    renameSync(part, report)
  }
  const tick = setInterval(write, 50)
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
        return void response.end(${JSON.stringify(framePage(ENTRANCE, plugins))}.replace(${JSON.stringify(ENTRANCE)}, () => entrance(host)))
      }
      if (origin !== 'http://' + host) return void response.writeHead(403).end()
      let text = ''
      request.on('data', (chunk) => { if (text.length < 4096) text += chunk })
      request.on('end', () => {
        try {
          const { up, text: shown } = JSON.parse(text)
          if (up === null) screen.refused = true
          if (typeof up === 'boolean' && screen.up === null) Object.assign(screen, { up, text: String(shown) })
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
  /** Bundles that the harness started from; null if unknown (before 0.2). */
  bundles: v.nullable(v.array(v.string())),
  screen: v.object({
    opened: v.boolean(),
    /** True if the harness refused its page in a frame. */
    refused: v.boolean(),
    up: v.nullable(v.boolean()),
    text: v.pipe(v.string(), v.maxLength(1000)),
  }),
})
export type Report = v.InferOutput<typeof ReportSchema>

/**
 * Writes the probe and its patch into a home.
 *
 * @param plugins packages on trial
 * @returns the patch file that adds the probe to a tree
 */
export async function placeProbe(home: string, framePath: string, plugins: readonly string[]): Promise<string> {
  const [plugin, patch] = [join(home, 'probe.mjs'), join(home, 'probe.yml')]
  // The report of an earlier start.
  await rm(join(home, 'report.json'), { force: true })
  // The source contains the secret path.
  await writeFile(plugin, probeSource(framePath, plugins), { mode: 0o600 })
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
    return null
  }
}

export const isActive = ({ disabled, state }: Row): boolean => !disabled && STATES[state] === 'active'

/** Returns the enabled rows that do not run. */
export const inactiveRows = (rows: readonly Row[]): Row[] => rows.filter((row) => !row.disabled && !isActive(row))

/** Describes a row and its state, for a person. */
export const describeRow = ({ name, disabled, state }: Pick<Row, 'name' | 'disabled' | 'state'>): string =>
  `${name}: ${disabled ? 'disabled' : (STATES[state] ?? state)}`
