import { isDoubtful } from '@plugmark/shared/contract'
import type { StoreListing } from '../../protocol/index.ts'
import type { Store } from '../store.ts'

/** The state that the one button of a row shows; `review` when an install needs a decision first. */
export type RowState = 'installed' | 'updatable' | 'queued' | 'working' | 'not-installable' | 'review' | 'installable'

export function stateOfRow(
  { id, installable, verdict }: StoreListing,
  { jobs, profile, installed: { updatable } }: Pick<Store, 'jobs' | 'profile' | 'installed'>,
  installed: ReadonlySet<string>,
): RowState {
  const unfinished = jobs.unfinished(id, profile.value)
  if (unfinished) return unfinished.state === 'queued' ? 'queued' : 'working'
  if (installed.has(id)) return updatable.value.has(id) ? 'updatable' : 'installed'
  if (!installable) return 'not-installable'
  return verdict === 'needs-approval' || isDoubtful(verdict) ? 'review' : 'installable'
}
