import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CACHE_CONTROL } from './api.ts'
import { type Catalogue, toIndexDocument, toRecord } from './catalogue.ts'
import { pagePath } from './listings.ts'
import type { MarketIndex } from './market/format.ts'
import { ICON_FILE } from './market/icon.ts'

/** A folder that cannot be exported to. The message gives the reason. */
export class ExportError extends Error {}

/**
 * Headers for static hosts that read a file called `_headers`. On other hosts, configure by other means that the index
 * is served as JSON to every origin.
 */
const HEADERS = `/api/v1/index
  Content-Type: application/json; charset=utf-8
  Access-Control-Allow-Origin: *
  Cache-Control: ${CACHE_CONTROL.index}
/listings/*
  Content-Type: application/json; charset=utf-8
  Access-Control-Allow-Origin: *
  Cache-Control: ${CACHE_CONTROL.plugins}
`

/** An icon is a file of somebody else: opened as a page of its own, an SVG must not run. */
const MARKET_HEADERS = `/market/index.json
  Content-Type: application/json; charset=utf-8
  Access-Control-Allow-Origin: *
  Cache-Control: ${CACHE_CONTROL.index}
/market/icons/*
  Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; sandbox
  X-Content-Type-Options: nosniff
`

/**
 * Writes the index at its place in the API, a JSON document for each listing, `_headers` and `SHA256SUMS`; with a market
 * index, also that and its icons below `market/`.
 *
 * @param options.market file of a market index, as `index` writes it, with the folder `icons` beside it
 * @throws {ExportError} when the folder holds files, or the market index is none
 */
export async function exportStatic(
  catalogue: Catalogue,
  { site, folder, market }: { readonly site: string; readonly folder: string; readonly market?: string | undefined },
): Promise<{ readonly written: number }> {
  const existing = await readdir(folder).catch(() => [])
  if (existing.length > 0) throw new ExportError(`${folder} is not empty. Choose another folder, or empty it.`)
  const files = new Map<string, string | Buffer>([
    ['api/v1/index', JSON.stringify(toIndexDocument(catalogue, site))],
    ['_headers', market === undefined ? HEADERS : HEADERS + MARKET_HEADERS],
  ])
  for (const listing of catalogue.listings) {
    const slug = (listing.path ?? pagePath(listing.record.fullName)).slice('/plugins/'.length)
    const path = `listings/${slug}.json`
    for (let number = 2, name = path; ; number++, name = `listings/${slug}--${number}.json`) {
      if (files.has(name)) continue
      files.set(name, JSON.stringify(toRecord(listing, site)))
      break
    }
  }
  if (market !== undefined) for (const [name, bytes] of await readMarket(market)) files.set(`market/${name}`, bytes)
  const sums = [...files].map(([name, content]) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`)
  files.set('SHA256SUMS', sums.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join(''))
  for (const [name, content] of files) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return { written: files.size }
}

/** Reads a market index and the icons that it names. */
async function readMarket(file: string): Promise<Map<string, Buffer>> {
  try {
    const bytes = await readFile(file)
    const files = new Map([['index.json', bytes]])
    const { format, plugins } = JSON.parse(bytes.toString('utf8')) as Partial<MarketIndex>
    if (format !== 1 || !Array.isArray(plugins)) throw new Error('it is no market index of format 1')
    for (const { icon } of plugins as MarketIndex['plugins']) {
      if (icon === undefined) continue
      if (!ICON_FILE.test(icon)) throw new Error(`${icon} is no icon that this program wrote`)
      if (!files.has(icon)) files.set(icon, await readFile(join(dirname(file), icon)))
    }
    return files
  } catch (error) {
    throw new ExportError(`${file} cannot be exported: ${(error as Error).message}`)
  }
}
