import { type App, openApp } from './app.ts'
import { report } from './base/report.ts'
import { listenToBadges } from './features/badges/badge-events.ts'
import { initCards } from './features/card/cards.ts'
import { initKeyboard } from './features/keyboard/keyboard.ts'
import { initRepositoryCard } from './features/repository-card/repository-card.ts'
import { initSettings, showSettings } from './features/settings/dialog.ts'
import { SETTINGS_WORDS } from './features/settings/settings-words.ts'
import { initSummary } from './features/summary/summary.ts'
import { startWords } from './i18n/start-words.ts'
import type { ManagerXhr } from './manager/manager.ts'
import { isPausedOn } from './settings/settings.ts'
import type { PageContext } from './start/page.ts'
import type { StoredStart } from './start/stored-start.ts'
import type { Rest, Tab } from './start/tab.ts'

/** The features, in the order in which they start on a page. */
const FEATURES = { initBadges, initCards, initKeyboard, initRepositoryCard, initSettings, initSummary }

function initBadges({ kind, signal }: PageContext, app: App): void {
  if (kind !== null) listenToBadges(app, signal)
}

/** Opens all that a start does not need. Every module that it imports is evaluated only now. */
export async function openRest(tab: Tab, xhr: ManagerXhr): Promise<Rest> {
  const app = await openApp(tab.api, { ...tab.manager, xhr }, tab.menu)
  const configure = () => tab.configure(storedStart(app))
  app.settings.onChange(configure)
  app.settings.onRead(configure)
  app.index.onUpdate(tab.requery)
  configure()
  return {
    lookup: app.lookup,
    settingsKey: () => JSON.stringify(app.settings.current),
    configure,
    refreshIfDue: app.index.refreshIfDue,
    showSettings: () => showSettings(app),
    initPage(page) {
      // A feature that fails is reported, and the others continue.
      for (const [name, init] of Object.entries(FEATURES)) {
        try {
          init(page, app)
        } catch (error) {
          report(name, error)
        }
      }
    },
  }
}

/** Returns the settings that the next page of this site needs. */
function storedStart({ settings, locale }: App): StoredStart {
  const { cli, language, placesOff, summaryHidden } = settings.current
  return {
    stamp: settings.stamp,
    cli,
    language,
    placesOff,
    isPaused: isPausedOn(settings.current, location.hostname),
    summaryHidden,
    menu: SETTINGS_WORDS[locale()].title,
    words: startWords(locale()),
  }
}
