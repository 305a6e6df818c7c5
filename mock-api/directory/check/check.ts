import { createHash } from 'node:crypto'
import { DEFAULTS } from '@plugmark/shared/contract'
import { bindInstall, type InstallSpec, specText } from '@plugmark/shared/install'
import { type Catalogue, withSuccessRate } from '../catalogue.ts'
import type { Listing } from '../listings.ts'
import { decidingRun, type Run, type Runs } from './runs.ts'

/** Part of a catalogue: `3/10` is the third of ten. */
export interface Shard {
  readonly number: number
  readonly of: number
}

export interface CheckOptions {
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
  /** Called after each listing of the shard. */
  readonly onListing?: (result: ListingResult) => void
}

export interface ListingResult {
  readonly fullName: string
  /** The run that decides the verdict; null when none could be run. */
  readonly run: Run | null
  /** True if an earlier call had run it. */
  readonly isKnown: boolean
  /** Reason why no command could be run, else null. */
  readonly problem: string | null
}

/**
 * Runs the install command of each listing of a shard, unless its verdict for this version and this harness is decided.
 * A listing without a command is not run.
 */
export async function checkListings(catalogue: Catalogue, options: CheckOptions): Promise<readonly ListingResult[]> {
  const { shard, parallel, signal, onListing } = options
  const waiting = catalogue.listings
    .filter(({ record }) => isInShard(record.fullName, shard))
    .map((listing) => ({ fullName: listing.record.fullName, spec: specOf(listing) }))
  const results: ListingResult[] = []
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const { fullName, spec } = next
      if (spec === null) continue
      const result = await checkOne(spec, options).then(
        (decided) => ({ fullName, ...decided, problem: null }),
        (error: Error) => ({ fullName, run: null, isKnown: false, problem: error.message }),
      )
      if (signal.aborted) return
      results.push(result)
      onListing?.(result)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return results
}

async function checkOne(spec: InstallSpec, { harness, runs, versionOf, tryInstall, signal }: CheckOptions) {
  const text = specText(spec)
  const key = { spec: text, version: await versionOf(spec), harness }
  const known = decidingRun(runs.of(key))
  if (known !== null) return { run: known, isKnown: true }
  for (;;) {
    signal.throwIfAborted()
    await runs.add({ ...(await tryInstall(text)), ...key })
    const run = decidingRun(runs.of(key))
    if (run !== null) return { run, isKnown: false }
  }
}

/** Returns the catalogue with the verdicts of the newest decided runs. A listing without one keeps its verdict. */
export function withVerdicts(catalogue: Catalogue, runs: Runs): Catalogue {
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

/** Returns true if a listing belongs to a shard. A listing keeps its shard when others come and go. */
export function isInShard(fullName: string, { number, of }: Shard): boolean {
  return createHash('sha256').update(fullName.toLowerCase()).digest().readUInt32BE() % of === number - 1
}
