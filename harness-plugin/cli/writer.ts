import type { Writable } from 'node:stream'
import { hidePasswords } from '@plugmark/shared/contract'

/** Control characters, bidi characters and invisible characters. */
const UNSAFE = /[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/** Hides who logs in at an address that was typed without its protocol. */
export const withoutLogin = (address: string): string => address.replace(/^[^\s/@]*:[^\s/@]*@/, '***@')

/** Joins the lines of text, so that none of them looks like a line of this program. */
export const oneLine = (text: string): string => text.replace(/[\n\v\f\r\u0085\u2028\u2029]+/g, ' ')

/** Escape sequences that may be written: only those of `text/terminal.ts`. */
const STYLES = /(\u001b\[(?:1|2|22|31|32|33|39)m)/

/** Removes everything from text except visible characters, line ends, tabs and our own styles. */
export function safeText(text: string): string {
  return hidePasswords(text)
    .split(STYLES)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(UNSAFE, (one) => (one === '\n' || one === '\t' ? one : ''))))
    .join('')
}

/** Returns JSON of the same value, without passwords, in which every unsafe character is escaped. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'string' ? hidePasswords(part) : part)).replace(UNSAFE, (one) =>
    Array.from({ length: one.length }, (_, at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )

/** The only access to standard output and standard error: no text can control the terminal. */
export interface Writer {
  text(text: string): void
  /** Writes a value as one line of JSON. */
  json(value: unknown): void
  /** Returns to the start of a temporary line and clears it. Only for a terminal. */
  clearLine(): void
  /** Resolves when everything was written, or the reader has closed the stream. */
  flushed(): Promise<void>
  /** Reason why output was lost, such as a full disk; null also when the reader has closed the pipe. */
  readonly failure: Error | null
}

export function createWriter(stream: Writable): Writer {
  let last: Promise<void> = Promise.resolve()
  let failure: Error | null = null
  // A reader may stop at any time.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error
  })
  function write(text: string) {
    const { promise, resolve } = Promise.withResolvers<void>()
    stream.write(text, () => resolve())
    last = promise
  }
  return {
    text: (text) => write(safeText(text)),
    json: (value) => write(`${safeJson(value)}\n`),
    clearLine: () => write('\r\u001b[K'),
    flushed: () => last,
    get failure() {
      return failure
    },
  }
}
