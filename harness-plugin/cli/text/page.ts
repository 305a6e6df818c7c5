import type { Locale } from '@plugmark/shared/i18n'
import type { Surroundings } from '../session.ts'
import { type Words, wordsOf } from '../words/index.ts'
import { widthOf, wrapped } from './columns.ts'
import { type Style, styleFor } from './style.ts'

export interface Page {
  readonly words: Words
  readonly style: Style
  /** Of the terminal; infinite for a pipe. */
  readonly columns: number
  readonly locale: Locale
}

export type Given = Pick<Surroundings, 'env' | 'stdout' | 'stderr'> & { readonly locale: Locale }

export function pageFor(stream: Surroundings['stdout'], { env, locale }: Given): Page {
  const columns = stream.isTTY ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY
  return { words: wordsOf(locale), style: styleFor(stream, env), columns, locale }
}

/** Names in a column, and beside them what there is to say, in as many lines as it takes. */
export function factLines(facts: readonly (readonly [string, string])[], { style, columns }: Page): string[] {
  const width = Math.max(...facts.map(([name]) => widthOf(name))) + 2
  return facts.flatMap(([name, value]) => {
    const [first = '', ...rest] = wrapped(value, columns - width)
    return [
      `${style.dim(name)}${' '.repeat(width - widthOf(name))}${first}`,
      ...rest.map((line) => ' '.repeat(width) + line),
    ]
  })
}
