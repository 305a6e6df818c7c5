import type { IndexListing } from '@plugmark/shared/contract'
import type { Badges, Made } from './badge/badges.ts'
import { followBadges } from './badge/behaviour.ts'
import { createChecks } from './badge/checks.ts'
import { createCard } from './card/card.ts'
import type { CardOptions } from './card/options.ts'
import { createRepositoryCard } from './card/repository-card.ts'
import { type Directory, openDirectory } from './directory.ts'
import type { Faces } from './faces/faces.ts'
import { keepFresh } from './freshness.ts'
import type { Manager } from './manager/manager.ts'
import type { ManagerXhr } from './manager/types.ts'
import type { Marker } from './marking/marker.ts'
import { codeHost, lookUpTargets, type Target } from './marking/target.ts'
import { isAllOff, PAGE_NAMES } from './pages/index.ts'
import type { PageKind } from './pages/kind.ts'
import type { Voice } from './phrases/index.ts'
import { openSettingsDialog } from './settings/dialog.ts'
import { withName } from './settings/settings.ts'
import type { SettingsStore } from './settings/store.ts'
import { createStamp } from './stamp.ts'
import { createStyles } from './styles.ts'
import { createSummary } from './summary/summary.ts'
import { writeClipboard } from './ui/clipboard.ts'
import { whenIdle } from './ui/idle.ts'
import { createAnnouncer } from './ui/live-region.ts'

/** A dialog is open once. */
const SETTINGS_ATTRIBUTE = 'data-plugmark-settings'

/** The page a person is on. */
export interface Arrival {
  /** The kind of a page that is marked. */
  readonly marked: PageKind | null
  /** Folded `owner/repo` whose own page this is. */
  readonly repository: string | null
  /** Whether the page would be marked, were the site not paused. */
  readonly isPaused: boolean
}

/** Everything but the badges themselves: what they open, the page summary, the settings, the directory behind them. */
export interface Surfaces {
  readonly catalogue: Directory['catalogue']
  lookUp(targets: readonly Target[]): Promise<ReadonlyMap<Target, readonly IndexListing[]>>
  arrive(arrival: Arrival): void
  greet(made: Made): void
  /** Makes anew what speaks, sells or shows a command. */
  redraw(): void
  /** Closes what is open over the page. */
  silence(): void
}

export interface SurfacesOptions {
  readonly api: string
  readonly manager: Manager
  readonly xhr: ManagerXhr
  readonly settings: SettingsStore
  readonly voice: () => Voice
  readonly faces: Faces
  readonly badges: Badges
  readonly marker: Marker
}

export function openSurfaces(options: SurfacesOptions): Surfaces {
  const { api, manager, xhr, settings, voice, faces, badges, marker } = options
  const { catalogue, records, clear } = openDirectory(api, xhr)
  const announcer = createAnnouncer()
  const styles = createStyles()
  const checks = createChecks(records)
  let hasMenu = manager.addMenuCommand !== null
  let arrival: Arrival = { marked: null, repository: null, isPaused: false }

  const speak = (): CardOptions => {
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
      record: (fullName) => records.get(fullName).finally(behaviour.showChecks),
      openSettings: showSettings,
      async copy({ command }) {
        const copied = await writeClipboard(command, manager)
        announcer.say(copied ? phrases.copied(command) : phrases.copyFailed(command))
        return copied
      },
    }
  }
  const lookUp = (targets: readonly Target[]) => lookUpTargets(targets, catalogue.byRepositories)
  const card = createCard(() => {
    styles.addOthers()
    return speak()
  })
  const behaviour = followBadges({
    badges,
    card,
    checks,
    speak,
    lookUp,
    onGone: marker.deny,
  })
  const repositoryCard = createRepositoryCard({
    // What there is nothing of is not asked for.
    lookUp: async (repository) => (faces.find(repository) === null ? [] : catalogue.byRepository(repository)),
    card: speak,
    label: () => voice().phrases.isPlugin,
  })
  const summary = createSummary({
    prepare: styles.addOthers,
    targetOf: marker.targetOf,
    settings: () => settings.current,
    phrases: () => voice().phrases.summary,
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
  })
  const redraw = () => {
    marker.refresh()
    behaviour.begin()
    repositoryCard.redraw()
  }
  const stamp = createStamp(`plugmark checked ${api}`, () => localStorage)
  const freshness = keepFresh({
    catalogue,
    name: `plugmark ${api}`,
    shown: faces.generated,
    stamp,
    onChange: renew,
  })

  /** The copy is another one now. */
  function renew(generated: string | null): void {
    behaviour.forgetRows()
    void faces.follow(generated)
    marker.askAgain()
    repositoryCard.redraw()
  }

  function showSettings(): void {
    if (document.querySelector(`[${SETTINGS_ATTRIBUTE}]`)) return
    card.close()
    styles.addOthers()
    const dialog = openSettingsDialog({
      settings,
      ...voice(),
      pageKinds: PAGE_NAMES,
      host: location.hostname,
      api,
      status: catalogue.status,
      async refresh() {
        const status = await catalogue.refresh({ force: true })
        renew(status.generated)
        return status
      },
      async clear() {
        faces.clear()
        stamp.clear()
        await clear()
      },
    })
    dialog.setAttribute(SETTINGS_ATTRIBUTE, '')
  }

  const isOn = () => arrival.marked !== null || arrival.repository !== null
  /** What can wait until the page is marked and the browser has nothing else to do. */
  const attend = whenIdle([
    () => summary.show(arrival.marked ?? (arrival.isPaused ? 'paused' : null)),
    () => {
      if (!isOn()) return
      announcer.prepare()
      freshness.look()
    },
    () => {
      if (badges.all().length > 0) behaviour.showChecks()
    },
  ])
  const offerMenu = whenIdle([
    () => {
      manager.addMenuCommand?.(voice().phrases.settings.title, showSettings).catch(() => {
        // The cards and the summary lead to the settings.
        hasMenu = false
        attend()
      })
    },
  ])
  offerMenu()

  return {
    catalogue,
    lookUp,
    arrive(now) {
      arrival = now
      behaviour.begin()
      if (isOn()) styles.addBadge()
      if (now.repository) styles.addOthers()
      if (!now.marked) card.close()
      repositoryCard.show(now.repository)
      attend()
    },
    greet: behaviour.greet,
    redraw,
    silence: () => card.close(),
  }
}
