import type { FaultName } from './faults.ts'

/** An outcome that a caller of fetch can observe. */
type Outcome =
  | 'answer'
  | 'late'
  | 'http-500'
  | 'http-503'
  | 'network-error'
  | 'no-answer'
  | 'cut-body'
  | 'no-json'
  | 'oversize'
  | 'no-content'

/** The outcome of each fault in Node, which does not check CORS: of the server, and of the handlers without one. */
export const EXPECTED_OUTCOMES: Readonly<Record<FaultName, Outcome>> = {
  '500': 'http-500',
  '500-no-cors': 'http-500',
  busy: 'http-503',
  hang: 'no-answer',
  reset: 'network-error',
  malformed: 'no-json',
  cut: 'cut-body',
  html: 'no-json',
  slow: 'late',
  'redirect-loop': 'network-error',
  oversize: 'oversize',
  'no-content': 'no-content',
}

/**
 * Fetches an address and returns the outcome that a caller can observe.
 *
 * @param timeoutMs after this long, the outcome is `no-answer`
 * @param lateMs a complete answer that takes at least this long is `late`
 */
export async function probeFetch(address: string, timeoutMs: number, lateMs: number): Promise<Outcome> {
  const started = performance.now()
  const signal = AbortSignal.timeout(timeoutMs)
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
