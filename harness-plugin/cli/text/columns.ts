import width from 'fast-string-truncated-width'
import { wrapAnsi } from 'fast-wrap-ansi'

/** How wide a text is in a terminal: Chinese characters are two columns. */
export const widthOf = (text: string): number => width(text).width

/** A text cut to so many columns. */
export function cut(text: string, columns: number): string {
  const { index, ellipsed, truncated } = width(text, { limit: Math.max(1, columns), ellipsis: '…' })
  return truncated ? `${text.slice(0, index)}${ellipsed ? '…' : ''}` : text
}

export const padded = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)))

/**
 * Rows in columns that fit. The last column takes what is left, and is cut; where little is left, it goes below.
 *
 * @param columns of the terminal; infinite for a pipe
 */
export function table(rows: readonly (readonly string[])[], columns: number): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: Math.max(0, count - 1) }, (_, at) =>
    Math.max(0, ...rows.map((row) => widthOf(row[at] ?? ''))),
  )
  const left = columns - widths.reduce((sum, one) => sum + one + 2, 0)
  return rows.flatMap((row) => {
    const head = widths.map((one, at) => padded(row[at] ?? '', one)).join('  ')
    const last = row[count - 1] ?? ''
    if (left >= LEAST) return [`${head}  ${cut(last, left)}`.trimEnd()]
    return [cut(head.trimEnd(), columns), ...(last ? [cut(`    ${last}`, columns)] : [])]
  })
}

/** Fewer columns hold no sentence. */
const LEAST = 30

/** Text in lines of at most so many columns. */
export function wrapped(text: string, columns: number, indent = ''): string[] {
  if (!Number.isFinite(columns)) return [indent + text]
  const lines = wrapAnsi(text, Math.max(20, columns - indent.length), { hard: true }).split('\n')
  return lines.map((line) => indent + line)
}
