import type { Outcome } from './table.ts'

/**
 * Fetches an address and says what a caller gets to see. It refers to nothing outside itself, so that a test can hand
 * it to a page as it is.
 *
 * @param patienceMs how long to wait before the answer is called missing
 * @param lateMs an answer that takes at least this long is late
 */
export async function observe([address, patienceMs, lateMs]: readonly [string, number, number]): Promise<Outcome> {
  const started = performance.now()
  const signal = AbortSignal.timeout(patienceMs)
  const failure = (otherwise: Outcome): Outcome => (signal.aborted ? 'no-answer' : otherwise)
  let response: Response
  try {
    response = await fetch(address, { signal })
  } catch {
    return failure('network-error')
  }
  if (!response.ok) return `http-${response.status}` as Outcome
  if (response.status === 204) return 'no-content'
  let text: string
  try {
    text = await response.text()
  } catch {
    return failure('cut-body')
  }
  if (text.length > 8_000_000) return 'oversize'
  try {
    JSON.parse(text)
  } catch {
    return 'no-json'
  }
  return performance.now() - started >= lateMs ? 'late' : 'answer'
}
