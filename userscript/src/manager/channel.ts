/** Speaks to the other tabs of this origin, as long as the page is not put away. */
export interface Channel {
  post(message: string): void
}

/**
 * Opens a channel between the tabs of this origin, in a task of its own. Where there are none, nobody is told and nothing
 * comes.
 *
 * @param name the same in every tab
 */
export function openChannel(name: string, onMessage: (message: unknown) => void): Channel {
  let channel: BroadcastChannel | null = null
  const open = () => {
    if (channel !== null) return
    try {
      channel = new BroadcastChannel(name)
      channel.onmessage = ({ data }) => onMessage(data)
    } catch {
      // Not in every manager's sandbox.
    }
  }
  setTimeout(() => {
    open()
    // An open channel can keep a page out of the browser's back/forward cache.
    addEventListener('pagehide', () => {
      channel?.close()
      channel = null
    })
    addEventListener('pageshow', open)
  })
  return {
    post(message) {
      open()
      channel?.postMessage(message)
    },
  }
}
