import { report } from '../base/report.ts'

/**
 * Sends to the other tabs of this origin. A page in the back/forward cache keeps its channel: a browser that would have to
 * deliver a message to it evicts it, so that it is loaded again when the person comes back (seen in Chromium).
 */
export interface Channel {
  post(message: string | null): void
}

/**
 * Opens a channel between the tabs of this origin, in a task of its own. Where there is no BroadcastChannel, nothing is
 * sent and nothing arrives.
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
      // Not in every manager's sandbox.
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
