import { report } from '../base/report.ts'
import { type PageKind, pageKindOf } from '../github/page-kinds.ts'
import { packageOfPage, repositoryOfPage } from '../github/repository-page.ts'

/** A page, until its address or the settings change. */
export interface PageContext {
  readonly url: URL
  /** The kind of page, with the links to mark; null when nothing is marked. */
  readonly kind: PageKind | null
  /** Folded `owner/repo` whose own page this is, if its card is switched on; else null. */
  readonly repository: string | null
  /** Name of the package whose own page this is, on a website for packages; else null. */
  readonly package: string | null
  /** True if links would be marked without the pause. */
  readonly isPaused: boolean
  readonly changes: DocumentChanges
  /** Dispatches `marked` whenever every link of the page has been looked up. */
  readonly marked: EventTarget
  /**
   * Aborts when another page is shown, or the same page with other settings. Elements that the next page needs stay.
   */
  readonly signal: AbortSignal
}

/**
 * Returns the page that is shown.
 *
 * @param settings.pagesOff names of the kinds of pages that are switched off
 * @param settings.isPaused true if the script is paused on this host
 */
export function createPage(
  { pagesOff, isPaused }: { readonly pagesOff: readonly string[]; readonly isPaused: boolean },
  signal: AbortSignal,
): PageContext {
  const url = new URL(document.URL)
  const kind = pageKindOf(url, document)
  const isOn = kind !== null && !isPaused && !pagesOff.includes(kind.name)
  return {
    url,
    kind: isOn ? kind : null,
    repository: isPaused || pagesOff.includes('repository') ? null : repositoryOfPage(url),
    package: isOn && kind.name === 'package' ? packageOfPage(url, document) : null,
    isPaused: kind !== null && isPaused,
    changes: watchDocument(signal),
    marked: new EventTarget(),
    signal,
  }
}

/** The changes of a page's elements and link addresses that others make. One observer serves all features of a page. */
interface DocumentChanges {
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
