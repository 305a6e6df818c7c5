import * as v from 'valibot'
import { unwrap } from '../client/client-error.ts'
import { messagesFor } from '../messages/index.ts'
import type { UnmanagedReason } from '../protocol/index.ts'
import { plainText } from '../protocol/text.ts'
import type { Tool } from './tool.ts'

const MOST = 100

const input = v.strictObject({ check_updates: v.optional(v.boolean(), false) })

const WHY: Readonly<Record<UnmanagedReason, string>> = {
  store: 'This is the store itself, which these tools cannot manage.',
  'not-in-directory': 'It is not in the directory, so these tools cannot manage it.',
  'other-source': 'It comes from another source than the directory’s, so these tools cannot manage it.',
  directory: 'Directory not reachable, so these tools cannot manage it for now.',
}

/** Lists what is installed. */
export const installedTool: Tool<typeof input> = {
  input,
  async run({ check_updates }, { client, profile }) {
    const listed = unwrap(await client.host.calls[check_updates ? 'checkUpdates' : 'installed']({ profile }))
    const plugins = listed.slice(0, MOST).map((plugin) => ({
      package: plugin.name,
      id: plugin.listing,
      version: plugin.version,
      newer: plugin.latest,
      ...(plugin.waiting ? { newer_later: plainText(messagesFor('en').installedView.waiting(plugin.waiting)) } : {}),
      loaded: plugin.layer,
      state: plugin.state.kind,
      state_reason: plainText(messagesFor('en').pluginState.sentence(plugin.state), 300),
      removable: plugin.removable,
      why: plugin.unmanagedReason && WHY[plugin.unmanagedReason],
    }))
    return { ok: true, profile, count: listed.length, plugins }
  },
}
