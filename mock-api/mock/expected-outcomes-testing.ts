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

/** Expected outcome of a fault through each way of serving the API. */
interface ExpectedOutcome {
  /** The stand-alone server, called by a page of another origin. A real server behaves the same. */
  readonly server: Outcome
  /** MSW in Node, called by fetch in the same process. */
  readonly setupServer: Outcome
  /** MSW in a service worker, called by a page that it controls. */
  readonly setupWorker: Outcome
  /** `routeApi` of Playwright, called by a page of another origin. */
  readonly route: Outcome
}

const everywhere = (outcome: Outcome): ExpectedOutcome => ({
  server: outcome,
  setupServer: outcome,
  setupWorker: outcome,
  route: outcome,
})

/** A way of serving that differs here from the stand-alone server cannot simulate the fault. */
export const EXPECTED_OUTCOMES: Record<FaultName, ExpectedOutcome> = {
  '500': everywhere('http-500'),
  // Browsers check CORS, but not on responses of a service worker.
  '500-no-cors': { server: 'network-error', setupServer: 'http-500', setupWorker: 'http-500', route: 'network-error' },
  busy: everywhere('http-503'),
  hang: everywhere('no-answer'),
  reset: everywhere('network-error'),
  malformed: everywhere('no-json'),
  // Playwright fulfils a route with a whole body, so a body that breaks off can only fail from the start.
  cut: { ...everywhere('cut-body'), route: 'network-error' },
  html: everywhere('no-json'),
  slow: everywhere('late'),
  'redirect-loop': everywhere('network-error'),
  oversize: everywhere('oversize'),
  'no-content': everywhere('no-content'),
}

/**
 * Fetches an address and returns the outcome that a caller can observe. Refers to nothing outside itself, so that a test
 * can pass it to `page.evaluate`.
 *
 * @param timeoutMs after this long, the outcome is `no-answer`
 * @param lateMs a complete answer that takes at least this long is `late`
 */
export async function probeFetch([address, timeoutMs, lateMs]: readonly [string, number, number]): Promise<Outcome> {
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
