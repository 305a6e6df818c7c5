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
  /** Needs besides the packages of the project, by the names of set-up. */
  readonly needs: readonly string[]
  run(): Promise<BenchRow[]>
}

/** Returns the middle value; of an even number, the upper one. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** Formats rows as columns: name, value, target with a mark where it is missed, comparison and its ratio. */
export function formatRows(rows: readonly BenchRow[]): string {
  const cells = rows.map((row) => [
    row.what,
    amount(row.value, row.unit),
    row.target === undefined ? '' : `${row.value > row.target ? 'over' : '≤'} ${amount(row.target, row.unit)}`,
    row.against ? compared(row.value, row.against) : '',
    row.against ? amount(row.against.value, row.unit) : '',
  ])
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(0, ...cells.map((row) => (row[column] ?? '').length)))
  const pad = (text: string, column: number) =>
    column === 0 || column === 3 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  return cells.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}

const compared = (value: number, { what, value: other }: NonNullable<BenchRow['against']>): string =>
  other === 0 ? `beside ${what}` : `${(value / other).toFixed(2)} × ${what}`

function amount(value: number, unit: BenchRow['unit']): string {
  if (unit !== 'ms') return `${Math.round(value).toLocaleString('en-US')} ${unit}`
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
}
