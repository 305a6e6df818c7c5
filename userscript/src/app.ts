import type { DocumentChanges } from './base/document-changes.ts'
import { BadgeCache, Lookup } from './catalogue/badges.ts'
import { type Directory, IndexRefresh, openDirectory } from './catalogue/directory.ts'
import type { PageKind } from './github/page-kinds.ts'
import { type Locale, localeFor } from './i18n/index.ts'
import type { Manager, ManagerXhr } from './manager/manager.ts'
import { SettingsStore } from './settings/settings-store.ts'
import { type Announcer, createAnnouncer } from './ui/live-region.ts'

/** The state that all pages of a tab share. */
export interface App {
  /** Address of the directory that this build reads. */
  readonly api: string
  readonly manager: Manager
  readonly settings: SettingsStore
  readonly directory: Directory
  readonly badgeCache: BadgeCache
  readonly lookup: Lookup
  readonly index: IndexRefresh
  readonly announcer: Announcer
  /** The language that the user chose, or that of the page. */
  locale(): Locale
}

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

/** Opens settings and storage. Reads nothing from the database before it is needed. */
export async function openApp(api: string, manager: Manager & { readonly xhr: ManagerXhr }): Promise<App> {
  const settings = new SettingsStore(manager.values)
  await settings.opening
  const cli = () => settings.current.cli
  const locale = () => localeFor(settings.current.language, document.documentElement.lang, navigator.languages)

  const badgeCache = new BadgeCache({ key: `plugmark badges ${api}`, cli })
  const directory = openDirectory(api, manager.xhr, (index) => badgeCache.save(index))
  const lookup = new Lookup(badgeCache, directory.index, cli)
  const index = new IndexRefresh(api, directory, badgeCache)
  index.onUpdate(() => lookup.reset())
  settings.onChange((now, before) => {
    if (now.cli !== before.cli) lookup.reset()
  })
  const announcer = createAnnouncer(locale)
  return { api, manager, settings, directory, badgeCache, lookup, index, announcer, locale }
}
