/** The directory as a worker of an edge runtime: the API of this package, behind the runtime's cache. */
import text from 'virtual:catalogue'
import { createApi } from '../../api/api.ts'
import { errorResponse, notFound, notModified } from '../../api/responses.ts'

/** The part of the runtime that this file uses. */
interface Cache {
  match(key: string): Promise<Response | undefined>
  put(key: string, response: Response): Promise<void>
}
declare const caches: { readonly default: Cache }
interface Context {
  /** Keeps the worker alive until the promise settles. */
  waitUntil(promise: Promise<unknown>): void
}

/** `plugmark-directory worker` writes this file. */
const { digest, catalogue } = JSON.parse(text)
const respond = createApi({ catalogue })

/** Parameters of `/api/v1/plugins`. Others change no answer, so they are not part of a cache key. */
const PARAMETERS = ['q', 'category', 'installCheck', 'limit', 'page']

/** Removes parameters that change no answer, and sorts the others. */
function normalise(address: string): URL {
  const url = new URL(address)
  const known = new URLSearchParams()
  for (const name of url.pathname.endsWith('/plugins') ? PARAMETERS : []) {
    const value = url.searchParams.get(name)
    if (value !== null) known.set(name, value)
  }
  url.search = `${known}`
  return url
}

/** Returns the response of the API to GET, from the cache where it has one. */
async function get(url: URL, context: Context): Promise<Response> {
  const key = new URL(url)
  // Another catalogue has other keys, so that nothing of an old one is served after an update.
  key.searchParams.set('catalogue', digest)
  const cached = await caches.default.match(key.href)
  if (cached !== undefined) return cached
  const response = respond(new Request(url)) ?? notFound({ method: 'GET' })
  if (response.headers.has('etag')) context.waitUntil(caches.default.put(key.href, response.clone()))
  return response
}

export default {
  async fetch(request: Request, _environment: unknown, context: Context): Promise<Response> {
    const url = normalise(request.url)
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return respond(new Request(url, { method: request.method })) ?? notFound(request)
      const response = await get(url, context)
      return notModified(request, response) ?? (request.method === 'HEAD' ? new Response(null, response) : response)
    } catch (error) {
      console.error(error)
      return errorResponse(request, 500, 'Internal server error')
    }
  },
}
