import { readBody } from './body.ts'
import { HttpFailure, REQUEST, type Send } from './send.ts'

/**
 * Sends each request once, for callers with a back-off of their own and pages where every kilobyte counts. What the server
 * asks to wait is not read.
 *
 * @param options.timeoutMs of a request, its body included
 * @param options.maxBodyBytes after decompression
 */
export function sendOnce(options: { fetch: typeof fetch; timeoutMs: number; maxBodyBytes: number }): Send {
  return async (url, call) => {
    // Not AbortSignal.timeout: where Firefox runs userscripts it often throws, saying that it finds no window.
    const limit = new AbortController()
    // Of a request that is over, nothing is left to abort.
    setTimeout(() => limit.abort(new DOMException('', 'TimeoutError')), options.timeoutMs)
    const { signal } = limit
    // Nor AbortSignal.any, which Safari has since 17.4.
    call.signal?.throwIfAborted()
    call.signal?.addEventListener('abort', () => limit.abort())
    const response = await options.fetch(url, { ...REQUEST, signal })
    if (!response.ok) throw new HttpFailure(response.status)
    return { text: await readBody(response, options.maxBodyBytes, signal), status: response.status }
  }
}
