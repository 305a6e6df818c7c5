/** Two lines are a sentence; the whole of it is in the output. */
const MAX_DETAILS = 2
const LINE_LENGTH = 300

/**
 * What tells most of why a harness did not come up: the first error that it wrote and what stands under it, before
 * the stack; else the rows that it waits for. Empty when it ended without a word.
 *
 * @param waiting rows that are not active
 */
export function lastWords(lines: readonly string[], waiting: readonly string[]): string[] {
  const error = lines.findIndex((line) => /^(?:Uncaught )?\w*Error: |^\S+: .*\b(?:fatal|failed)\b/.test(line))
  if (error < 0) return waiting.slice(-MAX_DETAILS)
  const rest = lines.slice(error + 1)
  const end = rest.findIndex((line) => !/^\S+: /.test(line) || /^\w*Error: /.test(line))
  const details = rest.slice(0, Math.min(end < 0 ? rest.length : end, MAX_DETAILS))
  return [lines[error] ?? '', ...details].map((line) => line.slice(0, LINE_LENGTH))
}
