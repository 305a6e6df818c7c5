import { setTimeout as delay } from 'node:timers/promises'

/** Shortest time between the starts of two requests, so that a verification slows nobody down. ms */
export const PAUSE_MS = 500
/** Time limit of one request, body included. ms */
const LIMIT_MS = 60_000
/** Characters of a body that a report quotes. */
const QUOTED = 300

/** One answer of the server under test. */
export interface Answer {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed body; undefined when it is not JSON. */
  readonly json: unknown
}

/** A request and its answer, in the form that a report quotes. */
export interface Evidence {
  readonly request: string
  readonly status: number | null
  readonly body: string
}

/** Sends GET requests to the two endpoints, one at a time, and remembers the answers. */
export interface Asker {
  /**
   * @param path path and query below the base address
   * @throws {Error} when there is no answer
   */
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Returns the last answer. */
  evidence(): Evidence | null
  /** Number of requests sent. */
  readonly sent: number
}

export function createAsker(baseUrl: string, options: { fetch?: typeof fetch; pauseMs?: number } = {}): Asker {
  const { fetch = globalThis.fetch, pauseMs = PAUSE_MS } = options
  const answers = new Map<string, Answer>()
  let last: Evidence | null = null
  let sent = 0
  let nextAt = 0

  return {
    get sent() {
      return sent
    },
    evidence: () => last,
    async ask(path, headers = {}) {
      const url = baseUrl + path
      const request = `GET ${url}${Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`)}`
      const known = answers.get(request)
      if (known) {
        last = evidenceOf(request, known)
        return known
      }
      const waitMs = nextAt - performance.now()
      if (waitMs > 0) await delay(waitMs)
      nextAt = performance.now() + pauseMs
      sent++
      last = { request, status: null, body: '' }
      const response = await fetch(url, {
        headers: { accept: 'application/json', ...headers },
        redirect: 'error',
        signal: AbortSignal.timeout(LIMIT_MS),
      })
      const text = await response.text()
      const answer = { url, status: response.status, headers: response.headers, text, json: parse(text) }
      answers.set(request, answer)
      last = evidenceOf(request, answer)
      return answer
    },
  }
}

const evidenceOf = (request: string, { status, text }: Answer): Evidence => ({
  request,
  status,
  body: text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text,
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
