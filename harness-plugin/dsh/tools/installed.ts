import * as v from 'valibot'
import type { StoreBridge, UnmanagedReason } from '../../protocol/index.ts'
import { type Tool, unlessAborted } from './tool.ts'

const MOST = 100

const input = v.strictObject({ check_updates: v.optional(v.boolean(), false) })

const WHY: Readonly<Record<UnmanagedReason, string>> = {
  store: 'This is the store itself, which these tools cannot manage.',
  'not-in-directory': 'It is not in the directory, so these tools cannot manage it.',
  'other-source': 'It comes from another source than the directory’s, so these tools cannot manage it.',
  directory: 'Directory not reachable, so these tools cannot manage it for now.',
}

/** Creates the tool that lists what is installed. */
export const installedTool = (store: StoreBridge): Tool<typeof input> => ({
  input,
  async run({ check_updates }, { signal }) {
    const overview = await store.call('overview', {})
    if (!overview.ok) return overview
    const { profile } = overview.value
    const listed = await unlessAborted(signal, store.call(check_updates ? 'checkUpdates' : 'installed', { profile }))
    if (!listed.ok) return listed
    const plugins = listed.value.slice(0, MOST).map((plugin) => ({
      package: plugin.name,
      id: plugin.listing,
      version: plugin.version,
      newer: plugin.latest,
      loaded: plugin.layer,
      removable: plugin.removable,
      why: plugin.unmanagedReason && WHY[plugin.unmanagedReason],
    }))
    return { ok: true, profile, count: listed.value.length, plugins }
  },
})
