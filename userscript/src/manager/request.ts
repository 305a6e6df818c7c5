import { BodyTooLarge, HttpFailure, REQUEST, type Send } from '@plugmark/shared/client/core'
import { report } from '../base/report.ts'
import type { ManagerRequest, ManagerResponse, ManagerXhr } from './manager.ts'

/** A manager's own time limit, for managers that cannot abort a request. ms */
const LINGER_MS = 60_000

/**
 * Creates a function that sends each request once, through a manager, which the page's Content-Security-Policy does not
 * restrict. Callers have their own back-off and time limits, so a call's signal and `Retry-After` are ignored.
 *
 * @param options.timeoutMs time limit of a request, including the body
 * @param options.maxBytes size limit of a body; a larger one ends the request
 */
export function managerSend(xhr: ManagerXhr, options: { timeoutMs: number; maxBytes: number }): Send {
  const { timeoutMs, maxBytes } = options
  const read = async ({ status, response, responseText }: ManagerResponse) => {
    // Some managers report a load although nothing was loaded.
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
      const timer = setTimeout(() => stop(new DOMException('', 'TimeoutError')), timeoutMs)
      const fail = (cause: unknown) => {
        clearTimeout(timer)
        reject(cause)
      }
      const details: ManagerRequest = {
        method: 'GET',
        url,
        headers: REQUEST.headers,
        responseType: 'blob',
        anonymous: true,
        timeout: LINGER_MS,
        onload(answer) {
          clearTimeout(timer)
          resolve(read(answer))
        },
        onerror: fail,
        ontimeout: () => fail(new TypeError('The manager timed out.')),
        onabort: () => fail(new TypeError('The manager aborted the request.')),
        onprogress({ loaded = 0, total = 0 }) {
          if (Math.max(loaded, total) > maxBytes) stop(new BodyTooLarge(maxBytes))
        },
      }
      // GM.xmlHttpRequest also rejects its promise, after the callbacks have reported the failure.
      const ask = async () => {
        handle = xhr(details)
        await handle
      }
      ask().catch(fail)
    })
}

function abort(handle: unknown): void {
  try {
    ;(handle as { abort?: () => void } | undefined)?.abort?.()
  } catch (error) {
    // Some managers throw when the request has already ended.
    report('request: abort', error)
  }
}
