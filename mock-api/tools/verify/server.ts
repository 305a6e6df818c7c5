import { setTimeout as delay } from 'node:timers/promises'
import {
  INDEX_FIELDS,
  IndexDocumentSchema,
  type IndexListing,
  IndexListingSchema,
  LIMITS,
  listingKey,
  type PluginRecord,
  PluginRecordSchema,
} from '@plugmark/shared/contract'
import * as v from 'valibot'

/** A departure from the contract that Plugmark's clients tolerate. The message says how. */
export class Quirk extends Error {}
/** The server has nothing to test the clause on. */
export class NotTested extends Error {}
export class Violation extends Error {
  /** Clause that reports it, where that is not the one that found it. */
  readonly clause: string | null
  constructor(message: string, clause: string | null = null) {
    super(message)
    this.clause = clause
  }
}

/** Most requests that one verification sends. */
export const MOST_REQUESTS = 24
/** Time in which clients need a complete answer, in ms. */
export const CLIENT_LIMIT_MS = 10_000
/** Most redirects of one request that are followed. */
const MOST_REDIRECTS = 5
/** Characters of a body that a report quotes. */
const QUOTED = 300

export const INDEX = '/api/v1/index'
export const PLUGINS = '/api/v1/plugins'
export type Endpoint = typeof INDEX | typeof PLUGINS

/** A complete answer of the server under test. */
interface Answer {
  readonly status: number
  readonly headers: Response['headers']
  readonly text: string
  /** Parsed body; undefined when it is not JSON. */
  readonly json: unknown
  /** Time from the request to the end of the body, in ms. */
  readonly tookMs: number
}

type Headers = Readonly<Record<string, string>>

interface Outcome {
  readonly answer: Answer | null
  /** Why there is no answer that can be read, else null. */
  readonly error: Error | null
  readonly evidence: Evidence
}

/** A request and its answer, in the form that a report quotes. */
export interface Evidence {
  readonly request: string
  /** Null when there was no answer. */
  readonly status: number | null
  readonly body: string
}

/** A row of the index by the names of its columns, unparsed. */
export type Row = Readonly<Record<(typeof INDEX_FIELDS)[number], unknown>>

export interface Index {
  readonly document: v.InferOutput<typeof IndexDocumentSchema>
  readonly rows: readonly Row[]
  /** The rows that parse. */
  readonly listings: readonly IndexListing[]
}

export interface Page {
  readonly total: number
  readonly count: number
  readonly rows: readonly unknown[]
  /** Names of the results that have one. */
  readonly names: readonly string[]
  /** The results that parse. */
  readonly records: readonly PluginRecord[]
}

/**
 * The server under test. Sends GET requests, one at a time, and remembers answers and failures: no request is sent twice,
 * and none to an endpoint whose plain answer could not be read.
 */
export interface Server {
  readonly baseUrl: string
  readonly sent: number
  /** The last request that a clause made, and its answer. */
  readonly evidence: Evidence | null
  /** Ids of the clauses that are violated, or a quirk, so far. */
  readonly found: Set<string>
  /** Names of listings with a fault that is reported already. */
  readonly faulty: Set<string>
  /** @throws {Violation} when there is no complete answer; for a request without query also when it is not JSON */
  ask(endpoint: Endpoint, query?: string, headers?: Headers): Promise<Answer>
  /** Returns where an endpoint redirected to, or null. */
  redirectOf(endpoint: Endpoint): string | null
  index(): Promise<Index>
  page(query?: string): Promise<Page>
}

export interface ServerOptions {
  readonly fetch: typeof fetch
  /** Shortest time between the starts of two requests, in ms. */
  readonly pauseMs: number
  /** Time limit of one request, its redirects and its body included, in ms. */
  readonly timeoutMs: number
}

export function createServer(baseUrl: string, options: ServerOptions): Server {
  const outcomes = new Map<string, Outcome>()
  /** Outcomes of plain requests whose answers cannot be read. */
  const broken = new Map<Endpoint, Outcome>()
  /** Addresses that the endpoints redirected to, and their parts before the path of the endpoint. */
  const redirects = new Map<Endpoint, { readonly target: string; readonly base: string | null }>()
  let evidence: Evidence | null = null
  let sent = 0
  let nextAt = 0

  async function fetchOnce(url: string, headers: Headers, signal: AbortSignal) {
    if (sent >= MOST_REQUESTS) throw new NotTested(`All ${MOST_REQUESTS} requests are sent.`)
    await delay(Math.max(0, nextAt - performance.now()), undefined, { signal })
    nextAt = performance.now() + options.pauseMs
    sent++
    return options.fetch(url, { headers: { accept: 'application/json', ...headers }, redirect: 'manual', signal })
  }

  async function send(endpoint: Endpoint, query: string, headers: Headers): Promise<Answer> {
    const path = endpoint + query
    const isPlain = query === '' && Object.keys(headers).length === 0
    const at = (clause: string) => (isPlain ? `${endpoint}: ${clause}` : null)
    await delay(Math.max(0, nextAt - performance.now()))
    const signal = AbortSignal.timeout(options.timeoutMs)
    const startedAt = performance.now()
    let url = (redirects.get(endpoint)?.base ?? baseUrl) + path
    try {
      for (let hops = 0; ; hops++) {
        const response = await fetchOnce(url, headers, signal)
        const target = redirectTarget(response, url)
        if (target === null) {
          const text = await readBody(response, at('size'))
          const tookMs = performance.now() - startedAt
          return { status: response.status, headers: response.headers, text, json: parseJson(text), tookMs }
        }
        if (hops === MOST_REDIRECTS)
          throw new Violation(`redirects more than ${MOST_REDIRECTS} times, at last to ${target}`, at('redirect'))
        url = target
        redirects.set(endpoint, { target, base: target.endsWith(path) ? target.slice(0, -path.length) : null })
      }
    } catch (error) {
      if (error instanceof Violation || error instanceof NotTested) throw error
      if (signal.aborted)
        throw new Violation(
          `gives no complete answer within ${options.timeoutMs / 1000} s. Clients give up.`,
          at('time'),
        )
      throw new Violation(failureText(error as Error), at('JSON'))
    }
  }

  async function tryOnce(endpoint: Endpoint, query: string, headers: Headers): Promise<Outcome> {
    const request = requestText(baseUrl + endpoint + query, headers)
    const isPlain = query === '' && Object.keys(headers).length === 0
    const outcome = await send(endpoint, query, headers).then(
      (answer): Outcome => ({
        answer,
        error: isPlain ? unreadable(endpoint, answer) : null,
        evidence: { request, status: answer.status, body: quote(answer.text) },
      }),
      (error: Error): Outcome => ({ answer: null, error, evidence: { request, status: null, body: '' } }),
    )
    // A limit of this program says nothing about the server.
    if (outcome.error instanceof NotTested) return outcome
    outcomes.set(request, outcome)
    if (isPlain && outcome.error) broken.set(endpoint, outcome)
    return outcome
  }

  async function ask(endpoint: Endpoint, query = '', headers: Headers = {}): Promise<Answer> {
    const known = broken.get(endpoint) ?? outcomes.get(requestText(baseUrl + endpoint + query, headers))
    const outcome = known ?? (await tryOnce(endpoint, query, headers))
    evidence = outcome.evidence
    if (outcome.answer === null || outcome.error) throw outcome.error
    return outcome.answer
  }

  return {
    baseUrl,
    get sent() {
      return sent
    },
    get evidence() {
      return evidence
    },
    found: new Set(),
    faulty: new Set(),
    ask,
    redirectOf: (endpoint) => redirects.get(endpoint)?.target ?? null,
    async index() {
      const document = parseBody(IndexDocumentSchema, await ask(INDEX), 'an index document', 'index: document')
      const { fields, plugins } = document
      const missing = INDEX_FIELDS.filter((field) => !fields.includes(field))
      if (missing.length > 0) throw new Violation(`lacks the columns ${missing.join(', ')}`, 'index: fields')
      const cells = (row: unknown) =>
        INDEX_FIELDS.map((field) => [field, Array.isArray(row) ? (row[fields.indexOf(field)] ?? null) : undefined])
      const rows = plugins.map((row) => Object.fromEntries(cells(row)) as Row)
      return { document, rows, listings: rows.filter((row): row is IndexListing => v.is(IndexListingSchema, row)) }
    },
    async page(query = '') {
      const answer = await ask(PLUGINS, query && `?${query}`)
      const { results, ...page } = parseBody(PageSchema, answer, 'a page of listings', null)
      const names = results.map((row) => Object(row).fullName as unknown).filter((name) => typeof name === 'string')
      const records = results.filter((row): row is PluginRecord => v.is(PluginRecordSchema, row))
      return { ...page, rows: results, names, records }
    },
  }
}

const PageSchema = v.object({
  total: v.pipe(v.number(), v.integer(), v.minValue(0)),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  results: v.array(v.unknown()),
})

function redirectTarget({ status, headers, body }: Response, url: string): string | null {
  const location = headers.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return null
  void body?.cancel()
  const target = URL.parse(location, url)
  if (!target || !/^https?:$/.test(target.protocol))
    throw new Violation(`redirects to ${location}, which is not a web address`)
  return target.href
}

/** Reads a body as text, up to the size that clients read. */
async function readBody({ body }: Response, clause: string | null): Promise<string> {
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > LIMITS.bodyBytes)
      throw new Violation(`is larger than ${LIMITS.bodyBytes.toLocaleString('en')} bytes. Clients refuse it.`, clause)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function failureText({ message, cause }: Error): string {
  const { code, message: reason } = Object(cause) as { code?: unknown; message?: unknown }
  if (String(code).startsWith('Z_') || String(code).startsWith('ERR_BROTLI'))
    return `has a compressed body that cannot be read: ${reason}`
  if (reason === 'bad port') return 'cannot be reached: browsers and fetch ask no server at this port. Use another one.'
  return `gives no complete answer: ${reason ?? message}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns why the plain answer of an endpoint cannot be read, or null. */
function unreadable(endpoint: Endpoint, answer: Answer): Violation | null {
  const clause = `${endpoint}: JSON`
  if (answer.status !== 200) return new Violation(`answers with status ${answer.status}`, clause)
  if (answer.json !== undefined) return null
  const encoding = answer.headers.get('content-encoding')
  if (encoding !== null && endsEarly(answer.text))
    return new Violation(`has a ${encoding} body that is cut: its JSON ends in the middle`, clause)
  return new Violation('is not JSON', clause)
}

/** Returns true for the beginning of a JSON document. Node decompresses a body that is cut as far as it goes. */
function endsEarly(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    const { message } = error as Error
    const position = /at position (\d+)/.exec(message)?.[1]
    return position === undefined ? message.includes('end of JSON') : Number(position) >= text.length
  }
}

const quote = (text: string) => (text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text)

const requestText = (url: string, headers: Headers) =>
  `GET ${url}${Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`)}`

function parseBody<S extends v.GenericSchema>(
  of: S,
  { status, json }: Answer,
  name: string,
  clause: string | null,
): v.InferOutput<S> {
  if (status !== 200) throw new Violation(`answers with status ${status}`)
  const parsed = v.safeParse(of, json)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new Violation(`is not ${name}: ${v.getDotPath(issue) ?? 'the body'}: ${issue.message}`, clause)
}

/** Returns the name that listings are compared by; of a row that has none, a name of its own. */
export const nameOf = (row: unknown, at: number): string => {
  const { fullName } = Object(row) as { readonly fullName?: unknown }
  return typeof fullName === 'string' ? listingKey(fullName) : `row ${at}`
}
