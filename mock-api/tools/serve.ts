import { createApi } from '../api/api.ts'
import { type DirectoryServer, startServer } from '../api/server.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { CATALOGUE_OPTIONS, CATALOGUE_USAGE, defineCommand, parseWholeNumber, readCatalogue, say } from './command.ts'

const USAGE = `Usage: plugmark-directory serve --catalogue FILE [options]

Serves a plugin directory's API on this machine, until SIGINT or SIGTERM.

${CATALOGUE_USAGE}
  --port N          port to listen on; 0 takes any free one (default 8787)
  --host NAME       address to listen on (default 127.0.0.1)
  --help            print this

The address that users type is in each record. Where the catalogue has none, it is the address that this server listens
on: behind TLS or a proxy, name it with --site. Headers of the request, such as Host, never change it.
`

export const serveCommand = defineCommand(
  USAGE,
  {
    ...CATALOGUE_OPTIONS,
    port: { type: 'string', default: '8787' },
    host: { type: 'string', default: '127.0.0.1' },
  },
  async (values) => {
    const { host } = values
    const port = parseWholeNumber('port', values.port, { max: 65_535 })
    const catalogue = await readCatalogue(values)
    const createRespond = (url: string) => createApi({ catalogue: { ...catalogue, site: catalogue.site ?? url } })
    announce(await startServer({ port, host, createRespond }), catalogue)
    return 0
  },
)

/** Prints the address of a server that listens, and closes it on SIGINT and SIGTERM. */
export function announce(server: DirectoryServer, { listings, successRate }: Catalogue): void {
  let isStopping = false
  const stop = () => {
    if (!isStopping) server.close()
    isStopping = true
  }
  // npm passes on the SIGINT that a terminal sends, so it arrives twice.
  process.on('SIGTERM', stop).on('SIGINT', stop)
  say(`Plugin directory on ${server.url}: ${listings.length} listings, ${rateText(successRate)}`)
}

export const rateText = (rate: number | null): string =>
  rate === null ? 'none tested' : `success rate ${(rate * 100).toFixed(1)} % of those tested`
