import { type App, openApp, type PageContext, watchPages } from './app.ts'
import { report, reportAs } from './base/report.ts'
import { initBadges } from './features/badges/marker.ts'
import { initCards } from './features/card/cards.ts'
import { initKeyboard } from './features/keyboard/keyboard.ts'
import { initRepositoryCard } from './features/repository-card/repository-card.ts'
import { initSettings } from './features/settings/dialog.ts'
import { initSummary } from './features/summary/summary.ts'
import { findManager } from './manager/manager.ts'
import { whenIdle } from './ui/idle.ts'

/** Address of the directory; set by the build. */
declare const PLUGMARK_API: string

/** Attribute of the root element, set by the running copy of this script, so that a second one does nothing. */
const RUNNING_ATTRIBUTE = 'data-plugmark'

/** The features, in the order in which they start on a page. */
const FEATURES = { initBadges, initCards, initKeyboard, initRepositoryCard, initSettings, initSummary }

async function start(): Promise<void> {
  const root = document.documentElement
  const manager = findManager()
  const { xhr } = manager
  if (xhr === null || root.hasAttribute(RUNNING_ATTRIBUTE)) return
  root.setAttribute(RUNNING_ATTRIBUTE, '')
  const app = await openApp(PLUGMARK_API, { ...manager, xhr })
  watchPages(app, (page) => initPage(page, app))
}

/** Starts the features on a page. A feature that fails is reported, and the others continue. */
function initPage(page: PageContext, app: App): void {
  for (const [name, init] of Object.entries(FEATURES)) {
    try {
      init(page, app)
    } catch (error) {
      report(name, error)
    }
  }
  if (page.kind !== null || page.repository !== null) whenIdle(app.index.refreshIfDue, page.signal)
}

start().catch(reportAs('start'))
