import { stripVTControlCharacters } from 'node:util'

/** One test that failed. */
export interface Failure {
  /** File and title, as its runner names them. */
  readonly test: string
  /** What its runner says of it; colours are taken out. */
  readonly message: string
}

/** Lines of a message that are repeated at the end: the assertion, its difference, the place. */
const LINES = 12
/** More than that share a cause, and the runner's own output above has them all. */
const MOST = 10

/** The end of a long log is often all that is kept of it, so what failed is said there once more. */
export function failureText(failures: readonly Failure[]): string {
  const shown = failures.slice(0, MOST).map(({ test, message }) => {
    const lines = stripVTControlCharacters(message).trim().split('\n').slice(0, LINES)
    return [`✗ ${test}`, ...lines.map((line) => `    ${line}`)].join('\n')
  })
  const more = failures.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more, above`] : [])].join('\n')
}
