import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import { FRAME_PAGE, FRAME_PATH } from './frame.ts'

/** States of a row, by the number that its fiber has. Source: cordis 4.0.1. */
const STATES = ['pending', 'loading', 'active', 'failed', 'disposed', 'unloading'] as const

/**
 * A plugin of ours in the tree that is tried. Only from inside can be told whether the tree is up: the line with the
 * address is printed before a plugin that waits for a missing service ends the harness, and can be forged. Every 50 ms
 * it writes how the rows stand by then, and what the frame said, beside itself.
 */
const SENTINEL = `
import { renameSync, writeFileSync } from 'node:fs'
export const name = 'plugmark-trial'
export const inject = ['loader']
export function apply(ctx) {
  const report = new URL('report.json', import.meta.url)
  const screen = { opened: false, up: null, text: '' }
  const rows = () =>
    [...ctx.loader.entries()].filter((entry) => !entry.disabled).map((entry) => ({ name: String(entry.options.name), state: entry.fiber?.state ?? 0 }))
  const write = () => {
    const part = new URL('report.part', import.meta.url)
    writeFileSync(part, JSON.stringify({ at: performance.now(), rows: rows(), port: ctx.get('webServer')?.port ?? null, screen }))
    renameSync(part, report)
  }
  const tick = setInterval(write, 50)
  ctx.effect(() => () => clearInterval(tick))
  ctx.inject(['webServer'], (ctx) => ctx.effect(() => ctx.webServer.register({
    kind: 'exact',
    path: ${JSON.stringify(FRAME_PATH)},
    handler(request, response) {
      response.setHeader('cache-control', 'no-store')
      const { host, origin } = request.headers
      // Under no other name: a web site could have that point here.
      if (host !== '127.0.0.1:' + ctx.webServer.port) return void response.writeHead(403).end()
      if (request.method === 'GET') screen.opened = true
      if (request.method === 'GET') return void response.setHeader('content-type', 'text/html; charset=utf-8').end(${JSON.stringify(FRAME_PAGE)})
      if (origin !== 'http://' + host) return void response.writeHead(403).end()
      let text = ''
      request.on('data', (chunk) => { if (text.length < 4096) text += chunk })
      request.on('end', () => {
        try {
          const { up, text: said } = JSON.parse(text)
          if (typeof up === 'boolean' && screen.up === null) Object.assign(screen, { up, text: String(said) })
        } catch {}
        response.end()
      })
    },
  })))
}
`

const ReportSchema = v.object({
  /** When it was written, by the harness's own clock, in ms. */
  at: v.number(),
  rows: v.array(v.object({ name: v.string(), state: v.number() })),
  port: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))),
  screen: v.object({ opened: v.boolean(), up: v.nullable(v.boolean()), text: v.pipe(v.string(), v.maxLength(1000)) }),
})
export type Report = v.InferOutput<typeof ReportSchema>

/** @returns the patch file that puts the sentinel into a tree */
export async function placeSentinel(home: string): Promise<string> {
  const [plugin, patch] = [join(home, 'sentinel.mjs'), join(home, 'sentinel.yml')]
  await writeFile(plugin, SENTINEL)
  const row = { id: 'plugmark-trial', name: pathToFileURL(plugin).href }
  // JSON is YAML.
  await writeFile(patch, JSON.stringify([{ insert: [row] }]))
  return patch
}

/** What the sentinel wrote last; null before it is there. */
export async function readReport(home: string): Promise<Report | null> {
  try {
    return v.parse(ReportSchema, JSON.parse(await readFile(join(home, 'report.json'), 'utf8')))
  } catch {
    return null
  }
}

/** Rows that are not active, and what they are instead, for a person. */
export const inactiveRows = ({ rows }: Report): string[] =>
  rows.filter(({ state }) => STATES[state] !== 'active').map(({ name, state }) => `${name}: ${STATES[state] ?? state}`)
