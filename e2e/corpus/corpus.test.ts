import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shown } from '../../harness-plugin/host/inspection/inspect.ts'
import { diffPackages, type Reading, readPackages } from '../../harness-plugin/host/inspection/workers.ts'
import { messagesFor } from '../../harness-plugin/messages/index.ts'
import { inspectionLines } from '../../harness-plugin/messages/inspection-lines.ts'
import packages from './packages.json' with { type: 'json' }

const { signal } = new AbortController()
const ids = Object.keys(packages)
/** Reads the tarball of a package, as set-up has fetched it. */
const tarballOf = (id: string): Uint8Array => {
  const file = join(import.meta.dirname, 'tarballs', `${id.replace(/^@/, '').replace(/[/@]/g, '-')}.tgz`)
  if (!existsSync(file)) throw new Error(`${id} is not fetched. Run: npm run test:packages`)
  return new Uint8Array(readFileSync(file))
}

const MARKS = { strong: '**', plain: '-', minor: '·' } as const
/** Returns what a review says of a package, in lines. */
function linesOf(reading: Reading | undefined): string[] {
  if (reading?.state !== 'read') return [`! ${reading?.state}`]
  const inspection = { plugin: '', before: null, code: shown(reading), origin: null, advisories: null }
  const [group] = inspectionLines(inspection, messagesFor('en'))
  return (group?.lines ?? [])
    .filter(({ text }) => text !== messagesFor('en').inspection.code.limits)
    .map(({ text, weight, isCaution, isDetail, places }) =>
      [isDetail ? '>' : isCaution ? '!' : MARKS[weight], text, ...places].join(' '),
    )
}

test(`says of ${ids.length} real packages what is recorded, which was looked through line by line`, async () => {
  const read: string[] = []
  // A worker starts for each call.
  for (let at = 0; at < ids.length; at += 10) {
    const some = ids.slice(at, at + 10)
    const readings = await readPackages(some.map(tarballOf), { signal, limitMs: 240_000 })
    read.push(...some.map((id, index) => [`## ${id}`, '', ...linesOf(readings[index]), ''].join('\n')))
  }
  await expect(`${read.join('\n').trimEnd()}\n`).toMatchFileSnapshot('recorded.md')
}, 900_000)

test('lists as wrong only lines that it still says', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
  const sections = new Map(
    read('recorded.md')
      .split(/^## /m)
      .map((section) => [section.slice(0, section.indexOf('\n')), section]),
  )
  const rows = [...read('judged.md').matchAll(/^\| (\S+@\d[^ |]*) \| (.+?) \|/gm)]
  expect(rows.length).toBeGreaterThan(0)
  for (const [, id = '', line = ''] of rows) expect(sections.get(id), id).toContain(` ${line}`)
})

test.for([
  ['koa', '3.2.0', '3.3.0'],
  ['koa', '3.2.1', '3.3.0'],
  ['prettier', '3.10.0', '3.10.1'],
  ['zod', '4.6.6', '4.6.7'],
  ['express', '5.2.1', '5.3.0'],
  ['vue', '3.5.44', '3.5.45'],
  ['hono', '4.13.18', '4.13.19'],
  ['axios', '1.21.0', '1.21.1'],
  ['esbuild', '0.28.1', '0.28.2'],
] as const)('compares %s %s and %s in less than two seconds of the processor', async ([name, before, after]) => {
  const [old, now] = [tarballOf(`${name}@${before}`), tarballOf(`${name}@${after}`)]
  // Of the processor, in µs: other programs do not count.
  const start = process.cpuUsage()
  const files = await diffPackages(old, now, { signal })
  const { user } = process.cpuUsage(start)
  expect(files).toMatchObject({ state: 'read' })
  expect(files.state === 'read' && files.changed.length).toBeGreaterThan(0)
  expect(user).toBeLessThan(2_000_000)
})
