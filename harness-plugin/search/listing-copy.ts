import type { CatalogueStatus, ListingsPage, StoreListing } from '../protocol/index.ts'

/** Copies the listings of a host page by page. A new revision starts at row 0, and removes old rows only at its end. */
export function createListingCopy() {
  const byId = new Map<string, StoreListing>()
  /** Ids of the previous revision that the current one has not had so far. */
  let stale = new Set<string>()
  let revision: number | null = null
  let next = 0

  function add(rows: readonly StoreListing[]) {
    for (const row of rows) {
      byId.set(row.id, row)
      stale.delete(row.id)
    }
  }

  return {
    /** Returns the position of the next page. */
    next: () => next,
    rows: (): StoreListing[] => [...byId.values()],
    /** Adds rows from the answer to another call. */
    add,
    /** Returns true if the host has no further rows. */
    isComplete: (status: Pick<CatalogueStatus, 'revision' | 'end'>): boolean =>
      status.revision === revision && status.end === next,
    /** Adds a page. @returns true if there are more pages */
    take({ status, from, next: following, rows }: ListingsPage): boolean {
      if (status.revision !== revision) {
        revision = status.revision
        stale = new Set(byId.keys())
        next = 0
        // Its rows belong to a position that is no longer valid.
        if (from > 0) return true
      }
      next = following
      add(rows)
      const isMore = following < status.end && following !== from
      if (!isMore) for (const id of stale) byId.delete(id)
      return isMore
    },
  }
}
