import { stripVTControlCharacters } from 'node:util'
import { hidePasswords } from '@plugmark/shared/contract'

/** Most lines kept for one job; the oldest are dropped. */
const KEPT_LINES = 2000
/** Longest line kept, in UTF-16 units; a longer one is cut. */
const LINE_LENGTH = 2000
/** Most lines of a stream held back. A longer path or address is not a wrapped one. */
const HELD_LINES = 20
/** Longest line in which secrets are looked for: more than is kept, so that none is cut before it is found. */
const RAW_LENGTH = 20_000

interface OutputOptions {
  readonly redactions: Redactions
  /** Called with complete lines; `from` is the number of all lines before them. */
  readonly onLines: (from: number, lines: readonly string[]) => void
}

/** Collects the output of a process as plain lines of limited length and number. */
export class Output {
  readonly #options: OutputOptions
  #kept: string[] = []
  #dropped = 0
  readonly #partial = { out: '', err: '' }
  /** Last lines of each stream in which a private path or an address may continue. */
  readonly #held: Record<'out' | 'err', readonly string[]> = { out: [], err: [] }
  readonly #wrapped: readonly (readonly [wrapped: RegExp, shown: string])[]

  constructor(options: OutputOptions) {
    this.#options = options
    this.#wrapped = options.redactions.map(([hidden, shown]) => [wrappedAnywhere(hidden), shown])
  }

  get lines(): readonly string[] {
    return this.#kept
  }

  /** Number of earlier lines that are no longer kept. */
  get dropped(): number {
    return this.#dropped
  }

  write(stream: 'out' | 'err', text: string): void {
    const pieces = (this.#partial[stream] + text).split(/\r\n|\n|\r(?!$)/)
    const rest = pieces.pop() ?? ''
    // Limit a line that never ends.
    this.#partial[stream] = rest.slice(0, RAW_LENGTH)
    if (pieces.length === 0) return
    const lines = [...this.#held[stream], ...pieces.map((line) => line.slice(0, RAW_LENGTH))]
    const open = openLines(lines, this.#options.redactions)
    this.#held[stream] = open === 0 ? [] : lines.slice(-open)
    this.#push(lines.slice(0, lines.length - open))
  }

  /**
   * Completes the last line of each stream.
   *
   * @returns the number of lines so far, kept or not
   */
  end(): number {
    for (const stream of ['out', 'err'] as const) {
      this.#push([...this.#held[stream], ...(this.#partial[stream] === '' ? [] : [this.#partial[stream]])])
      this.#held[stream] = []
      this.#partial[stream] = ''
    }
    return this.#dropped + this.#kept.length
  }

  /** Returns the kept lines from this number on. */
  since(line: number): readonly string[] {
    return this.#kept.slice(Math.max(0, line - this.#dropped))
  }

  #push(raw: readonly string[]): void {
    if (raw.length === 0) return
    const from = this.#dropped + this.#kept.length
    const lines = this.#unwrap(raw).map((line) => this.clean(line))
    this.#kept.push(...lines)
    if (this.#kept.length > KEPT_LINES) {
      const excess = this.#kept.length - KEPT_LINES
      this.#kept = this.#kept.slice(excess)
      this.#dropped += excess
    }
    this.#options.onLines(from, lines)
  }

  /** Joins lines in whose ends a private path or the user of an address was wrapped. */
  #unwrap(raw: readonly string[]): readonly string[] {
    if (raw.length < 2) return raw
    let text = raw.join('\n').replace(WRAPPED_USER, (address) => address.replaceAll(WRAP, ''))
    for (const [wrapped, shown] of this.#wrapped)
      text = text.replace(wrapped, (path) => (path.includes('\n') ? shown : path))
    return text.split('\n')
  }

  /** Cleans and redacts one line. */
  clean(raw: string): string {
    return cleanLine(raw, this.#options.redactions)
  }
}

/** Removes control characters, secrets and private paths from one line, and limits its length. */
export function cleanLine(raw: string, redactions: Redactions): string {
  const plain = stripVTControlCharacters(raw.slice(0, RAW_LENGTH))
    .replace(/\t/g, '  ')
    // Control characters, and those that change the writing direction.
    .replace(/[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  const line = redact(plain, redactions)
  if (line.length > LINE_LENGTH) return `${line.slice(0, LINE_LENGTH - 1)}…`
  // So many secrets were removed that the cut is in sight: there may be a part of another one.
  return raw.length < RAW_LENGTH ? line : `${line.replace(/\S*$/, '')}…`
}

// Output may be hostile: each of these patterns can match a text in one way only, so none takes exponential time.

/** A line break of pnpm 12, which wraps its messages at 80 columns, also after the separators of a path. */
const WRAP = /(?:\x1b\[[\d;]*m){0,8}\n(?:\x1b\[[\d;]*m|[│ ])*/g
/** An address, which may be wrapped before the end of its user and password. */
const WRAPPED_USER = /:\/\/(?:[^\s/@│\x1b]|(?:\n|\x1b\[[\d;]*m)[│ ]*)*@/g

/** Returns a pattern that finds a text, which may be wrapped after any character. */
const wrappedAnywhere = (text: string): RegExp =>
  new RegExp([...text].map((letter) => letter.replace(/[^\w]/, '\\$&')).join(`(?:${WRAP.source})?`), 'g')

/** Returns the number of last lines to hold back: at their end, a private path or an address may continue. */
function openLines(lines: readonly string[], redactions: Redactions): number {
  const parts = lines
    .slice(-HELD_LINES)
    .map((line) => `\n${line}`.replaceAll(WRAP, '').replace(/(?:\x1b\[[\d;]*m){1,8}$/, ''))
  const { length: most } = parts
  for (;;) {
    const text = parts.join('')
    const address = /:\/\/[^\s/@]*$/.exec(text)?.[0].length ?? 0
    const begun = redactions.map(([hidden]) => {
      let length = Math.min(hidden.length - 1, text.length)
      while (length > 0 && !text.endsWith(hidden.slice(0, length))) length--
      return length
    })
    let left = Math.max(address, ...begun)
    if (left === 0) return most - parts.length
    // The line before may be open too.
    while (left > 0 && parts.length > 0) left -= parts.pop()!.length
  }
}

/** Strings that must not be shown, and their replacements, such as `~` for the user's home directory. */
export type Redactions = readonly (readonly [text: string, shown: string])[]

/** Secrets in the output of package managers and scripts, and in a profile's own files. */
const SECRETS: readonly (readonly [secret: RegExp, shown: string])[] = [
  [/(_(?:auth(?:token)?|password)["']?\s*[=:]\s*["']?)[^\s"']+/gi, '$1***'],
  [/\b([A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|API_?KEY)\s*[=:]\s*["']?)[^\s"']+/g, '$1***'],
  [/\b((?:password|passwd|passphrase|client[_-]?secret)["']?\s*[=:]\s*["']?)[^\s"']+/gi, '$1***'],
  [/\beyJ[\w-]{8,256}\.[\w-]{8,}\.[\w-]*/g, '***'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 ***'],
  // Tokens of registries, code hosts and model providers, by their prefixes.
  [/\b(?:npm_|gh[opsur]_|github_pat_|glpat-|sk-)\w[\w-]{15,}/g, '***'],
]

/** Replaces all secrets and private paths in a text. */
export function redact(text: string, redactions: Redactions): string {
  let shown = hidePasswords(text)
  for (const [hidden, instead] of redactions) shown = shown.replaceAll(hidden, instead)
  for (const [secret, instead] of SECRETS) shown = shown.replace(secret, instead)
  return shown
}
