import type { Page } from 'playwright/test'

/** Answer of the console to a call. */
export interface Reply {
  readonly ok?: boolean
  readonly code?: string
  readonly value?: { readonly token?: string; readonly id?: string }
}

/**
 * Sends frames over a WebSocket that the page opens, and so with the page's origin.
 *
 * @param options.inTurn true to send each frame after the answer to the previous one
 * @returns the answer to each frame; null for a frame without an id, which cannot be answered
 */
export async function send(
  page: Page,
  console: string,
  frames: readonly string[],
  { inTurn = false } = {},
): Promise<(Reply | null)[]> {
  const address = `${console.replace('http', 'ws')}/status`
  const answered = frames.filter((text) => /"id":\d+\}$/.test(text)).length
  return page.evaluate(
    async ([address, frames, answered, inTurn]) => {
      const socket = new WebSocket(address)
      await new Promise((opened, failed) => {
        socket.onopen = opened
        socket.onerror = failed
      })
      const replies = new Map<unknown, Reply>()
      const { promise, resolve } = Promise.withResolvers<void>()
      let next = () => {}
      socket.onmessage = ({ data }) => {
        const { type, body } = JSON.parse(data)
        if (type !== 'response') return
        replies.set(body.id, body.value ?? { ok: false, code: body.error })
        next()
        if (replies.size === answered) resolve()
      }
      for (const frame of frames) {
        const isAnswered = new Promise<void>((resolve) => {
          next = resolve
        })
        socket.send(frame)
        if (inTurn) await isAnswered
      }
      await promise
      socket.close()
      return frames.map((_, index) => replies.get(index) ?? null)
    },
    [address, [...frames], answered, inTurn] as const,
  )
}

/** Returns a call as the text of a frame. */
export const frame = (call: string, input: unknown, id = 0) =>
  JSON.stringify({ type: `plugmark/${call}`, args: [input], id })

/** Returns the code of each refusal, and true for each other answer. */
export const codes = (replies: (Reply | null)[]) => replies.map((reply) => reply?.code ?? reply?.ok)
