/** Builds responses: JSON, CORS, validators. Runs in Node, and in a worker of an edge runtime. */

/** CORS header that allows every origin. */
export const CORS = { 'access-control-allow-origin': '*' }
/** CORS headers that allow every origin, and let its scripts read `ETag`. */
const CORS_WITH_ETAG = { ...CORS, 'access-control-expose-headers': 'ETag' }

const ALLOW = 'GET, HEAD, OPTIONS'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Escapes text for HTML and XML. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!)

/** A JSON document with its validator. */
export interface JsonDocument {
  readonly text: string
  readonly etag: string
}

export function jsonDocument(value: unknown): JsonDocument {
  const text = JSON.stringify(value)
  return { text, etag: `W/"${digest(text)}"` }
}

/** Returns the document: 200, or 304 when the caller has it already. */
export function jsonResponse(request: Request, { text, etag }: JsonDocument, cacheControl: string): Response {
  const headers = {
    ...CORS_WITH_ETAG,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': cacheControl,
    vary: 'Accept-Encoding',
    etag,
  }
  const response = new Response(request.method === 'HEAD' ? null : text, { headers })
  return notModified(request, response) ?? response
}

/** Returns the 304 response if `If-None-Match` names the validator of the response, else null. */
export function notModified(request: Request, { headers }: Response): Response | null {
  const etag = headers.get('etag')
  const isKnown = etag !== null && matchesEtag(request.headers.get('if-none-match'), etag)
  return isKnown ? new Response(null, { status: 304, headers }) : null
}

/** Returns 64 bits of the text in hex. Not cryptographic: crypto.subtle is missing in pages served over plain http. */
function digest(text: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x9e3779b1)
    b = Math.imul(b ^ unit, 0x5f356495)
    a ^= a >>> 15
    b ^= b >>> 13
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}

/** Returns true if `If-None-Match` names this validator, by weak comparison. */
function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}

/** The part of a request that errors need; not every method is allowed in a Request. */
type AnyMethod = { readonly method: string }

export function errorResponse(
  { method }: AnyMethod,
  status: number,
  error: string,
  headers: Record<string, string> = CORS,
): Response {
  return new Response(method === 'HEAD' ? null : JSON.stringify({ error }), {
    status,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  })
}

/** Returns the 404 response for a path that is not an endpoint. */
export function notFound(request: AnyMethod): Response {
  return errorResponse(request, 404, 'No such endpoint. There are GET /api/v1/plugins and GET /api/v1/index.')
}

/** Returns the 405 response for any method except GET, HEAD and OPTIONS. */
export function methodNotAllowed(request: AnyMethod): Response {
  const error = `${request.method} is not allowed here. The API is read-only: use GET.`
  return errorResponse(request, 405, error, { ...CORS, allow: ALLOW })
}

/** Returns the response to OPTIONS, which may be a preflight. */
export function optionsResponse(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS,
      allow: ALLOW,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-max-age': '600',
      'access-control-allow-headers': 'If-None-Match',
    },
  })
}

/** Values that are computed once for the requests that ask for the same. Forgets the oldest when they are too large. */
export class Kept<T> {
  readonly #values = new Map<string, { readonly value: T; readonly size: number }>()
  readonly #limit: number
  #size = 0

  /** @param limit of all sizes and the lengths of all keys together, in characters */
  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): T | undefined {
    return this.#values.get(key)?.value
  }

  /** @param size in characters @returns the value */
  set(key: string, value: T, size: number): T {
    const whole = key.length + size
    this.#size += whole - (this.#values.get(key)?.size ?? 0)
    this.#values.set(key, { value, size: whole })
    for (const [oldest, { size: freed }] of this.#values) {
      if (this.#size <= this.#limit) break
      this.#values.delete(oldest)
      this.#size -= freed
    }
    return value
  }
}
