import { readBody } from './body.ts'
import { HttpFailure, REQUEST, type Send } from './send.ts'

/**
 * Sends each request once, for callers with a back-off of their own and pages where every kilobyte counts.
 *
 * @param options.timeoutMs of a request, its body included
 * @param options.maxBodyBytes after decompression
 */
export function sendOnce(options: { fetch: typeof fetch; timeoutMs: number; maxBodyBytes: number }): Send {
  return async (url, call) => {
    const limit = AbortSignal.timeout(options.timeoutMs)
    const signal = call.signal ? AbortSignal.any([call.signal, limit]) : limit
    const response = await options.fetch(url, { ...REQUEST, signal })
    if (!response.ok) throw new HttpFailure(response)
    return { text: await readBody(response, options.maxBodyBytes, signal), status: response.status }
  }
}
