import type { BenchRow } from './types.ts'

/**
 * Rows in columns: what was measured, its value, the target with a mark where it is missed, and what it is compared with
 * and how many times that it is.
 */
export function benchTable(rows: readonly BenchRow[]): string {
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

/** Nothing is a number of times nothing. */
const compared = (value: number, { what, value: other }: NonNullable<BenchRow['against']>): string =>
  other === 0 ? `beside ${what}` : `${(value / other).toFixed(2)} × ${what}`

function amount(value: number, unit: BenchRow['unit']): string {
  if (unit !== 'ms') return `${Math.round(value).toLocaleString('en-US')} ${unit}`
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
}
