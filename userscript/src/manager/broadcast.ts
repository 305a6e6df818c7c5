/**
 * Speaks to the other tabs of this origin. A page that is left keeps its channel: the browser that has put it away, and
 * would have to give it a message, drops it, so that it is loaded anew when the person comes back (seen in Chromium).
 */
export interface Channel {
  post(message: string | null): void
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
    try {
      channel ??= new BroadcastChannel(name)
      channel.onmessage = ({ data }) => onMessage(data)
    } catch {
      // Not in every manager's sandbox.
    }
  }
  setTimeout(open)
  return {
    post(message) {
      open()
      channel?.postMessage(message)
    },
  }
}
