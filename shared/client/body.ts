/** The answer is larger than the caller accepts. */
export class BodyTooLarge extends Error {
  readonly limit: number
  constructor(limit: number) {
    super(`the body is larger than ${limit} bytes`)
    this.limit = limit
  }
}

/** The connection ended before the body did. */
export class BodyTruncated extends Error {}

/**
 * Reads a body as UTF-8 text and stops as soon as it is too large: what is announced does not bind a server, what
 * arrives does.
 *
 * @param limit in bytes, after decompression
 * @throws BodyTooLarge, BodyTruncated, or the signal's reason
 */
export async function readBody(response: Response, limit: number, signal?: AbortSignal | null): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const stop = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', stop)
  try {
    const decoder = new TextDecoder()
    let text = ''
    for (let size = 0; ; ) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        signal?.throwIfAborted()
        throw new BodyTruncated('the connection ended before the answer did', { cause })
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
