// A name that an old Node lacks would end the program before it can say that.
import * as util from 'node:util'
import type { VerdictTone } from '@plugmark/shared/contract'
import type { Locale } from '@plugmark/shared/i18n'
import { type Words, wordsOf } from '../words/index.ts'
import { widthOf, wrapped } from './columns.ts'

export interface Page {
  readonly words: Words
  readonly style: Style
  /** Width of the terminal; infinite for a pipe. */
  readonly columns: number
  /** True if programs read the output: rows have tabs between their values, and no notes. */
  readonly isPipe: boolean
  /** False to leave what few need to read to `--verbose`; a program gets everything. */
  readonly isWhole: boolean
  readonly locale: Locale
}

/** A stream of the process, at a terminal or not. */
export interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface PageOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Terminal
  readonly stderr: Terminal
  readonly locale: Locale
  readonly color: ColorMode
  readonly verbose?: boolean
}

export function pageFor(stream: Terminal, { env, locale, color, verbose = false }: PageOptions): Page {
  const columns = stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY
  const isPipe = stream.isTTY !== true
  return {
    words: wordsOf(locale),
    style: styleFor(stream, env, color),
    columns,
    isPipe,
    isWhole: verbose || isPipe,
    locale,
  }
}

/** Facts with their names. What is below a fact has no name. */
export class Facts extends Array<readonly [name: string, value: string]> {
  /** Adds a fact, with more lines below it. Leaves out what is null. */
  add(name: string, ...lines: readonly (string | null)[]): void {
    for (const [at, line] of lines.filter((line) => line !== null).entries()) this.push([at === 0 ? name : '', line])
  }
}

/** Widest name that has its value beside it, in columns. */
const MOST_NAME = 24

/** Formats names in a column with their wrapped values beside them; in a pipe, one row for each value. */
export function factLines(facts: readonly (readonly [string, string])[], { style, columns, isPipe }: Page): string[] {
  // A program reads each row by itself.
  const nameAt = (at: number) => facts.slice(0, at + 1).findLast(([name]) => name !== '')?.[0] ?? ''
  if (isPipe) return facts.map(([, value], at) => `${nameAt(at)}\t${value}`)
  const widths = facts.map(([name]) => widthOf(name))
  const width = Math.max(0, ...widths.filter((width) => width <= MOST_NAME)) + 2
  return facts.flatMap(([name, value], at) => {
    // What is copied stays whole: a line that the terminal itself breaks is copied as one.
    const values = value.startsWith('--') ? [value] : wrapped(value, columns - width)
    const lines = values.map((line) => ' '.repeat(width) + line)
    // A long name has a line of its own, so that it leaves the others their room.
    if (widths[at]! > width - 2) return [...wrapped(style.dim(name), columns), ...lines]
    const [first = '', ...rest] = lines
    return [`${style.dim(name)}${' '.repeat(width - widths[at]!)}${first.slice(width)}`, ...rest]
  })
}

type Env = Readonly<Record<string, string | undefined>>
type Format = Parameters<typeof util.styleText>[0]

export interface Style {
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  warn(text: string): string
  bad(text: string): string
}

/** Names of the styles of the verdicts' colours. */
export const TONES = { good: 'good', neutral: 'dim', caution: 'warn', bad: 'bad' } as const satisfies Readonly<
  Record<VerdictTone, keyof Style>
>

export type ColorMode = 'auto' | 'always' | 'never'

/** Returns true for a terminal that moves its cursor: one that names itself, and not as `dumb`. */
export const hasCursor = (stream: { readonly isTTY?: boolean }, { TERM }: Env): boolean =>
  stream.isTTY === true && TERM !== 'dumb' && (process.platform === 'win32' || Boolean(TERM))

/**
 * Returns true if a stream is coloured: with `auto`, only a terminal. Source of the variables: no-color.org, and the name of
 * terminals without colour.
 */
export const isColoured = (stream: { readonly isTTY?: boolean }, env: Env, color: ColorMode = 'auto'): boolean =>
  color === 'always' || (color === 'auto' && stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb')

export function styleFor(stream: { readonly isTTY?: boolean }, env: Env, color: ColorMode): Style {
  const isStyled = isColoured(stream, env, color)
  const as =
    (format: Format) =>
    (text: string): string =>
      isStyled ? util.styleText(format, text, { validateStream: false }) : text
  return { bold: as('bold'), dim: as('dim'), good: as('green'), warn: as('yellow'), bad: as('red') }
}
