import { BadgeCache } from './catalogue/badge-cache.ts'
import { type Directory, IndexRefresh, openDirectory } from './catalogue/directory.ts'
import { Lookup } from './catalogue/lookup.ts'
import type { Locale } from './i18n/index.ts'
import { localeFor } from './i18n/page-locale.ts'
import type { Manager, ManagerXhr } from './manager/manager.ts'
import { SettingsStore } from './settings/settings-store.ts'
import type { MenuCommand } from './start/menu.ts'
import { startKey } from './start/stored-start.ts'
import { badgesKey } from './start/tab.ts'
import { type Announcer, createAnnouncer } from './ui/live-region.ts'

/** The state that all pages of a tab share. */
export interface App {
  /** Address of the directory that this build reads. */
  readonly api: string
  readonly manager: Manager
  readonly menu: Pick<MenuCommand, 'isOffered' | 'events'>
  readonly settings: SettingsStore
  readonly directory: Directory
  readonly badgeCache: BadgeCache
  readonly lookup: Lookup
  readonly index: IndexRefresh
  readonly announcer: Announcer
  /** The language that the user chose, or that of the page. */
  locale(): Locale
}

export type { PageContext } from './start/page.ts'

/** Opens settings and storage. Reads nothing from the database before it is needed. */
export async function openApp(
  api: string,
  manager: Manager & { readonly xhr: ManagerXhr },
  menu: App['menu'],
): Promise<App> {
  const settings = new SettingsStore(manager.values, startKey(api))
  await settings.opening
  const cli = () => settings.current.cli
  const locale = () => localeFor(settings.current.language, document.documentElement.lang, navigator.languages)

  const badgeCache = new BadgeCache({ key: badgesKey(api), cli })
  const directory = openDirectory(api, manager.xhr, (index) => badgeCache.save(index))
  const lookup = new Lookup(badgeCache, directory.index, cli)
  const index = new IndexRefresh(directory, badgeCache)
  index.onUpdate(() => lookup.reset())
  settings.onChange((now, before) => {
    if (now.cli !== before.cli) lookup.reset()
  })
  const announcer = createAnnouncer(locale)
  return { api, manager, menu, settings, directory, badgeCache, lookup, index, announcer, locale }
}
