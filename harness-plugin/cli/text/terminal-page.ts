import type { Locale } from '@plugmark/shared/i18n'
import type { Surroundings } from '../session.ts'
import { type Words, wordsOf } from '../words/index.ts'
import { widthOf, wrapped } from './columns.ts'
import { type ColorMode, type Style, styleFor } from './terminal-style.ts'

export interface Page {
  readonly words: Words
  readonly style: Style
  /** Width of the terminal; infinite for a pipe. */
  readonly columns: number
  /** True if programs read the output: rows have tabs between their values, and no notes. */
  readonly isPipe: boolean
  readonly locale: Locale
}

export type PageOptions = Pick<Surroundings, 'env' | 'stdout' | 'stderr'> & {
  readonly locale: Locale
  readonly color: ColorMode
}

export function pageFor(stream: Surroundings['stdout'], { env, locale, color }: PageOptions): Page {
  const columns = stream.isTTY ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY
  return { words: wordsOf(locale), style: styleFor(stream, env, color), columns, isPipe: stream.isTTY !== true, locale }
}

/** Formats names in a column with their wrapped values beside them; in a pipe, one row for each value. */
export function factLines(facts: readonly (readonly [string, string])[], { style, columns, isPipe }: Page): string[] {
  if (isPipe) return facts.map(([name, value]) => `${name}\t${value}`)
  const width = Math.max(...facts.map(([name]) => widthOf(name))) + 2
  return facts.flatMap(([name, value]) => {
    const [first = '', ...rest] = wrapped(value, columns - width)
    return [
      `${style.dim(name)}${' '.repeat(width - widthOf(name))}${first}`,
      ...rest.map((line) => ' '.repeat(width) + line),
    ]
  })
}
