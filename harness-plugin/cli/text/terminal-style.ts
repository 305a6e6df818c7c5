import { styleText } from 'node:util'
import type { VerdictTone } from '@plugmark/shared/contract'

type Env = Readonly<Record<string, string | undefined>>
type Format = Parameters<typeof styleText>[0]

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
 * Returns the styles of a stream. `auto` colours only a terminal. Source of the variables: no-color.org, and the name
 * of terminals without colour.
 */
export function styleFor(stream: { readonly isTTY?: boolean }, env: Env, color: ColorMode): Style {
  const isCapable = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  const isColoured = color === 'always' || (color === 'auto' && isCapable)
  const as =
    (format: Format) =>
    (text: string): string =>
      isColoured ? styleText(format, text, { validateStream: false }) : text
  return { bold: as('bold'), dim: as('dim'), good: as('green'), warn: as('yellow'), bad: as('red') }
}
