import type { InstalledPlugin, StoreListing, SyncPlan } from '../protocol/index.ts'
import { parseReference } from './query.ts'
import { resolveListing } from './resolve.ts'

/** Returns the plan of a file, with what an install would take for each line that only names a plugin. */
export function withNamedLines(
  plan: SyncPlan,
  rows: readonly StoreListing[],
  installed: readonly InstalledPlugin[],
): SyncPlan {
  const [changes, present, unread]: [SyncPlan['changes'][number][], string[], SyncPlan['unread'][number][]] = [
    [...plan.changes],
    [...plan.present],
    [],
  ]
  for (const line of plan.unread) {
    const isName = line.why === 'not-listed' || line.why === 'not-understood'
    const found = isName ? resolveListing(rows, parseReference(line.text), { byName: true }) : { listing: null }
    if ('several' in found) unread.push({ ...line, why: 'several' })
    else if (found.listing === null) unread.push(line)
    else {
      const { id, npmPackage } = found.listing
      if (installed.some(({ listing }) => listing === id)) present.push(id)
      else if (!changes.some((change) => change.id === id)) changes.push({ ...NAMED, id, package: npmPackage })
    }
  }
  return { ...plan, changes, present, unread }
}

const NAMED = { action: 'install', isSpec: false, version: null, commit: null, hold: null } as const
