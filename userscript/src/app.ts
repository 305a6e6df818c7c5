import type { IndexListing } from '@plugmark/shared/contract'
import { createBadges } from './badge/badges.ts'
import { createCard } from './card/card.ts'
import { createRepositoryCard } from './card/repository-card.ts'
import { openDirectory } from './directory.ts'
import { keepFresh } from './freshness.ts'
import { openChannel } from './manager/channel.ts'
import { findManager } from './manager/manager.ts'
import { createMarker } from './marking/marker.ts'
import { BADGE_ATTRIBUTE } from './marking/marks.ts'
import { codeHost, lookUpTargets } from './marking/target.ts'
import { followNavigation } from './navigation.ts'
import { PAGE_KINDS, pageKind } from './pages/index.ts'
import { repositoryOfPage } from './pages/repository.ts'
import { voiceFor } from './phrases/index.ts'
import { followAttention } from './settings/attention.ts'
import { openSettingsDialog } from './settings/dialog.ts'
import { type Settings, withName } from './settings/settings.ts'
import { openSettings } from './settings/store.ts'
import { addStyles } from './styles.ts'
import { createSummary } from './summary/summary.ts'
import { writeClipboard } from './ui/clipboard.ts'
import { createAnnouncer } from './ui/live-region.ts'

/** Set on the root element by the copy of this script that runs, so that a second one stands back. */
const RUNNING_ATTRIBUTE = 'data-plugmark'

/** Name, in the settings, of the pages of repositories: their kinds are those of what is written there. */
const REPOSITORY_PAGES = 'repository'

/** A dialog is open once. */
const SETTINGS_ATTRIBUTE = 'data-plugmark-settings'

/**
 * Runs the script on this page.
 *
 * @param api address of the directory this build reads
 */
export async function start(api: string): Promise<void> {
  const root = document.documentElement
  if (root.hasAttribute(RUNNING_ATTRIBUTE)) return
  root.setAttribute(RUNNING_ATTRIBUTE, '')

  const manager = findManager()
  if (manager.xhr === null) return
  const settings = await openSettings({
    values: manager.values,
    onChange: (now, before) => applySettings(now, before),
    openChannel: (onMessage) => openChannel(`plugmark settings`, onMessage),
    followAttention,
  })
  const { catalogue, records, clear } = openDirectory(api, manager.xhr)
  const announcer = createAnnouncer()
  const voice = () => voiceFor(settings.current.language, root.lang, navigator.languages)

  const speak = () => {
    const { cli, profile } = settings.current
    const { language, words, phrases } = voice()
    return {
      cli,
      profile,
      language,
      words,
      phrases,
      codeHost: codeHost(location),
      site: async () => (await catalogue.status()).site,
      record: (fullName: string) => records.get(fullName).finally(badges.showChecks),
      openSettings: showSettings,
      async copy({ command }: { readonly command: string }) {
        const copied = await writeClipboard(command, manager)
        announcer.say(copied ? phrases.copied(command) : phrases.copyFailed(command))
        return copied
      },
    }
  }
  const card = createCard(speak)
  const badges = createBadges({ card, records, speak })
  const marker = createMarker<readonly IndexListing[]>({
    lookUp: (targets) => lookUpTargets(targets, catalogue.byRepositories),
    createBadge: (_, listings) => badges.create(listings),
  })
  const repositoryCard = createRepositoryCard({
    lookUp: catalogue.byRepository,
    card: speak,
    label: () => voice().phrases.isPlugin,
  })
  const summary = createSummary({
    settings: () => settings.current,
    phrases: () => voice().phrases.summary,
    change: settings.change,
    pause: (isPaused) =>
      settings.change({ pausedOn: withName(settings.current.pausedOn, location.hostname, isPaused) }),
    openSettings: showSettings,
  })
  const redraw = () => {
    marker.refresh()
    repositoryCard.redraw()
  }
  const lookAgain = () => {
    marker.askAgain()
    repositoryCard.redraw()
  }
  const freshness = keepFresh({ catalogue, name: `plugmark ${api}`, onChange: lookAgain })

  function showSettings(): void {
    if (document.querySelector(`[${SETTINGS_ATTRIBUTE}]`)) return
    card.close()
    const dialog = openSettingsDialog({
      settings,
      ...voice(),
      pageKinds: [...PAGE_KINDS.map(({ name }) => name), REPOSITORY_PAGES],
      host: location.hostname,
      api,
      status: catalogue.status,
      async refresh() {
        const status = await catalogue.refresh({ force: true })
        redraw()
        return status
      },
      clear,
    })
    dialog.setAttribute(SETTINGS_ATTRIBUTE, '')
  }

  function applySettings(now: Settings, before: Settings): void {
    const speaksOtherwise = (['language', 'cli', 'profile'] as const).some((key) => now[key] !== before[key])
    if (speaksOtherwise) card.close()
    arrive()
    if (speaksOtherwise) redraw()
  }

  function arrive(): void {
    const { pausedOn, pagesOff } = settings.current
    const url = new URL(location.href)
    const isPaused = pausedOn.includes(url.hostname)
    const isOn = (name: string) => !isPaused && !pagesOff.includes(name)
    const kind = pageKind(url)
    const repository = repositoryOfPage(url)
    const marked = kind && isOn(kind.name) ? kind : null
    const shown = repository && isOn(REPOSITORY_PAGES) ? repository : null
    repositoryCard.show(shown)
    if (marked) marker.start(marked)
    else unmark()
    summary.show(marked ?? (kind && isPaused ? 'paused' : null))
    if (!marked && !shown) return
    announcer.prepare()
    freshness.look()
    // What is at hand beside the index is shown when there is time.
    setTimeout(badges.showChecks)
  }

  function unmark(): void {
    marker.stop()
    card.close()
    for (const badge of document.querySelectorAll(`[${BADGE_ATTRIBUTE}]`)) badge.remove()
  }

  manager.addMenuCommand?.(voice().phrases.settings.title, showSettings).catch(() => {
    // A manager without a menu: the cards and the summary lead to the settings.
  })

  addStyles()
  followNavigation(arrive, () => {
    marker.stop()
    card.close()
  })
}
