import { createAsker, type Evidence, PAUSE_MS } from './ask.ts'
import { CLAUSES } from './clauses.ts'
import { createServer, NotTested, Quirk, Violation } from './server.ts'

/** Most requests that one verification sends. */
export const MOST_REQUESTS = 24

export type Result = 'holds' | 'quirk' | 'violated' | 'not-tested'

/** Outcome of one clause. */
export interface ClauseReport {
  readonly id: string
  /** The clause as a full sentence. */
  readonly text: string
  /** Part of openapi.yaml that contains it. */
  readonly source: string
  readonly result: Result
  /** Departure of the server from the clause, or reason why it was not tested; null when the server keeps the clause. */
  readonly detail: string | null
  /** The last request before the departure was found; null when the server keeps the clause. */
  readonly evidence: Evidence | null
}

export interface VerifyReport {
  readonly url: string
  /** Requests sent. */
  readonly requests: number
  readonly counts: Readonly<Record<Result, number>>
  readonly clauses: readonly ClauseReport[]
}

export interface VerifyOptions {
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** Shortest time between two requests, in ms. @default 500 */
  readonly pauseMs?: number
  /** Called after each clause. */
  readonly onClause?: (clause: ClauseReport) => void
}

/**
 * Verifies that a server keeps the contract. Sends GET requests to the two endpoints only, one at a time and at most two
 * a second.
 *
 * @param baseUrl address of the directory, without a trailing slash
 */
export async function verify(baseUrl: string, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { pauseMs = PAUSE_MS, onClause } = options
  const asker = createAsker(baseUrl, { pauseMs, ...(options.fetch ? { fetch: options.fetch } : {}) })
  const server = createServer(baseUrl, asker)
  const clauses: ClauseReport[] = []
  for (const { id, text, source, check } of CLAUSES) {
    const { result, detail } = await check(server).then(
      () => ({ result: 'holds' as const, detail: null }),
      (error: unknown) => ({ result: resultOf(error), detail: messageOf(error) }),
    )
    const report = { id, text, source, result, detail, evidence: result === 'holds' ? null : asker.evidence() }
    clauses.push(report)
    onClause?.(report)
  }
  const count = (result: Result) => clauses.filter((clause) => clause.result === result).length
  const counts = {
    holds: count('holds'),
    quirk: count('quirk'),
    violated: count('violated'),
    'not-tested': count('not-tested'),
  }
  return { url: baseUrl, requests: asker.sent, counts, clauses }
}

function resultOf(error: unknown): Result {
  if (error instanceof Quirk) return 'quirk'
  return error instanceof NotTested ? 'not-tested' : 'violated'
}

function messageOf(error: unknown): string {
  if (error instanceof Violation || error instanceof Quirk || error instanceof NotTested) return error.message
  const { message, cause } = error as Error
  return `is not answered: ${cause instanceof Error ? cause.message : message}`
}
