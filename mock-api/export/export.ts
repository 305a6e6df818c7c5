import { createHash } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Catalogue, toIndexDocument, toRecord } from '../catalogue/catalogue.ts'
import { pagePath } from '../catalogue/listings.ts'
import { CACHE_CONTROL } from '../http/api.ts'

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

/**
 * Writes the index at its place in the API, a JSON document for each listing, `_headers` and `SHA256SUMS`.
 *
 * @throws {ExportError} when the folder holds files
 */
export async function exportStatic(
  catalogue: Catalogue,
  { site, folder }: { readonly site: string; readonly folder: string },
): Promise<{ readonly written: number }> {
  const existing = await readdir(folder).catch(() => [])
  if (existing.length > 0) throw new ExportError(`${folder} is not empty. Choose another folder, or empty it.`)
  const files = new Map<string, string>([
    ['api/v1/index', JSON.stringify(toIndexDocument(catalogue, site))],
    ['_headers', HEADERS],
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
  const sums = [...files].map(([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`)
  files.set('SHA256SUMS', sums.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join(''))
  for (const [name, text] of files) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  return { written: files.size }
}
