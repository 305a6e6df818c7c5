import type { App } from './app.ts'
import { createBadges } from './badge/badges.ts'
import { listenToBadges } from './badge/events.ts'
import { createCard } from './card/card.ts'
import { createRepositoryCard } from './card/repository-card.ts'
import { isAwaitingHydration } from './github/hydration.ts'
import { watchNavigation } from './github/navigation.ts'
import { type PageKind, pageKindOf } from './github/page-kinds.ts'
import { repositoryOfPage } from './github/repository-page.ts'
import { voiceFor } from './i18n/index.ts'
import { openChannel } from './manager/broadcast.ts'
import { findManager } from './manager/manager.ts'
import { createMarker } from './marker/marker.ts'
import { createBadgeCache } from './plugins/badge-cache.ts'
import { openDirectory } from './plugins/directory.ts'
import { createLookup } from './plugins/lookup.ts'
import { createIndexRefresh } from './plugins/refresh.ts'
import { createVerdicts } from './plugins/verdicts.ts'
import { openSettingsDialog } from './settings/dialog.ts'
import { isAllOff, type PageSwitch, type Settings, withName } from './settings/settings.ts'
import { openSettings } from './settings/store.ts'
import { SETTINGS_STYLES } from './settings/styles.ts'
import { followAttention } from './settings/visibility.ts'
import { SUMMARY_STYLES } from './summary/styles.ts'
import { createSummary } from './summary/summary.ts'
import controlsCss from './ui/controls.css?raw'
import { whenIdle } from './ui/idle.ts'
import { createAnnouncer } from './ui/live-region.ts'
import { addStyles } from './ui/stylesheet.ts'

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
  const settings = openSettings({
    values: manager.values,
    onChange: onSettingsChange,
    openChannel: (onMessage) => openChannel('plugmark settings', onMessage),
    followAttention,
  })
  await settings.opening
  let voice = voiceFor(settings.current.language, root.lang, navigator.languages)
  const cli = () => settings.current.cli
  const directory = openDirectory(api, manager.xhr, (index) => badgeCache.save(index))
  const { catalogue } = directory
  const badgeCache = createBadgeCache({ key: `plugmark badges ${api}`, cli, eachRepository: catalogue.eachRepository })
  const lookup = createLookup({ badgeCache, catalogue, cli })

  // What is on the page.
  const announcer = createAnnouncer(() => voice.language)
  const app: App = {
    api,
    manager,
    settings,
    directory,
    verdicts: createVerdicts(directory.records),
    voice: () => voice,
    say: announcer.say,
    openSettings: showSettings,
  }
  const badges = createBadges({ voice: app.voice, onFirst: announcer.prepare })
  const marker = createMarker({ lookup, badges, onMarked: () => summary.count() })
  const card = createCard(app)
  const repositoryCard = createRepositoryCard(app)
  let hasMenu = manager.addMenuCommand !== null
  const summary = createSummary({
    prepare() {
      addStyles(controlsCss)
      addStyles(SUMMARY_STYLES)
      if (page.kind !== null || page.repository !== null) announcer.prepare()
    },
    marker,
    settings: () => settings.current,
    voice: app.voice,
    change: settings.change,
    pause(isPaused) {
      const { pausedOn, pagesOff } = settings.current
      settings.change({
        pausedOn: withName(pausedOn, location.hostname, isPaused),
        pagesOff: isAllOff(pagesOff) ? [] : pagesOff,
      })
    },
    openSettings: showSettings,
    hasMenu: () => hasMenu,
    retry: () => index.refresh(),
  })
  const index = createIndexRefresh({
    api,
    directory,
    badgeCache,
    onStatus: ({ generated, failure }) => summary.reach(generated !== null || failure === null),
    onUpdate() {
      lookup.reset()
      marker.requery()
      repositoryCard.rerender()
    },
  })

  /** What the page is, as of the last look. */
  let page: { readonly kind: PageKind | null; readonly repository: string | null; readonly isPaused: boolean }

  function onPageChange(): void {
    const { language, pausedOn, pagesOff } = settings.current
    voice = voiceFor(language, root.lang, navigator.languages)
    const url = new URL(document.URL)
    const kind = pageKindOf(url)
    const isPaused = pausedOn.includes(url.hostname) || isAllOff(pagesOff)
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
    afterMarking()
  }

  /** What can wait until the badges are drawn. */
  const afterMarking = whenIdle([
    () => summary.show(page.kind ?? (page.isPaused ? 'paused' : null)),
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
    addStyles(controlsCss)
    addStyles(SETTINGS_STYLES)
    openSettingsDialog({
      settings,
      voice: app.voice,
      host: location.hostname,
      api,
      status: catalogue.status,
      refresh: index.refresh,
      clear: index.clear,
    })
  }

  listenToBadges(app, { badges, card, lookup, marker })
  watchNavigation(onPageChange, () => {
    marker.stop()
    card.close()
  })
  whenIdle([
    () => {
      manager.addMenuCommand?.(voice.phrases.settings.title, showSettings).catch(() => {
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
