import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadCatalogue } from '../load.ts'
import { buildMarketIndex } from '../market/market-index.ts'
import { createSources } from '../market/sources.ts'
import { parseOptions, registryAddress, reportRejected, UsageError } from './options.ts'

const USAGE = `Usage: plugmark-directory index --catalogue FILE --out FILE [options]

Writes a market index (format 1) for the harness's own Discover tab. Reads exact versions, publish times and engines.dsh
from the package registry and the code host, one request at a time. What cannot be listed is left out, with the reason.

  --catalogue FILE  an index, or an answer of /api/v1/plugins; may be given several times
  --out FILE        file to write
  --report FILE     write what was left out, and why, as JSON
  --icons           read the packages' icons too, and write them to the folder icons beside FILE
  --title TEXT      title of the index (default Plugin directory)
  --registry URL    package registry (default: the one that npm uses)
  --code-host URL   address that github: stands for (default https://github.com)
  --help            print this
`

/** @returns the exit code */
export async function marketCommand(args: string[]): Promise<number> {
  const values = parseOptions(args, {
    catalogue: { type: 'string', multiple: true },
    out: { type: 'string' },
    report: { type: 'string' },
    icons: { type: 'boolean', default: false },
    title: { type: 'string', default: 'Plugin directory' },
    registry: { type: 'string' },
    'code-host': { type: 'string', default: 'https://github.com' },
    help: { type: 'boolean', default: false },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const { catalogue: files, out, title, report } = values
  if (files === undefined || out === undefined) throw new UsageError('index takes --catalogue FILE and --out FILE.')
  if (title.trim() === '') throw new UsageError('--title takes a text that is not blank.')
  const catalogue = await loadCatalogue(...files)
  reportRejected(catalogue)
  const registry = await registryAddress(values.registry)
  const { index, leftOut, icons, withoutIcon } = await buildMarketIndex(catalogue, {
    sources: createSources({ registry }),
    title,
    icons: values.icons,
    codeHost: values['code-host'].replace(/\/+$/, ''),
  })
  if (icons.size > 0) await mkdir(join(dirname(out), 'icons'), { recursive: true })
  for (const [name, bytes] of icons) await writeFile(join(dirname(out), name), bytes)
  await writeFile(out, `${JSON.stringify(index)}\n`)
  if (report !== undefined) await writeFile(report, `${JSON.stringify({ leftOut, withoutIcon }, null, 2)}\n`)
  console.log(`Wrote ${index.plugins.length} plugins to ${out}, and left out ${leftOut.length} listings.`)
  return 0
}
