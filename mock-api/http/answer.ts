/** How answers are made, whatever they say: JSON, CORS, validators. Runs in a page, a worker and Node. */

/** Open to every origin; `ETag` is readable by scripts. */
const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag' }
/** Open to every origin, and nothing more. */
export const PLAIN_CORS = { 'access-control-allow-origin': '*' }

/** Options that differ between the contract and the live service. */
export interface AnswerStyle {
  /** Scripts of other origins may read `ETag` and send `If-None-Match`. */
  readonly validators: boolean
  /** Errors of the server itself carry CORS headers. */
  readonly corsOnServerErrors: boolean
}

export const CONTRACT_STYLE: AnswerStyle = { validators: true, corsOnServerErrors: true }
export const LIVE_STYLE: AnswerStyle = { validators: false, corsOnServerErrors: false }

/** A body with its validator. Weak: the same text is served in several content codings. */
export interface Document {
  readonly text: string
  readonly etag: string
}

export function documentOf(value: unknown): Document {
  const text = JSON.stringify(value)
  return { text, etag: `W/"${digest(text)}"` }
}

/** 64 bits of the text, in hex. Not cryptographic: crypto.subtle is missing in pages that were not served securely. */
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

/** Weak comparison against a list of validators. */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}

/** A body that is encoded when somebody reads it: a transport that has the document in a coding never does. */
function lazyBody(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(text))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** 200 with the document, 304 when the caller has it; HEAD gets the headers alone. */
export function documentResponse(
  request: Request,
  { text, etag }: Document,
  cacheControl: string,
  style: AnswerStyle,
): Response {
  const headers = {
    ...(style.validators ? CORS : PLAIN_CORS),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': cacheControl,
    vary: 'Accept-Encoding',
    etag,
  }
  if (matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  return new Response(request.method === 'HEAD' ? null : lazyBody(text), { headers })
}

/** What an error needs of its request; not every method fits into a Request. */
type AnyMethod = { readonly method: string }

/** A JSON error. */
export function errorResponse(
  request: AnyMethod,
  status: number,
  error: string,
  headers: Record<string, string> = PLAIN_CORS,
): Response {
  return new Response(request.method === 'HEAD' ? null : JSON.stringify({ error }), {
    status,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  })
}

/** 404 for everything that is no endpoint. */
export function notFound(request: AnyMethod): Response {
  return errorResponse(request, 404, 'No such endpoint. There are GET /api/v1/plugins and GET /api/v1/index.')
}

const METHODS = 'GET, HEAD, OPTIONS'

/** 405 for a method the endpoints do not have. */
export function methodNotAllowed(request: AnyMethod): Response {
  const headers = { ...PLAIN_CORS, allow: METHODS }
  return errorResponse(request, 405, `${request.method} is not allowed here. The API is read-only: use GET.`, headers)
}

/** Answer to OPTIONS, a preflight included. */
export function preflight({ validators }: AnswerStyle): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...PLAIN_CORS,
      allow: METHODS,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-max-age': '600',
      ...(validators ? { 'access-control-allow-headers': 'If-None-Match' } : {}),
    },
  })
}
