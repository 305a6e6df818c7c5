import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { InstallSpec } from '@plugmark/shared/install'
import { type Catalogue, toRecord } from '../catalogue.ts'
import { checkListings, type ListingResult, type Shard, withVerdicts } from '../check/check.ts'
import { readHarnessVersion, tryInstall } from '../check/plugmark.ts'
import { openRuns } from '../check/runs.ts'
import { loadCatalogue } from '../load.ts'
import { createSources } from '../market/sources.ts'
import { parseOptions, registryAddress, reportRejected, UsageError } from './options.ts'

const USAGE = `Usage: plugmark-directory check --catalogue FILE --runs FILE --out FILE [options]

Fills in the verdicts of a catalogue: runs the install command of each listing with \`plugmark try\`, and writes the
catalogue with what it found. A verdict changes only with a run, and to failed or timeout only with two in a row.
PLUGINS RUN ON THIS MACHINE, with the rights of this user: run it in a container (see docs/directory.md).

  --catalogue FILE  an index, or an answer of /api/v1/plugins; may be given several times
  --runs FILE       each run is added to this file, and not repeated for the same command, version and harness; may be
                    given several times, to put shards together: the first one is written
  --out FILE        catalogue document to write
  --site URL        address that the listings' pages are below (default: the catalogue's)
  --shard N/OF      check only this part of the listings, for instance 3/10
  --only-write      run nothing: write what the runs so far have found
  --parallel N      most commands at a time (default: half of the processors)
  --plugmark FILE   program (default plugmark)
  --harness FILE    program of the harness (default dsh)
  --registry URL    package registry that is asked for versions (default: the one that npm uses)
  --code-host URL   address that github: stands for (default https://github.com)
  --help            print this
`

const OPTIONS = {
  catalogue: { type: 'string', multiple: true },
  runs: { type: 'string', multiple: true },
  out: { type: 'string' },
  site: { type: 'string' },
  shard: { type: 'string', default: '1/1' },
  'only-write': { type: 'boolean', default: false },
  parallel: { type: 'string', default: `${Math.max(1, availableParallelism() >> 1)}` },
  plugmark: { type: 'string', default: 'plugmark' },
  harness: { type: 'string', default: 'dsh' },
  registry: { type: 'string' },
  'code-host': { type: 'string', default: 'https://github.com' },
  help: { type: 'boolean', default: false },
} as const

/** @returns the exit code */
export async function checkCommand(args: string[]): Promise<number> {
  const values = parseOptions(args, OPTIONS)
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const { catalogue: files, out, runs: runFiles, parallel } = values
  const [own, ...others] = runFiles ?? []
  if (files === undefined || out === undefined || own === undefined)
    throw new UsageError('check takes --catalogue FILE, --runs FILE and --out FILE.')
  const shard = parseShard(values.shard)
  if (!/^[1-9]\d{0,2}$/.test(parallel)) throw new UsageError(`--parallel takes a whole number, not "${parallel}".`)
  const catalogue = await loadCatalogue(...files)
  reportRejected(catalogue)
  const site = values.site ?? catalogue.site
  if (site === null || !URL.canParse(site)) throw new UsageError('check takes --site URL, the address of the pages.')

  const runs = await openRuns([own, ...others])
  const stopping = new AbortController()
  const stop = () => stopping.abort(new Error('Stopped.'))
  process.on('SIGINT', stop).on('SIGTERM', stop)
  let results: readonly ListingResult[] = []
  if (!values['only-write']) {
    const { plugmark, harness } = values
    results = await checkListings(catalogue, {
      shard,
      runs,
      parallel: Number(parallel),
      signal: stopping.signal,
      onListing: print,
      harness: await readHarnessVersion(harness),
      versionOf: versionReader(await registryAddress(values.registry), values['code-host'].replace(/\/+$/, '')),
      tryInstall: (spec) => tryInstall(plugmark, spec, { harness, registry: values.registry, signal: stopping.signal }),
    })
  }
  process.off('SIGINT', stop).off('SIGTERM', stop)
  const checked = withVerdicts(catalogue, runs)
  await writeFile(out, toDocument(checked, site.replace(/\/+$/, '')))
  printSummary(checked, results)
  if (stopping.signal.aborted) console.error('Stopped. Run it again with the same --runs to go on.')
  return stopping.signal.aborted ? 130 : results.some(({ problem }) => problem !== null) ? 1 : 0
}

function parseShard(text: string): Shard {
  const [, number, of] = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(text)?.map(Number) ?? []
  if (number === undefined || of === undefined || number > of)
    throw new UsageError(`--shard takes a part such as 3/10, not "${text}".`)
  return { number, of }
}

/** Returns a function that reads the newest version of a package, or the newest commit of a repository. */
function versionReader(registry: string, codeHost: string): (spec: InstallSpec) => Promise<string | null> {
  const sources = createSources({ registry })
  return async (spec) => {
    try {
      if (spec.kind !== 'npm') return await sources.readCommit(`${codeHost}/${spec.owner}/${spec.repo}`)
      const latest = Object((await sources.readPackage(spec.name))['dist-tags']).latest
      return typeof latest === 'string' ? latest : null
    } catch {
      return null
    }
  }
}

/** Returns a document that `--catalogue` reads, in the form of an answer of /api/v1/plugins. */
function toDocument({ listings }: Catalogue, site: string): string {
  const results = listings.map((listing) => toRecord(listing, site))
  return `${JSON.stringify({ total: results.length, count: results.length, results })}\n`
}

function print({ fullName, run, isKnown, problem }: ListingResult): void {
  if (problem !== null) console.error(`${fullName}: could not be run: ${problem}`)
  else console.log(`${fullName}: ${run?.verdict}${isKnown ? ', as before' : ''}`)
}

function printSummary({ listings, successRate }: Catalogue, results: readonly ListingResult[]): void {
  const count = (holds: (result: ListingResult) => boolean) => results.filter(holds).length
  const rate = successRate === null ? 'none tested' : `success rate ${(successRate * 100).toFixed(1)} % of those tested`
  const parts = [
    `${count(({ run, isKnown }) => run !== null && !isKnown)} checked`,
    `${count(({ isKnown }) => isKnown)} known from earlier runs`,
    `${count(({ problem }) => problem !== null)} could not be run`,
  ]
  console.log(`${parts.join(', ')}. ${listings.length} listings, ${rate}.`)
}
