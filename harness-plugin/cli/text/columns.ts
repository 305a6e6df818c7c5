import width from 'fast-string-truncated-width'
import { wrapAnsi } from 'fast-wrap-ansi'

/** How wide a text is in a terminal: Chinese characters are two columns. */
export const widthOf = (text: string): number => width(text).width

/** A text cut to so many columns. */
export function cut(text: string, columns: number): string {
  if (columns < 1) return ''
  const { index, ellipsed, truncated } = width(text, { limit: columns, ellipsis: '…' })
  return truncated ? `${text.slice(0, index)}${ellipsed ? '…' : ''}` : text
}

export const padded = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)))

/** A text, and how it is coloured once it was cut. */
export type Cell = string | readonly [text: string, paint: (text: string) => string]
const textOf = (cell: Cell | undefined): string => (typeof cell === 'string' ? cell : (cell?.[0] ?? ''))
const painted = (cell: Cell | undefined, text: string): string =>
  typeof cell === 'string' || cell === undefined ? text : cell[1](text)

/**
 * Rows in columns that fit. The last column takes what is left, and is cut; where little is left, it goes below.
 *
 * @param columns of the terminal; infinite for a pipe
 */
export function table(rows: readonly (readonly Cell[])[], columns: number): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: Math.max(0, count - 1) }, (_, at) =>
    Math.max(0, ...rows.map((row) => widthOf(textOf(row[at])))),
  )
  const left = columns - widths.reduce((sum, one) => sum + one + 2, 0)
  const isBelow = left < LEAST
  return rows.flatMap((row) => {
    let space = columns
    const head = widths.map((width, at) => {
      const text = isBelow ? cut(textOf(row[at]), Math.max(0, space)) : padded(textOf(row[at]), width)
      space -= widthOf(text) + 2
      return painted(row[at], text)
    })
    const last = row[count - 1]
    if (!isBelow) return [[...head, painted(last, cut(textOf(last), left))].join('  ').trimEnd()]
    return [head.filter(Boolean).join('  '), ...(textOf(last) ? [`    ${cut(textOf(last), columns - 4)}`] : [])]
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
