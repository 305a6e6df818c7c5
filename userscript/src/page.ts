import type { App } from './app.ts'
import { watchAddress } from './github/navigation.ts'
import { type PageKind, pageKindOf } from './github/page-kinds.ts'
import { packageOfPage, repositoryOfPage } from './github/repository-page.ts'
import { isPausedOn, type PageSwitch } from './settings/settings.ts'

/** A page as it is ending, until its address or the settings change. */
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
  /** Dispatches `marked` whenever every link of the page has been looked up. */
  readonly marked: EventTarget
  /**
   * Aborts when another page is shown, or the same page with other settings. Elements that the next page needs stay.
   */
  readonly signal: AbortSignal
}

/** Calls `onPage` with the current page, now and after every change to another one. */
export function watchPages(app: App, onPage: (page: PageContext) => void): void {
  let current = ''
  let ending = new AbortController()
  const update = () => {
    const { origin, pathname, search } = location
    const key = JSON.stringify([origin, pathname, search, app.locale(), app.settings.current])
    if (key === current) return
    current = key
    ending.abort()
    ending = new AbortController()
    onPage(createPage(app, ending.signal))
  }
  app.settings.onChange(update)
  watchAddress(update)
  update()
}

function createPage({ settings }: App, signal: AbortSignal): PageContext {
  const url = new URL(document.URL)
  const kind = pageKindOf(url, document)
  const isPaused = isPausedOn(settings.current, url.hostname)
  const isOn = (name: PageSwitch) => !isPaused && !settings.current.pagesOff.includes(name)
  return {
    url,
    kind: kind && isOn(kind.name) ? kind : null,
    repository: isOn('repository') ? repositoryOfPage(url) : null,
    package: isOn('package') ? packageOfPage(url, document) : null,
    isPaused: kind !== null && isPaused,
    marked: new EventTarget(),
    signal,
  }
}
