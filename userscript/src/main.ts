import { type App, openApp, type PageContext } from './app.ts'
import { watchDocument } from './base/document-changes.ts'
import { whenIdle } from './base/lifetime.ts'
import { report, reportAs } from './base/report.ts'
import { initBadges } from './features/badges/marker.ts'
import { initCards } from './features/card/cards.ts'
import { initKeyboard } from './features/keyboard/keyboard.ts'
import { initRepositoryCard } from './features/repository-card/repository-card.ts'
import { initSettings } from './features/settings/dialog.ts'
import { initSummary } from './features/summary/summary.ts'
import { watchAddress } from './github/navigation.ts'
import { pageKindOf } from './github/page-kinds.ts'
import { packageOfPage, repositoryOfPage } from './github/repository-page.ts'
import { findManager } from './manager/manager.ts'
import { isPausedOn, type PageSwitch } from './settings/settings.ts'

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
  watchPages(app)
}

/** Starts the features on the current page, and again whenever another one is shown or a setting changes. */
function watchPages(app: App): void {
  let current = ''
  let ending = new AbortController()
  const update = () => {
    const { origin, pathname, search } = location
    const key = JSON.stringify([origin, pathname, search, app.locale(), app.settings.current])
    if (key === current) return
    current = key
    ending.abort()
    ending = new AbortController()
    initPage(createPage(app, ending.signal), app)
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
    changes: watchDocument(signal),
    marked: new EventTarget(),
    signal,
  }
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
