/** The command of `npm run mock`: serves an invented directory, with faults and quirks for tests of its clients. */

import { embeddedCatalogue } from '../invented/invented.ts'
import {
  addressOption,
  CATALOGUE_OPTIONS,
  defineCommand,
  parseWholeNumber,
  readCatalogue,
  UsageError,
} from '../tools/command.ts'
import { announce } from '../tools/serve.ts'
import { FAULTS, isFault } from './faults.ts'
import { startMockServer } from './server.ts'

const USAGE = `Usage: npm run mock -- [options]

Serves an invented plugin directory on this machine, until SIGINT or SIGTERM.

  --port N          port to listen on; 0 takes any free one (default 8787)
  --host NAME       address to listen on (default 127.0.0.1)
  --catalogue FILE  serve this catalogue instead; may be given several times
  --site URL        address that the listings' pages are below (default: that of each request)
  --size N          add generated listings to the invented ones until there are N
  --quirks live     behave as the live service where it departs from the contract
  --no-verdicts     omit the verdicts of install checks from the records
  --fault NAME      respond to every request with a fault:
                    ${FAULTS.slice(0, 7).join(', ')},
                    ${FAULTS.slice(7).join(', ')} (or slow:250, in ms)
  --help            print this

For a fault in one request, add it to the query: /api/v1/index?mock-fault=500
`

export const mock = defineCommand(
  USAGE,
  {
    ...CATALOGUE_OPTIONS,
    port: { type: 'string', default: '8787' },
    host: { type: 'string', default: '127.0.0.1' },
    size: { type: 'string', default: '0' },
    quirks: { type: 'string' },
    'no-verdicts': { type: 'boolean', default: false },
    fault: { type: 'string' },
  },
  async (values) => {
    const { host, quirks, fault } = values
    if (quirks !== undefined && quirks !== 'live') throw new UsageError(`--quirks takes "live", not "${quirks}".`)
    if (fault !== undefined && !isFault(fault))
      throw new UsageError(`There is no fault "${fault}". There are: ${FAULTS.join(', ')}.`)
    const port = parseWholeNumber('port', values.port, { max: 65_535 })
    const size = parseWholeNumber('size', values.size, { max: 1_000_000 })
    if (values.catalogue !== undefined && size > 0)
      throw new UsageError('--size adds to the invented catalogue; leave it out with --catalogue.')
    const site = values.site === undefined ? {} : { site: addressOption('--site', values.site) }
    const catalogue =
      values.catalogue === undefined ? embeddedCatalogue({ size, ...site }) : await readCatalogue(values)
    const server = await startMockServer({
      port,
      host,
      catalogue,
      recordVerdicts: !values['no-verdicts'],
      ...(quirks && { quirks }),
      ...(fault && { fault }),
    })
    announce(server, catalogue)
    return 0
  },
)
