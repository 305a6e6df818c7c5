import { createListeners } from './listeners.ts'

/** The changes of a page's elements and link addresses that others make. One observer serves all features of a page. */
export interface DocumentChanges {
  /** Calls `listener` with the records of each task that changed the document. */
  onChange(listener: (records: readonly MutationRecord[]) => void): void
  /** Changes the document without a record of it. */
  apply(change: () => void): void
}

export function watchDocument(signal: AbortSignal): DocumentChanges {
  const listeners = createListeners<[records: readonly MutationRecord[]]>()
  let observer: MutationObserver | null = null
  const pass = (records: readonly MutationRecord[]) => {
    if (records.length > 0) listeners.call(records)
  }
  signal.addEventListener('abort', () => observer?.disconnect())
  return {
    onChange(listener) {
      listeners.add(listener, signal)
      if (observer !== null || signal.aborted) return
      observer = new MutationObserver(pass)
      observer.observe(document.documentElement, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeFilter: ['href'],
      })
    },
    apply(change) {
      pass(observer?.takeRecords() ?? [])
      change()
      observer?.takeRecords()
    },
  }
}
