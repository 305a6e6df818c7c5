import { createHash } from 'node:crypto'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalogue } from '../catalogue/catalogue.ts'
import {
  CATALOGUE_OPTIONS,
  CATALOGUE_USAGE,
  defineCommand,
  RefusedError,
  readCatalogue,
  say,
  UsageError,
} from './command.ts'

const USAGE = `Usage: plugmark-directory worker --catalogue FILE --out FOLDER [options]

Writes the directory as a worker for an edge network: the API with its catalogue, answered from the network's cache.
Deploy the folder with the network's own tool. To update the catalogue, run this again and deploy again. Where the
catalogue has no site, it is the address of the worker.

${CATALOGUE_USAGE}
  --out FOLDER      folder to write worker.js and catalogue.txt to, and wrangler.jsonc if it has none
  --help            print this
`

/** The built worker: `npm run build` writes it to `dist`, and the package has it in the same place. */
const WORKER = join(import.meta.dirname, '../dist/worker.js')

/** Settings of wrangler, the tool that deploys to Cloudflare and runs workerd on this machine. */
const WRANGLER = `{
  "name": "plugin-directory",
  "main": "worker.js",
  "compatibility_date": "2026-07-01"
}
`

export const workerCommand = defineCommand(USAGE, { ...CATALOGUE_OPTIONS, out: { type: 'string' } }, async (values) => {
  const { out } = values
  if (out === undefined) throw new UsageError('Name the folder to write with --out FOLDER.')
  const catalogue = await readCatalogue(values)
  await mkdir(out, { recursive: true })
  await copyFile(WORKER, join(out, 'worker.js')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new RefusedError('The worker is not built. Run `npm run build` first.')
  })
  await writeFile(join(out, 'catalogue.txt'), workerData(catalogue))
  await writeFile(join(out, 'wrangler.jsonc'), WRANGLER, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  say(`Wrote a worker with ${catalogue.listings.length} listings to ${out}.`)
  return 0
})

/**
 * Returns the text that the worker reads: the catalogue, and a digest of it for the keys of the cache. Every change makes
 * another digest, so that a change of verdicts alone is served at once too.
 */
export function workerData(catalogue: Catalogue): string {
  const digest = createHash('sha256').update(JSON.stringify(catalogue)).digest('hex').slice(0, 16)
  return JSON.stringify({ digest, catalogue })
}
