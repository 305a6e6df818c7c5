import { type PageKind, pageKindOf } from '../github/page-kinds.ts'
import { packageOfPage, repositoryOfPage } from '../github/repository-page.ts'
import { type DocumentChanges, watchDocument } from './document-changes.ts'

/** A page, until its address or the settings change. */
export interface PageContext {
  readonly url: URL
  /** The kind of page, with the links to mark; null when nothing is marked. */
  readonly kind: PageKind | null
  /** Folded `owner/repo` whose own page this is, if its card is switched on; else null. */
  readonly repository: string | null
  /** Name of the package whose own page this is, on a website for packages, if its card is switched on; else null. */
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
 * @param settings.placesOff places that are switched off
 * @param settings.isPaused true if the script is paused on this host
 */
export function createPage(
  { placesOff, isPaused }: { readonly placesOff: readonly string[]; readonly isPaused: boolean },
  signal: AbortSignal,
): PageContext {
  const url = new URL(document.URL)
  const kind = pageKindOf(url, document)
  const isOn = kind !== null && !isPaused && !placesOff.includes(kind.linkStyle)
  const hasCard = !isPaused && !placesOff.includes('card')
  return {
    url,
    kind: isOn ? kind : null,
    repository: hasCard ? repositoryOfPage(url) : null,
    package: hasCard && kind?.name === 'package' ? packageOfPage(url, document) : null,
    isPaused: kind !== null && isPaused,
    changes: watchDocument(signal),
    marked: new EventTarget(),
    signal,
  }
}
