import { isDoubtful } from '@plugmark/shared/contract'
import type { StoreListing } from '../../protocol/index.ts'
import type { Store } from '../create-store.ts'

/**
 * The state that the one button of a row shows. `review`: an install needs a decision first. `retry`: the plugin did not
 * start here.
 */
export type RowState =
  | 'installed'
  | 'updatable'
  | 'queued'
  | 'working'
  | 'not-installable'
  | 'review'
  | 'retry'
  | 'installable'

export function stateOfRow(
  { id, installable, verdict }: StoreListing,
  {
    jobs,
    profile,
    installed: { updatable },
    fits: { misfits },
  }: Pick<Store, 'jobs' | 'profile' | 'installed' | 'fits'>,
  installed: ReadonlySet<string>,
): RowState {
  const unfinished = jobs.unfinished(id, profile.value)
  if (unfinished) return unfinished.state === 'queued' ? 'queued' : 'working'
  if (installed.has(id)) return updatable.value.has(id) ? 'updatable' : 'installed'
  if (!installable) return 'not-installable'
  const misfit = misfits.value.get(id)
  if (misfit?.reason === 'did-not-start') return 'retry'
  if (misfit !== undefined) return 'review'
  return verdict === 'needs-approval' || isDoubtful(verdict) ? 'review' : 'installable'
}
