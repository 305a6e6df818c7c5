/** One measured line of a benchmark. */
export interface BenchRow {
  readonly what: string
  /** Median unless `what` says otherwise. */
  readonly value: number
  readonly unit: 'ms' | 'bytes' | 'requests' | 'layouts'
  /** The most it is meant to be, in the same unit. */
  readonly target?: number
  /** Something done in the same run that the value is compared with: machines are noisy, ratios less so. */
  readonly against?: { readonly what: string; readonly value: number }
}

/** A benchmark: `npm run bench -- <name>` runs one, `npm run bench` all of them. */
export interface Bench {
  readonly name: string
  run(): Promise<BenchRow[]>
}
