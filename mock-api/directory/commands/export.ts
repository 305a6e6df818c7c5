import { exportStatic } from '../export.ts'
import { loadCatalogue } from '../load.ts'
import { parseOptions, reportRejected, UsageError } from './options.ts'

const USAGE = `Usage: plugmark-directory export --catalogue FILE --site URL --out FOLDER [--market FILE]

Writes the static part of a directory, for any static host: the index document, one JSON document for each listing, the
headers that a host should send, and checksums.

  --catalogue FILE  an index, or an answer of /api/v1/plugins; may be given several times
  --site URL        address that the listings' pages are below
  --market FILE     a market index, as index writes it: put it and its icons into the folder too
  --out FOLDER      folder to write; must be empty or missing
  --help            print this
`

/** @returns the exit code */
export async function exportCommand(args: string[]): Promise<number> {
  const {
    catalogue: files,
    site,
    market,
    out,
    help,
  } = parseOptions(args, {
    catalogue: { type: 'string', multiple: true },
    site: { type: 'string' },
    market: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  })
  if (help) {
    console.log(USAGE)
    return 0
  }
  if (files === undefined || out === undefined) throw new UsageError('export takes --catalogue FILE and --out FOLDER.')
  const catalogue = await loadCatalogue(...files)
  reportRejected(catalogue)
  const address = site ?? catalogue.site
  if (address === null || !URL.canParse(address))
    throw new UsageError('export takes --site URL, the address of the pages.')
  const { written } = await exportStatic(catalogue, { site: address.replace(/\/+$/, ''), folder: out, market })
  console.log(`Wrote ${written} files to ${out}.`)
  return 0
}
