import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseOptions, reportRejected, UsageError } from './commands/options.ts'
import { loadCatalogue } from './load.ts'

const USAGE = `Usage: plugmark-directory worker --catalogue FILE --out FOLDER [options]

Writes the directory as a worker for an edge network: the API with its catalogue, answered from the network's cache.
Deploy the folder with the network's own tool. To update the catalogue, run this again and deploy again.

  --catalogue FILE  an index, or an answer of /api/v1/plugins; may be given several times
  --out FOLDER      folder to write worker.js and catalogue.txt to, and wrangler.jsonc if it has none
  --site URL        address that the listings' pages are below (default: the catalogue's, else the worker's own)
  --help            print this
`

/** The built worker: `npm run build` writes it beside the sources, and the package has it in the same place. */
const WORKER = join(import.meta.dirname, '../dist/worker.js')

/** Settings of wrangler, the tool that deploys to Cloudflare and runs workerd on this machine. */
const WRANGLER = `{
  "name": "plugin-directory",
  "main": "worker.js",
  "compatibility_date": "2026-07-01"
}
`

/** @returns the exit code */
export async function workerCommand(args: string[]): Promise<number> {
  const {
    catalogue: files,
    out,
    site,
    help,
  } = parseOptions(args, {
    catalogue: { type: 'string', multiple: true },
    out: { type: 'string' },
    site: { type: 'string' },
    help: { type: 'boolean', default: false },
  })
  if (help) {
    console.log(USAGE)
    return 0
  }
  if (files === undefined || out === undefined) throw new UsageError('worker takes --catalogue FILE and --out FOLDER.')
  if (site !== undefined && !URL.canParse(site)) throw new UsageError('--site takes the address of the pages.')
  const { rejected, ...catalogue } = await loadCatalogue(...files)
  reportRejected({ rejected, ...catalogue })
  await mkdir(out, { recursive: true })
  await copyFile(WORKER, join(out, 'worker.js')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new UsageError('The worker is not built. Run `npm run build` first.')
  })
  await writeFile(
    join(out, 'catalogue.txt'),
    JSON.stringify(site === undefined ? catalogue : { ...catalogue, site: site.replace(/\/+$/, '') }),
  )
  await writeFile(join(out, 'wrangler.jsonc'), WRANGLER, { flag: 'wx' }).catch(keepExisting)
  console.log(`Wrote a worker with ${catalogue.listings.length} listings to ${out}.`)
  return 0
}

function keepExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
