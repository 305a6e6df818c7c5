import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { countsAsInstallable, LIMITS } from '@plugmark/shared/contract'
import { CACHE_CONTROL } from '../api/api.ts'
import { badgePath, badgeSvg } from '../api/badge.ts'
import { type Catalogue, type Listing, toIndexDocument, toRecord } from '../catalogue/catalogue.ts'
import { readText } from '../catalogue/load.ts'
import {
  CATALOGUE_OPTIONS,
  CATALOGUE_USAGE,
  defineCommand,
  readCatalogue,
  requireSite,
  say,
  UsageError,
  warn,
} from './command.ts'
import type { MarketIndex } from './market/format.ts'
import { ICON_FILE } from './market/icon.ts'

const USAGE = `Usage: plugmark-directory export --catalogue FILE --out FOLDER [options]

Writes a directory as files, for any static host: both endpoints, a badge for each listing with a page, the headers that
the host should send, and checksums.
The host answers every query with the same file. Plugmark's clients cope with that; see docs/directory.md.

${CATALOGUE_USAGE}
  --market FILE     a market index, as index writes it: put it and its icons into the folder too
  --out FOLDER      folder to write; must be empty or missing
  --help            print this
`

export const exportCommand = defineCommand(
  USAGE,
  { ...CATALOGUE_OPTIONS, market: { type: 'string' }, out: { type: 'string' } },
  async (values) => {
    const { market, out } = values
    if (out === undefined) throw new UsageError('Name the folder to write with --out FOLDER.')
    const catalogue = await readCatalogue(values)
    const { written, records } = await exportStatic(catalogue, { site: requireSite(catalogue), folder: out, market })
    const missing = catalogue.listings.length - records
    if (missing > 0)
      warn(
        `Left ${missing} records out of api/v1/plugins, the least useful first: clients read at most ${LIMIT} bytes.`,
      )
    say(`Wrote ${written} files with ${catalogue.listings.length} listings to ${out}.`)
    return 0
  },
)

/** Largest body that Plugmark's clients read, in bytes. */
const LIMIT = LIMITS.bodyBytes

/**
 * Headers for static hosts that read a file called `_headers`. On other hosts, configure by other means that both files
 * are served as JSON to every origin.
 */
const HEADERS = (['index', 'plugins'] as const)
  .map(
    (name) => `/api/v1/${name}
  Content-Type: application/json; charset=utf-8
  Access-Control-Allow-Origin: *
  Cache-Control: ${CACHE_CONTROL[name]}
`,
  )
  .join('')

/** An icon is an untrusted file: opened as a page of its own, an SVG must not run. */
const MARKET_HEADERS = `/market/index.json
  Content-Type: application/json; charset=utf-8
  Access-Control-Allow-Origin: *
  Cache-Control: ${CACHE_CONTROL.index}
/market/icons/*
  Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; sandbox
  X-Content-Type-Options: nosniff
`

/**
 * Writes both endpoints and the badges at their places, `_headers` and `SHA256SUMS`; with a market index, also that and its
 * icons below `market/`.
 *
 * @param options.market file of a market index, as `index` writes it, with the folder `icons` beside it
 * @returns the number of files, and of records in `api/v1/plugins`
 * @throws {UsageError} when the folder has files, or the market index is not one
 */
export async function exportStatic(
  catalogue: Catalogue,
  { site, folder, market }: { readonly site: string; readonly folder: string; readonly market?: string | undefined },
): Promise<{ readonly written: number; readonly records: number }> {
  const existing = await readdir(folder).catch(() => [])
  if (existing.length > 0) throw new UsageError(`${folder} is not empty. Choose another folder, or empty it.`)
  const records = recordsWithin(LIMIT, catalogue.listings, site)
  const files = new Map<string, string | Buffer>([
    ['api/v1/index', JSON.stringify(toIndexDocument(catalogue, site))],
    ['api/v1/plugins', `{"total":${records.length},"count":${records.length},"results":[${records.join(',')}]}`],
    ['_headers', market === undefined ? HEADERS : HEADERS + MARKET_HEADERS],
  ])
  for (const listing of catalogue.listings) {
    const path = badgePath(listing)
    if (path !== null) files.set(path.slice(1), badgeSvg(listing))
  }
  if (market !== undefined) for (const [name, bytes] of await readMarket(market)) files.set(`market/${name}`, bytes)
  const sums = [...files].map(([name, content]) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`)
  files.set('SHA256SUMS', sums.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join(''))
  for (const [name, content] of files) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return { written: files.size, records: records.length }
}

/** Bytes of the envelope around the records. */
const ENVELOPE_BYTES = 100

/**
 * Returns the records as JSON, in the order of the catalogue. Where not all of them fit, those that count as installable
 * come first, and then those with the most stars: only records have verdicts.
 */
function recordsWithin(limit: number, listings: readonly Listing[], site: string): string[] {
  const texts = new Map<Listing, string>()
  let size = ENVELOPE_BYTES
  for (const listing of listings.toSorted((a, b) => rank(b) - rank(a))) {
    const text = JSON.stringify(toRecord(listing, site))
    size += Buffer.byteLength(text) + 1
    if (size > limit) break
    texts.set(listing, text)
  }
  return listings.flatMap((listing) => texts.get(listing) ?? [])
}

const rank = ({ verdict }: Listing) => Number(countsAsInstallable(verdict))

/** Reads a market index and the icons that it names. */
async function readMarket(file: string): Promise<Map<string, Buffer>> {
  try {
    const text = await readText(file)
    const files = new Map([['index.json', Buffer.from(text)]])
    const { format, plugins } = JSON.parse(text) as Partial<MarketIndex>
    if (format !== 1 || !Array.isArray(plugins)) throw new Error('it is not a market index of format 1')
    for (const { icon } of plugins as MarketIndex['plugins']) {
      if (icon === undefined) continue
      if (!ICON_FILE.test(icon)) throw new Error(`${icon} was not written by this program`)
      if (!files.has(icon)) files.set(icon, await readFile(join(dirname(file), icon)))
    }
    return files
  } catch (error) {
    throw new UsageError(`${file} cannot be exported: ${(error as Error).message}`)
  }
}
