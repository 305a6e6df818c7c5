import type { App } from './app.ts'
import { createBadges } from './badge/badges.ts'
import { listenToBadges } from './badge/events.ts'
import { createCard } from './card/card.ts'
import { createRepositoryCard } from './card/repository-card.ts'
import { isAwaitingHydration } from './github/hydration.ts'
import { watchNavigation } from './github/navigation.ts'
import { type PageKind, pageKindOf } from './github/page-kinds.ts'
import { repositoryOfPage } from './github/repository-page.ts'
import { messagesFor } from './i18n/index.ts'
import { findManager } from './manager/manager.ts'
import { createMarker } from './marker/marker.ts'
import { createBadgeCache } from './plugins/badge-cache.ts'
import { openDirectory } from './plugins/directory.ts'
import { createLookup } from './plugins/lookup.ts'
import { createIndexRefresh } from './plugins/refresh.ts'
import { createVerdicts } from './plugins/verdicts.ts'
import { openSettingsDialog } from './settings/dialog.ts'
import { isPausedOn, type PageSwitch, type Settings } from './settings/settings.ts'
import { openSettings } from './settings/store.ts'
import { createSummary } from './summary/summary.ts'
import { whenIdle } from './ui/idle.ts'
import { createAnnouncer } from './ui/live-region.ts'

/** Address of the directory; set by the build. */
declare const PLUGMARK_API: string

/** Set on the root element by the copy of this script that runs, so that a second one does nothing. */
const RUNNING_ATTRIBUTE = 'data-plugmark'

/** How often to look whether React has hydrated a list. ms */
const HYDRATION_LOOK_MS = 50

async function start(api: string): Promise<void> {
  const root = document.documentElement
  const manager = findManager()
  if (manager.xhr === null || root.hasAttribute(RUNNING_ATTRIBUTE)) return
  root.setAttribute(RUNNING_ATTRIBUTE, '')

  // What is set and stored. Nothing is read from the database before it is needed.
  const settings = openSettings(manager.values, onSettingsChange)
  await settings.opening
  let messages = messagesFor(settings.current.language, root.lang, navigator.languages)
  const cli = () => settings.current.cli
  const directory = openDirectory(api, manager.xhr, (saved) => badgeCache.save(saved))
  const { index: storedIndex } = directory
  const badgeCache = createBadgeCache({
    key: `plugmark badges ${api}`,
    cli,
    eachRepository: storedIndex.eachRepository,
  })
  const lookup = createLookup({ badgeCache, index: storedIndex, cli })

  // What is on the page.
  const announcer = createAnnouncer(() => messages.locale)
  const app: App = {
    api,
    manager,
    settings,
    directory,
    verdicts: createVerdicts(directory.records),
    messages: () => messages,
    say: announcer.say,
    openSettings: showSettings,
  }
  const badges = createBadges({ messages: app.messages, onFirst: announcer.prepare })
  const marker = createMarker({ lookup, badges, onMarked: () => summary.update() })
  const card = createCard(app)
  const repositoryCard = createRepositoryCard(app)
  let hasMenu = manager.addMenuCommand !== null
  const summary = createSummary(app, { marker, hasMenu: () => hasMenu, retry: () => index.refresh() })
  const index = createIndexRefresh({
    api,
    directory,
    badgeCache,
    onStatus: ({ generated, failure }) => summary.setReachable(generated !== null || failure === null),
    onUpdate() {
      lookup.reset()
      marker.requery()
      repositoryCard.update()
    },
  })

  /** What the page is, as of the last look. */
  let page: { readonly kind: PageKind | null; readonly repository: string | null; readonly isPaused: boolean }

  function onPageChange(): void {
    const { language, pagesOff } = settings.current
    messages = messagesFor(language, root.lang, navigator.languages)
    const url = new URL(document.URL)
    const kind = pageKindOf(url)
    const isPaused = isPausedOn(settings.current, url.hostname)
    const isOn = (name: PageSwitch) => !isPaused && !pagesOff.includes(name)
    const marked = kind && isOn(kind.name) ? kind : null
    // Prose is never hydrated.
    if (marked?.linkStyle === 'list' && isAwaitingHydration(document.querySelector(marked.selector))) {
      setTimeout(onPageChange, HYDRATION_LOOK_MS)
      return
    }
    page = {
      kind: marked,
      repository: isOn('repository') ? repositoryOfPage(url) : null,
      isPaused: kind !== null && isPaused,
    }
    if (marked) marker.start(marked)
    else {
      marker.unmark()
      card.close()
    }
    const { repository } = page
    // Nothing is asked of the index for a page that is known not to be a plugin's.
    const isListed = repository !== null && badgeCache.lookup(repository) !== null
    repositoryCard.show(isListed ? repository : null)
    if (isListed) announcer.prepare()
    afterMarking()
  }

  /** What can wait until the badges are drawn. */
  const afterMarking = whenIdle([
    () => summary.setPage(page.kind ?? (page.isPaused ? 'paused' : null)),
    () => {
      if (page.kind !== null || page.repository !== null) index.refreshIfDue()
    },
  ])

  function onSettingsChange(now: Settings, before: Settings, isOwn: boolean): void {
    // A dialog that is open here shows the old settings, and would set them again.
    if (!isOwn) document.querySelector<HTMLDialogElement>('.plugmark-dialog')?.close()
    onPageChange()
    const looksSame = now.language === before.language && now.cli === before.cli
    if (looksSame && now.profile === before.profile) return
    card.close()
    // Badges stay where only the profile is another: one of them may be where the focus returns to.
    if (!looksSame) marker.rerender()
    repositoryCard.rerender()
  }

  function showSettings(): void {
    if (document.querySelector('.plugmark-dialog')) return
    // The focus returns to the badge when the dialog is closed.
    card.close({ focus: card.contains(document.activeElement) })
    openSettingsDialog(app, { status: storedIndex.status, refresh: index.refresh, clear: index.clear })
  }

  listenToBadges(app, { badges, card, lookup, onUnlisted: marker.removeBadges })
  watchNavigation(onPageChange, () => {
    marker.stop()
    card.close()
  })
  whenIdle([
    () => {
      manager.addMenuCommand?.(messages.settings.title, showSettings).catch(() => {
        // The cards and the summary lead to the settings.
        hasMenu = false
        afterMarking()
      })
    },
  ])()
}

start(PLUGMARK_API).catch(() => {
  // A page without badges is what it was before. An error in its console would be taken for the page's own.
})
