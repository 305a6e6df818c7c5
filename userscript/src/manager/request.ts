import { BodyTooLarge, HttpFailure, REQUEST, type Send } from '@plugmark/shared/client/core'
import type { ManagerRequest, ManagerResponse, ManagerXhr } from './manager.ts'

/** A manager's own time limit, for managers that cannot abort a request. ms */
const LINGER_MS = 60_000

/**
 * Sends each request once, through a manager, which is not bound by the page's Content-Security-Policy. Its callers have
 * a back-off of their own, and limits behind these: a call's signal is not heeded, and what the server asks to wait is
 * not read.
 *
 * @param options.timeoutMs of a request, its body included
 * @param options.maxBytes of a body: one that grows past it is no longer waited for
 */
export function managerSend(xhr: ManagerXhr, options: { timeoutMs: number; maxBytes: number }): Send {
  const { timeoutMs, maxBytes } = options
  const read = async ({ status, response, responseText }: ManagerResponse) => {
    // What some managers call loaded, though nothing was.
    if (status === 0) throw new TypeError('Failed to fetch')
    if (status < 200 || status > 299) throw new HttpFailure(status)
    const body = await new Response((response ?? responseText) as BodyInit).blob()
    if (body.size > maxBytes) throw new BodyTooLarge(maxBytes)
    return { status, text: await body.text() }
  }
  return (url) =>
    new Promise((resolve, reject) => {
      let handle: unknown
      const stop = (cause: unknown) => {
        reject(cause)
        abort(handle)
      }
      // Of a request that is over, nothing is left to stop.
      setTimeout(() => stop(new DOMException('', 'TimeoutError')), timeoutMs)
      const details: ManagerRequest = {
        method: 'GET',
        url,
        headers: REQUEST.headers,
        responseType: 'blob',
        anonymous: true,
        timeout: LINGER_MS,
        onload: (answer) => resolve(read(answer)),
        onerror: reject,
        ontimeout: reject,
        onabort: reject,
        onprogress({ loaded = 0, total = 0 }) {
          if (Math.max(loaded, total) > maxBytes) stop(new BodyTooLarge(maxBytes))
        },
      }
      // GM.xmlHttpRequest also rejects its promise; the callbacks have reported the failure already.
      const ask = async () => {
        handle = xhr(details)
        await handle
      }
      ask().catch(reject)
    })
}

function abort(handle: unknown): void {
  try {
    ;(handle as { abort?: () => void } | undefined)?.abort?.()
  } catch {
    // Some managers throw when the request is already over.
  }
}
