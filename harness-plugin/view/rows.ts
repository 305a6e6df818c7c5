import { shallowRef } from 'vue'
import type { Answer, CatalogueStatus, ListingsPage, StoreListing } from '../protocol/index.ts'

/** Shortest time between two updates of the screen, in ms: each sorts and counts all rows again. */
const SHOW_EVERY_MS = 250

/** Keeps the listings of this page up to date with the host's. */
export class Rows {
  readonly status = shallowRef<CatalogueStatus | null>(null)
  readonly rows = shallowRef<readonly StoreListing[]>([])
  readonly #ask: (from: number) => Promise<Answer<ListingsPage> | null>
  readonly #copied = new ListingCopy()
  #isCopying = false
  #copiesAgain = false
  #shownAt = Number.NEGATIVE_INFINITY
  #isShown = true

  constructor(ask: (from: number) => Promise<Answer<ListingsPage> | null>) {
    this.#ask = ask
  }

  /** Copies the host's rows. One run at a time; a request during a run starts another after it. */
  async copy(): Promise<void> {
    this.#copiesAgain = this.#isCopying
    if (this.#isCopying) return
    this.#isCopying = true
    do {
      this.#copiesAgain = false
      await this.#copyPages()
      this.#show()
    } while (this.#copiesAgain)
    this.#isCopying = false
  }
  add(more: readonly StoreListing[]): void {
    if (more.length > 0) this.#isShown = false
    this.#copied.add(more)
    this.#show()
  }
  receive(latest: CatalogueStatus): void {
    this.status.value = latest
    if (!this.#copied.isComplete(latest)) void this.copy()
  }

  async #copyPages(): Promise<void> {
    for (;;) {
      const answer = await this.#ask(this.#copied.next)
      if (!answer?.ok) return
      this.status.value = answer.value.status
      const isMore = this.#copied.take(answer.value)
      const startsAgain = isMore && this.#copied.next === 0
      if (startsAgain) continue
      // The last page removes rows too.
      if (answer.value.rows.length > 0 || !isMore) this.#isShown = false
      if (performance.now() - this.#shownAt >= SHOW_EVERY_MS) this.#show()
      if (!isMore) return
    }
  }
  #show(): void {
    if (this.#isShown) return
    this.#isShown = true
    this.#shownAt = performance.now()
    this.rows.value = this.#copied.rows()
  }
}

/** Copies the listings of a host page by page. A new revision starts at row 0, and removes old rows only at its end. */
export class ListingCopy {
  readonly #byId = new Map<string, StoreListing>()
  /** Ids of the previous revision that the current one has not had so far. */
  #stale = new Set<string>()
  #revision: number | null = null
  /** Position of the next page. */
  next = 0

  rows(): StoreListing[] {
    return [...this.#byId.values()]
  }
  add(rows: readonly StoreListing[]): void {
    for (const row of rows) {
      this.#byId.set(row.id, row)
      this.#stale.delete(row.id)
    }
  }
  isComplete({ revision, end }: Pick<CatalogueStatus, 'revision' | 'end'>): boolean {
    return revision === this.#revision && end === this.next
  }
  /** Adds a page. @returns true if there are more pages */
  take({ status, from, next, rows }: ListingsPage): boolean {
    if (status.revision !== this.#revision) {
      this.#revision = status.revision
      this.#stale = new Set(this.#byId.keys())
      this.next = 0
      // Its rows belong to a position that is no longer valid.
      if (from > 0) return true
    }
    this.next = next
    this.add(rows)
    const isMore = next < status.end && next !== from
    if (!isMore) for (const id of this.#stale) this.#byId.delete(id)
    return isMore
  }
}
