import type { ManagerRequest, ManagerResponse, ManagerXhr } from './types.ts'

export interface ManagerFetchOptions {
  /** A request the manager has not ended by then has failed; a safety net under the caller's own limits. ms */
  readonly timeoutMs: number
  /**
   * A body that grows past this is no longer waited for, and arrives as one byte more than this: enough for a reader
   * with the same limit to refuse it. A manager buffers the whole body, so the reader alone would be too late.
   */
  readonly maxBytes: number
}

/** Statuses whose Response must not have a body. */
const BODILESS = [204, 205, 304]

/**
 * `fetch` over a manager's request function, which is not bound by the page's Content-Security-Policy.
 *
 * Like `fetch`: an answer of any status resolves; a failed connection rejects with `TypeError('Failed to fetch')`, the
 * text by which retrying clients know a network failure; an abort rejects with the signal's reason. Requests carry no
 * cookies and no body. Unlike it, an answer has no headers and does not say where it came from: nobody asks.
 */
export function managerFetch(xhr: ManagerXhr, options: ManagerFetchOptions): typeof fetch {
  return (input, init) => {
    const request = new Request(input, init)
    return new Promise<Response>((resolve, reject) => {
      const { signal } = request
      signal.throwIfAborted()
      let handle: unknown
      const settle = (end: () => void) => {
        signal.removeEventListener('abort', onAbort)
        end()
      }
      const fail = (cause?: unknown) => settle(() => reject(new TypeError('Failed to fetch', { cause })))
      const onAbort = () => {
        settle(() => reject(signal.reason))
        abort(handle)
      }
      signal.addEventListener('abort', onAbort)
      const details: ManagerRequest = {
        method: request.method,
        url: request.url,
        headers: Object.fromEntries(request.headers),
        responseType: 'blob',
        anonymous: true,
        timeout: options.timeoutMs,
        onload(answer) {
          try {
            settle(() => resolve(toResponse(answer)))
          } catch (error) {
            fail(error)
          }
        },
        onerror: fail,
        ontimeout: fail,
        onabort: fail,
        onprogress: ({ loaded = 0, total = 0 }) => {
          if (Math.max(loaded, total) <= options.maxBytes) return
          settle(() => resolve(new Response(new Uint8Array(options.maxBytes + 1))))
          abort(handle)
        },
      }
      // GM.xmlHttpRequest also tells its failures through a promise; the callbacks have told them already.
      const ask = async () => (handle = xhr(details))
      ask().catch(fail)
    })
  }
}

/** @throws for status 0 and the like: what a manager calls loaded and fetch calls a failure */
function toResponse({ status, response, responseText }: ManagerResponse): Response {
  return new Response(BODILESS.includes(status) ? null : ((response ?? responseText) as BodyInit), { status })
}

function abort(handle: unknown): void {
  try {
    ;(handle as { abort?: () => void } | undefined)?.abort?.()
  } catch {
    // Some managers throw when the request is already over.
  }
}
