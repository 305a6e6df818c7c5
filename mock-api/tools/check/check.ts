import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { DEFAULTS } from '@plugmark/shared/contract'
import { bindInstall, type InstallSpec, specText } from '@plugmark/shared/install'
import { type Catalogue, type Listing, toRecord, withSuccessRate } from '../../catalogue/catalogue.ts'
import { parseCatalogue } from '../../catalogue/parse.ts'
import {
  addressOption,
  CATALOGUE_OPTIONS,
  CATALOGUE_USAGE,
  checkDistinct,
  checkWritable,
  defineCommand,
  parseWholeNumber,
  readCatalogue,
  requireSite,
  say,
  UsageError,
  warn,
  warnList,
} from '../command.ts'
import { createSources, registryAddress } from '../market/sources.ts'
import { rateText } from '../serve.ts'
import { readHarnessVersion, tryInstall } from './plugmark.ts'
import { decidingRun, openRuns, type Run, type Runs } from './runs.ts'

const USAGE = `Usage: plugmark-directory check --catalogue FILE --runs FILE --out FILE [options]

Fills in the verdicts of a catalogue: runs the install command of each listing with \`plugmark try\`, and writes the
catalogue with what it found. A verdict changes only with a run, and to failed or timeout only with two in a row. It is
about the install alone: what installs and does not run has passed, and is named.
PLUGINS RUN ON THIS MACHINE, with the rights of this user: run it in a container (see docs/directory.md).

${CATALOGUE_USAGE}
  --runs FILE       each run is added to this file, and not repeated for the same command, version and harness; may be
                    given several times, to put shards together: the first one is written
  --out FILE        catalogue document to write
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
  ...CATALOGUE_OPTIONS,
  runs: { type: 'string', multiple: true },
  out: { type: 'string' },
  shard: { type: 'string', default: '1/1' },
  'only-write': { type: 'boolean', default: false },
  parallel: { type: 'string', default: `${Math.max(1, availableParallelism() >> 1)}` },
  plugmark: { type: 'string', default: 'plugmark' },
  harness: { type: 'string', default: 'dsh' },
  registry: { type: 'string' },
  'code-host': { type: 'string', default: 'https://github.com' },
} as const

export const checkCommand = defineCommand(USAGE, OPTIONS, async (values) => {
  const { out, runs: runFiles, plugmark, harness } = values
  const [own, ...others] = runFiles ?? []
  if (out === undefined || own === undefined)
    throw new UsageError('Name the files to write with --runs FILE and --out FILE.')
  const allRuns = [own, ...others].map((file) => ['--runs', file] as const)
  await checkDistinct(...allRuns, ['--out', out])
  for (const file of values.catalogue ?? []) await checkDistinct(['--catalogue', file], ...allRuns)
  const shard = parseShard(values.shard)
  const parallel = parseWholeNumber('parallel', values.parallel, { min: 1, max: 999 })
  const codeHost = addressOption('--code-host', values['code-host'])
  const registry = await registryAddress(values.registry)
  const catalogue = await readCatalogue(values)
  const site = requireSite(catalogue)
  await checkWritable(own, out)

  const runs = await openRuns([own, ...others])
  const stopping = new AbortController()
  const stop = () => stopping.abort(new Error('Stopped.'))
  process.on('SIGINT', stop).on('SIGTERM', stop)
  let results: readonly ListingResult[] = []
  if (!values['only-write'])
    results = await checkListings(catalogue, {
      shard,
      runs,
      parallel,
      signal: stopping.signal,
      harness: await readHarnessVersion(harness),
      versionOf: versionReader(registry, codeHost),
      tryInstall: (spec) => tryInstall(plugmark, spec, { harness, registry: values.registry, signal: stopping.signal }),
    })
  process.off('SIGINT', stop).off('SIGTERM', stop)
  const checked = withVerdicts(catalogue, runs)
  const document = toDocument(checked, site)
  // Finds here, and not at the export after it, what no command would read back.
  const { rejected } = parseCatalogue([document])
  warnList('Rows of the document that no command can read:', rejected)
  await writeFile(out, `${JSON.stringify(document)}\n`)
  printSummary(checked, results)
  if (stopping.signal.aborted) warn('Stopped. Run it again with the same --runs to continue.')
  const isIncomplete = rejected.length > 0 || results.some(({ problem }) => problem !== null)
  return stopping.signal.aborted ? 130 : isIncomplete ? 1 : 0
})

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
function toDocument({ listings }: Catalogue, site: string): object {
  const results = listings.map((listing) => toRecord(listing, site))
  return { total: results.length, count: results.length, results }
}

/** Returns true if a plugin installs, and the harness does not run it. */
const isBroken = ({ run }: ListingResult) => run?.verdict === 'passed' && run.runs === false

function print(result: ListingResult): void {
  const { fullName, run, isKnown, problem } = result
  if (run === null && problem === null) say(`${fullName}: has no install command`)
  else if (problem !== null) warn(`${fullName}: could not be run: ${problem}`)
  else
    say(
      `${fullName}: ${run?.verdict}${run?.reason ? ` (${run.reason})` : ''}${isBroken(result) ? ', but the harness does not run it' : ''}${isKnown ? ', as before' : ''}`,
    )
}

function printSummary({ listings, successRate }: Catalogue, results: readonly ListingResult[]): void {
  const count = (holds: (result: ListingResult) => boolean) => results.filter(holds).length
  const parts = [
    `${count(({ run, isKnown }) => run !== null && !isKnown)} checked`,
    `${count(({ isKnown }) => isKnown)} known from earlier runs`,
    `${count(({ problem }) => problem !== null)} could not be run`,
    `${count(({ run, problem }) => run === null && problem === null)} without a command`,
  ]
  const { length } = listings
  say(`${parts.join(', ')}. ${length} listing${length === 1 ? '' : 's'}, ${rateText(successRate)}.`)
  const unread = count(({ run }) => run?.version === null)
  if (unread > 0)
    warn(
      `The version of ${unread} could not be read, so ${unread === 1 ? 'it runs' : 'they run'} again each time. --registry and --code-host say where to ask.`,
    )
  const broken = count(isBroken)
  const seen = broken > 0 ? ` ${broken} ${broken === 1 ? 'installs and does' : 'install and do'} not run.` : ''
  say(`A verdict is about the install alone, not whether the plugin runs, does what it says, or is safe.${seen}`)
}

/** Part of a catalogue: `3/10` is the third of ten. */
interface Shard {
  readonly number: number
  readonly of: number
}

interface CheckOptions {
  /** Version of the harness that runs the commands. */
  readonly harness: string
  readonly runs: Runs
  readonly shard: Shard
  /** Most commands that run at a time. */
  readonly parallel: number
  readonly signal: AbortSignal
  /** Returns the version or the commit that a source has now; null when it cannot be read. */
  readonly versionOf: (spec: InstallSpec) => Promise<string | null>
  /** Runs the install command of a spec. Rejects when it could not be run at all. */
  readonly tryInstall: (spec: string) => Promise<Omit<Run, 'spec' | 'version'>>
}

interface ListingResult {
  readonly fullName: string
  /** The run that decides the verdict; null when there is no command, or it could not be run. */
  readonly run: Run | null
  /** True if an earlier call had run it. */
  readonly isKnown: boolean
  /** Reason why the command could not be run, else null. */
  readonly problem: string | null
}

/**
 * Runs the install command of each listing of a shard, unless its verdict for this version and this harness is decided,
 * and prints the results.
 */
async function checkListings(catalogue: Catalogue, options: CheckOptions): Promise<readonly ListingResult[]> {
  const { shard, parallel, signal } = options
  const waiting = catalogue.listings
    .filter(({ record }) => isInShard(record.fullName, shard))
    .map((listing) => ({ fullName: listing.record.fullName, spec: specOf(listing) }))
  const results: ListingResult[] = []
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const { fullName, spec } = next
      const result = await checkOne(spec, options).then(
        (decided) => ({ fullName, ...decided, problem: null }),
        (error: Error) => {
          if (error instanceof UsageError) throw error
          return { fullName, run: null, isKnown: false, problem: error.message }
        },
      )
      if (signal.aborted) return
      results.push(result)
      print(result)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return results
}

type Decided = Pick<ListingResult, 'run' | 'isKnown'>

async function checkOne(spec: InstallSpec | null, options: CheckOptions): Promise<Decided> {
  if (spec === null) return { run: null, isKnown: false }
  const { harness, runs, versionOf, tryInstall, signal } = options
  const text = specText(spec)
  const key = { spec: text, version: await versionOf(spec), harness }
  // Runs of an unknown version say nothing about the version that is there now.
  const ran = key.version === null ? [] : [...runs.of(key)]
  const known = decidingRun(ran)
  if (known !== null) return { run: known, isKnown: true }
  for (;;) {
    signal.throwIfAborted()
    const run = { ...(await tryInstall(text)), ...key }
    await runs.add(run)
    ran.push(run)
    const decided = decidingRun(ran)
    if (decided !== null) return { run: decided, isKnown: false }
  }
}

/** Returns the catalogue with the verdicts of the newest decided runs. A listing without one keeps its verdict. */
function withVerdicts(catalogue: Catalogue, runs: Runs): Catalogue {
  const listings = catalogue.listings.map((listing) => {
    const spec = specOf(listing)
    const run = spec && runs.newest(specText(spec))
    if (!run) return listing
    const { verdict, checkedAt, blockedBuilds } = run
    const record = { ...listing.record, installCheck: verdict, installCheckedAt: checkedAt, blockedBuilds }
    return { ...listing, record, verdict }
  })
  return withSuccessRate({ ...catalogue, listings })
}

function specOf({ record }: Listing): InstallSpec | null {
  const bound = bindInstall(record, { cli: DEFAULTS.cli })
  return bound.ok ? bound.plan.spec : null
}

/** Returns true if a listing belongs to a shard. A listing keeps its shard when others are added or removed. */
export function isInShard(fullName: string, { number, of }: Shard): boolean {
  return createHash('sha256').update(fullName.toLowerCase()).digest().readUInt32BE() % of === number - 1
}
