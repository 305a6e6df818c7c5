import { EMBEDDED_REPOSITORIES, embeddedCatalogue } from '../../mock/catalogue/embedded.ts'
import { generate } from '../../mock/catalogue/generate.ts'
import { FAULTS, isFault } from '../../mock/faults.ts'
import { type Catalogue, createCatalogue } from '../catalogue.ts'
import { loadCatalogue } from '../load.ts'
import { type MockServerOptions, startMockServer } from '../server.ts'
import { parseOptions, reportRejected, UsageError } from './options.ts'

const USAGE = `Usage: plugmark-directory serve [options]
       npm run mock -- [options]

Serves the plugin directory's API on this machine, until SIGINT or SIGTERM.

  --port N          port to listen on; 0 takes any free one (default 8787)
  --host NAME       address to listen on (default 127.0.0.1)
  --catalogue FILE  serve a real document: an index, or an answer of /api/v1/plugins; may be given several times
  --size N          add generated listings to the embedded ones until there are N
  --seed N          seed of the generated listings (default 1)
  --quirks live     behave as the live service where it departs from the contract
  --no-verdicts     omit the verdicts of install checks from the records
  --fault NAME      respond to every request with a fault:
                    ${FAULTS.slice(0, 7).join(', ')},
                    ${FAULTS.slice(7).join(', ')} (or slow:250, in ms)
  --help            print this

For a fault in one request, add it to the query: /api/v1/index?mock-fault=500
`

function wholeNumber(option: string, text: string, max: number): number {
  if (/^\d+$/.test(text) && Number(text) <= max) return Number(text)
  throw new UsageError(`--${option} takes a whole number from 0 to ${max}, not "${text}".`)
}

const OPTIONS = {
  port: { type: 'string', default: '8787' },
  host: { type: 'string', default: '127.0.0.1' },
  catalogue: { type: 'string', multiple: true },
  size: { type: 'string' },
  seed: { type: 'string', default: '1' },
  quirks: { type: 'string' },
  'no-verdicts': { type: 'boolean', default: false },
  fault: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof parseOptions<typeof OPTIONS>>

async function readCatalogue({ catalogue: files, size, seed }: Values): Promise<Catalogue> {
  if (files !== undefined) {
    if (size !== undefined)
      throw new UsageError('--size adds to the embedded catalogue; leave it out with --catalogue.')
    const catalogue = await loadCatalogue(...files)
    reportRejected(catalogue)
    return catalogue
  }
  const embedded = embeddedCatalogue()
  const missing = size === undefined ? 0 : wholeNumber('size', size, 1_000_000) - embedded.listings.length
  if (missing <= 0) return embedded
  const generated = generate(missing, wholeNumber('seed', seed, 0xffff_ffff))
  return createCatalogue({ repositories: [...EMBEDDED_REPOSITORIES, ...generated] })
}

async function toServerOptions(values: Values): Promise<MockServerOptions> {
  const { quirks, fault } = values
  if (quirks !== undefined && quirks !== 'live') throw new UsageError(`--quirks takes "live", not "${quirks}".`)
  if (fault !== undefined && !isFault(fault)) {
    throw new UsageError(`There is no fault "${fault}". There are: ${FAULTS.join(', ')}.`)
  }
  return {
    port: wholeNumber('port', values.port, 65_535),
    host: values.host,
    catalogue: await readCatalogue(values),
    recordVerdicts: !values['no-verdicts'],
    ...(quirks === undefined ? {} : { quirks }),
    ...(fault === undefined ? {} : { fault }),
  }
}

/** @returns the exit code, once the server listens */
export async function serve(args: string[]): Promise<number> {
  const values = parseOptions(args, OPTIONS)
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const server = await startMockServer(await toServerOptions(values))
  const { listings, successRate } = server.catalogue
  const rate = successRate === null ? 'none tested' : `success rate ${(successRate * 100).toFixed(1)} % of those tested`
  let isStopping = false
  const stop = () => {
    if (!isStopping) server.close()
    isStopping = true
  }
  // npm passes on the SIGINT that a terminal sends, so it arrives twice.
  process.on('SIGTERM', stop).on('SIGINT', stop)
  console.log(`Plugin directory on ${server.url}: ${listings.length} listings, ${rate}`)
  return 0
}
