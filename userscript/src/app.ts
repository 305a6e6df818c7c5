import { type Locale, localeFor } from './i18n/index.ts'
import type { Manager, ManagerXhr } from './manager/manager.ts'
import { type BadgeCache, createBadgeCache } from './plugins/badge-cache.ts'
import { type Directory, openDirectory } from './plugins/directory.ts'
import { createLookup, type Lookup } from './plugins/lookup.ts'
import { createIndexRefresh, type IndexRefresh } from './plugins/refresh.ts'
import { createVerdicts, type Verdicts } from './plugins/verdicts.ts'
import { openSettings, type SettingsStore } from './settings/settings-store.ts'
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
  readonly verdicts: Verdicts
  readonly announcer: Announcer
  /** The language of the person, or of the page. */
  locale(): Locale
}

/** Opens settings and storage. Reads nothing from the database before it is needed. */
export async function openApp(api: string, manager: Manager & { readonly xhr: ManagerXhr }): Promise<App> {
  const settings = openSettings(manager.values)
  await settings.opening
  const cli = () => settings.current.cli
  const locale = () => localeFor(settings.current.language, document.documentElement.lang, navigator.languages)

  const badgeCache = createBadgeCache({ key: `plugmark badges ${api}`, cli })
  const directory = openDirectory(api, manager.xhr, badgeCache.save)
  const lookup = createLookup({ badgeCache, index: directory.index, cli })
  const index = createIndexRefresh({ api, directory, badgeCache })
  index.onUpdate(lookup.reset)
  settings.onChange((now, before) => {
    if (now.cli !== before.cli) lookup.reset()
  })
  return {
    api,
    manager,
    settings,
    directory,
    badgeCache,
    lookup,
    index,
    verdicts: createVerdicts(directory.records),
    announcer: createAnnouncer(locale),
    locale,
  }
}
