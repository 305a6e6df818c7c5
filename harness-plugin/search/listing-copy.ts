import type { CatalogueStatus, ListingsPage, StoreListing } from '../protocol/index.ts'

/** The listings of a host, copied page by page. A new revision starts again at row 0; until its end, no row is removed. */
export function createListingCopy() {
  const byId = new Map<string, StoreListing>()
  /** Ids that only the revision before has had so far. */
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
    /** The position to ask for. */
    next: () => next,
    rows: (): StoreListing[] => [...byId.values()],
    /** Adds rows that came in another answer. */
    add,
    /** @returns whether the host has nothing besides */
    isComplete: (status: Pick<CatalogueStatus, 'revision' | 'end'>): boolean =>
      status.revision === revision && status.end === next,
    /** Takes an answer. @returns whether there is more to ask for */
    take({ status, from, next: following, rows }: ListingsPage): boolean {
      if (status.revision !== revision) {
        revision = status.revision
        stale = new Set(byId.keys())
        next = 0
        // Its rows are those of a position that no longer holds.
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
