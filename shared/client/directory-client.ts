import * as v from 'valibot'
import {
  FullNameSchema,
  hidePasswords,
  IndexDocumentSchema,
  LIMITS,
  PAGE_SIZE,
  type PluginRecord,
  VERDICTS,
} from '../contract/index.ts'
import {
  BodyTooLarge,
  BodyTruncated,
  contractError,
  createVerifiedPlugins,
  type DirectoryClient,
  DirectoryError,
  describeIssue,
  findPlugin,
  getIndex,
  getPlugins,
  HttpFailure,
  indexUrl,
  type PluginsQuery,
  pagesOf,
  REQUEST,
  type Rejection,
  type Send,
  validateBaseUrl,
} from './core.ts'

export interface DirectoryClientOptions {
  /** Address of the directory: origin and perhaps a path prefix. */
  readonly baseUrl: string
  /** Called for every row that breaks the contract. */
  readonly onRejected?: (rejection: Rejection) => void
  /** Called with the records of every response, including those that a call skips. */
  readonly onRecords?: (records: readonly PluginRecord[]) => void
  /** Called as `fetch(url, {headers, signal, …})`; network failures must reject. @default globalThis.fetch */
  readonly fetch?: typeof fetch
  /** Time limit of one attempt, its body included, in ms. @default 10_000 */
  readonly timeoutMs?: number
  /** Time limit of one request with all its retries, in ms. @default 30_000 */
  readonly totalTimeoutMs?: number
  /** Retries of a request whose failure may be temporary. @default 2 */
  readonly retries?: number
}

/**
 * Creates a client of one directory, built on ky.
 *
 * @throws DirectoryError of kind `invalid` when `baseUrl` is not a plain http or https address
 * @example
 * const directory = createDirectoryClient({ baseUrl: BASE_URL })
 * for await (const { record } of directory.verifiedPlugins({ category: 'memory' })) console.log(record.fullName)
 */
export function createDirectoryClient(options: DirectoryClientOptions): DirectoryClient {
  const { onRejected, onRecords } = options
  const baseUrl = validateBaseUrl(options.baseUrl)
  const send = createKySend({
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs: options.timeoutMs ?? 10_000,
    totalTimeoutMs: options.totalTimeoutMs ?? 30_000,
    retries: options.retries ?? 2,
  })
  const plugins: DirectoryClient['plugins'] = async (query = {}, call) => {
    validateQuery(query, baseUrl)
    const page = await getPlugins(send, { baseUrl, onRejected }, query, call)
    onRecords?.(page.records)
    return page
  }
  return {
    baseUrl,
    plugins,
    async index(call = {}) {
      const parsed = v.safeParse(IndexDocumentSchema, await getIndex(send, baseUrl, call))
      if (parsed.success) return parsed.output
      throw contractError(indexUrl(baseUrl), `no index document: ${describeIssue(parsed.issues[0])}`)
    },
    async *allPlugins(query = {}, call = {}) {
      for await (const { records } of pagesOf({ baseUrl, plugins }, query, call)) yield* records
    },
    async plugin(fullName, call = {}) {
      validateFullName(fullName, baseUrl)
      return findPlugin({ plugins }, fullName, call)
    },
    verifiedPlugins: createVerifiedPlugins({ baseUrl, plugins }),
  }
}

interface KyOptions {
  readonly fetch: typeof fetch
  /** Time limit of one attempt, its body included, ms. */
  readonly timeoutMs: number
  /** Time limit of all attempts and the waits between them, ms. */
  readonly totalTimeoutMs: number
  readonly retries: number
}

/** A longer `Retry-After` ends the call instead of delaying the next attempt. */
const MAX_WAIT_MS = 5_000

/** Creates a `Send` that retries temporary failures: network failures, truncated bodies, 408, 429 and 5xx. */
function createKySend(options: KyOptions): Send {
  // At its import, ky checks the features of `fetch`, which makes Node load all of it: 100 ms that only a request needs.
  let loading: ReturnType<typeof createKy> | null = null
  return async (url, { signal, retries, timeoutMs, totalTimeoutMs }) => {
    loading ??= createKy(options).catch((error) => {
      // Too many files are open, for example: the next request tries again.
      loading = null
      throw error
    })
    const { http, isHTTPError, isTimeoutError } = await loading
    try {
      const response = await http(url, {
        ...(signal && { signal }),
        ...(retries !== undefined && { retry: { limit: retries } }),
        ...(timeoutMs !== undefined && { timeout: timeoutMs }),
        ...(totalTimeoutMs !== undefined && { totalTimeout: totalTimeoutMs }),
      })
      return { text: await response.text(), status: response.status }
    } catch (cause) {
      if (isHTTPError(cause)) throw new HttpFailure(cause.response.status, retryAfterMs(cause.response.headers))
      if (isTimeoutError(cause)) throw new DOMException(cause.message, 'TimeoutError')
      throw cause
    }
  }
}

async function createKy(options: KyOptions) {
  const { default: ky, isHTTPError, isTimeoutError } = await import('ky')
  const http = ky.create({
    headers: REQUEST.headers!,
    timeout: options.timeoutMs,
    totalTimeout: options.totalTimeoutMs,
    retry: {
      limit: options.retries,
      backoffLimit: MAX_WAIT_MS,
      maxRetryAfter: MAX_WAIT_MS,
      jitter: (delay) => delay * (0.5 + Math.random()),
      shouldRetry({ error }) {
        if (error instanceof BodyTruncated) return true
        if (isHTTPError(error) && retryAfterMs(error.response.headers) > MAX_WAIT_MS) return false
        return undefined
      },
    },
    // Reads the body within the attempt, so that the time limit and the retries cover it too.
    fetch: async (input) => {
      const request = input as Request
      const response = await options.fetch(request.url, {
        ...REQUEST,
        headers: Object.fromEntries(request.headers),
        signal: request.signal,
      })
      if (!response.ok) {
        // The connection may be gone already.
        void response.body?.cancel().catch(() => {})
        return new Response(null, { status: response.status, headers: response.headers })
      }
      const text = await readBody(response, LIMITS.bodyBytes, request.signal)
      return new Response(text === '' ? null : text, { status: response.status, headers: response.headers })
    },
  })
  return { http, isHTTPError, isTimeoutError }
}

/** Returns the wait of `Retry-After`, ms, or 0 without one. A page can read it only when CORS exposes it. */
function retryAfterMs(headers: Headers): number {
  const value = headers.get('retry-after')
  if (value === null) return 0
  const seconds = Number(value)
  return Number.isNaN(seconds) ? Date.parse(value) - Date.now() || 0 : seconds * 1000
}

/**
 * Reads a body as UTF-8 text, and cancels it as soon as it is too large: `Content-Length` may be wrong or missing.
 *
 * @param limit in bytes, after decompression
 * @throws BodyTooLarge, BodyTruncated, or the signal's reason
 */
async function readBody(response: Response, limit: number, signal?: AbortSignal | null): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  // The connection may be gone already.
  const stop = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', stop)
  try {
    const decoder = new TextDecoder()
    let text = ''
    for (let size = 0; ; ) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        signal?.throwIfAborted()
        throw new BodyTruncated('the connection ended before the body did', { cause })
      })
      signal?.throwIfAborted()
      if (done) return text + decoder.decode()
      size += value.byteLength
      if (size > limit) throw new BodyTooLarge(limit)
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}

// Arguments

const { queryLength } = LIMITS
const pageSizeRule = `a whole number from ${PAGE_SIZE.min} to ${PAGE_SIZE.max}`
const pageRule = 'a whole number from 1'
const wholeNumber = (min: number, max: number, rule: string) =>
  v.pipe(v.number(rule), v.integer(rule), v.minValue(min, rule), v.maxValue(max, rule))

const QuerySchema = v.strictObject({
  q: v.optional(v.pipe(v.string('text'), v.maxLength(queryLength, `at most ${queryLength} characters`))),
  category: v.optional(v.pipe(v.string('text'), v.nonEmpty('a category id'), v.maxLength(100, 'a category id'))),
  limit: v.optional(wholeNumber(PAGE_SIZE.min, PAGE_SIZE.max, pageSizeRule)),
  installCheck: v.optional(v.picklist(VERDICTS, `one of ${VERDICTS.join(', ')}`)),
  page: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER, pageRule)),
})

/** @throws DirectoryError of kind `invalid`, whose message names the argument and its rule */
function validateQuery(query: PluginsQuery, baseUrl: string): void {
  check(QuerySchema, query, baseUrl)
}

/** @throws DirectoryError of kind `invalid` when `fullName` is not `owner/repo` or `owner/repo#sub/path` */
function validateFullName(fullName: string, baseUrl: string): void {
  check(v.object({ fullName: FullNameSchema }), { fullName }, baseUrl)
}

function check(schema: v.GenericSchema, value: unknown, url: string): void {
  const result = v.safeParse(schema, value)
  if (result.success) return
  const [issue] = result.issues
  const name = v.getDotPath(issue) ?? 'query'
  const expected = issue.type === 'strict_object' ? 'no argument of this call' : issue.message
  const message = `Nothing was sent: ${name} must be ${expected}, not ${issue.received}.`
  throw new DirectoryError(hidePasswords(message), { kind: 'invalid', url })
}
