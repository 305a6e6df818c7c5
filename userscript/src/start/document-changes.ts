import { report } from '../base/report.ts'

/** More changes than these in one task are not looked at one by one. */
const MANY_CHANGES = 200

/** The changes of a page's elements and link addresses that others make. One observer serves all features of a page. */
export interface DocumentChanges {
  /** Calls `listener` with the records of each task that changed the document. If one throws, the others still run. */
  onChange(listener: ChangeListener): void
  /** Changes the document without a record of it. */
  apply(change: () => void): void
}
type ChangeListener = (records: readonly MutationRecord[]) => void

export function watchDocument(signal: AbortSignal): DocumentChanges {
  const listeners: ChangeListener[] = []
  const pass = (records: readonly MutationRecord[]) => {
    for (const listener of listeners) {
      // A listener may end the page to which another one belongs.
      if (signal.aborted) return
      try {
        listener(records)
      } catch (error) {
        report('page: changes', error)
      }
    }
  }
  const observer = new MutationObserver(pass)
  signal.addEventListener('abort', () => observer.disconnect())
  return {
    onChange(listener) {
      if (listeners.push(listener) > 1 || signal.aborted) return
      const observed = { subtree: true, childList: true, attributeFilter: ['href'] }
      observer.observe(document.documentElement, observed)
    },
    apply(change) {
      const records = observer.takeRecords()
      if (records.length > 0) pass(records)
      change()
      observer.takeRecords()
    },
  }
}

/** Returns true if so much has changed that to look at each change would block the page. */
export function isMany(records: readonly MutationRecord[]): boolean {
  let changes = 0
  for (const { addedNodes, removedNodes } of records) {
    changes += 1 + addedNodes.length + removedNodes.length
    if (changes > MANY_CHANGES) return true
  }
  return false
}

/** Returns the innermost element that contains whatever was changed in the page; null when it is not there any more. */
export function commonTarget(records: readonly MutationRecord[]): Element | null {
  let ancestor: Element | null = null
  let last: Node | null = null
  for (const { target } of records) {
    if (target === last || !target.isConnected) continue
    last = target
    ancestor ??= target as Element
    while (!ancestor!.contains(target)) ancestor = ancestor!.parentElement
  }
  return ancestor
}
