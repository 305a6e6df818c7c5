import { report } from '../base/report.ts'

/**
 * Sends to the other tabs of this origin. A page in the back/forward cache keeps its channel. A browser that would have
 * to deliver a message to it evicts the page, so that it is loaded again when the user returns (seen in Chromium).
 */
export interface Channel {
  post(message: string | null): void
}

/**
 * Opens a channel between the tabs of this origin, in a separate task. Without BroadcastChannel, nothing is sent and
 * nothing arrives.
 *
 * @param name the same in every tab
 */
export function openChannel(name: string, onMessage: (message: unknown) => void): Channel {
  let channel: BroadcastChannel | null = null
  const open = () => {
    try {
      channel ??= new BroadcastChannel(name)
      channel.onmessage = ({ data }) => onMessage(data)
    } catch (error) {
      // Not every manager's sandbox has it.
      report('channel', error)
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
