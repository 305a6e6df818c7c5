import { onFirstTurn } from './badge/first-interaction.ts'
import type { Core } from './core.ts'
import type { PageKind } from './github/page-kinds.ts'
import { isRepository } from './github/target.ts'
import { createStamp } from './plugins/last-checked.ts'
import { keepFresh } from './plugins/refresh.ts'
import { isAllOff, withName } from './settings/settings.ts'
import { styles } from './styles.ts'
import { createSummary } from './summary/summary.ts'
import type { Surfaces } from './surfaces.ts'
import { whenIdle } from './ui/idle.ts'
import { createAnnouncer } from './ui/live-region.ts'

/** The page a person is on. */
export interface Arrival {
  /** The kind of a page that is marked. */
  readonly marked: PageKind | null
  /** Folded `owner/repo` whose own page this is. */
  readonly repository: string | null
  /** Whether the page would be marked, were the site not paused. */
  readonly isPaused: boolean
}

/** What every marked page has besides its badges. It needs nothing of the database while nothing is due. */
export interface Upkeep {
  arrive(arrival: Arrival): void
  /** There are new badges. */
  look(): void
  /** It is known of all links by now which of them are plugins. */
  count(): void
  /** To screen readers. */
  say(sentence: string): void
}

/**
 * @param surfaces opens them, unless they are open
 * @param opened the surfaces, where they are open
 */
export function createUpkeep(core: Core, surfaces: () => Promise<Surfaces>, opened: () => Surfaces | null): Upkeep {
  const { api, manager, settings, voice, faces, badges, marker } = core
  const announcer = createAnnouncer(() => voice().language)
  let hasMenu = manager.addMenuCommand !== null
  let arrival: Arrival = { marked: null, repository: null, isPaused: false }

  const showSettings = async () => (await surfaces()).showSettings()
  const summary = createSummary({
    prepare() {
      styles.addSummary()
      // Drawn in one frame with it, where that is of badges; a page without any is spared the frame.
      if (isOn()) announcer.prepare()
    },
    marker,
    settings: () => settings.current,
    voice,
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
    retry: () => freshness.retry(),
  })
  const freshness = keepFresh({
    refresh: async (options) => (await surfaces()).catalogue.refresh(options),
    name: `plugmark ${api}`,
    shown: faces.generated,
    stamp: createStamp(api, () => localStorage),
    onStatus: ({ generated, failure }) => summary.reach(generated !== null || failure === null),
    onChange: async (generated) => (await surfaces()).renew(generated),
  })

  /** Which part of a repository is meant is not in a face. */
  const lookForMore = async () => {
    const fresh = badges.fresh()
    if (fresh.length === 0) return
    announcer.prepare()
    const several = fresh.filter(({ target }) => !isRepository(target))
    if (several.length > 0) (await surfaces()).tell(several)
  }

  const isOn = () => arrival.marked !== null || arrival.repository !== null
  /** What can wait until the page is marked and the browser has nothing else to do. */
  const attend = whenIdle([
    () => summary.show(arrival.marked ?? (arrival.isPaused ? 'paused' : null)),
    () => {
      if (isOn()) freshness.look()
    },
    lookForMore,
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
  onFirstTurn(badges, async (event) => (await surfaces()).hear(event))

  return {
    arrive(now) {
      arrival = now
      if (!now.marked) opened()?.silence()
      // What there is nothing of is not asked for.
      if (now.repository !== null && faces.find(now.repository) !== null) void showRepository(now.repository)
      else opened()?.showRepository(null)
      attend()
    },
    look: whenIdle([lookForMore]),
    count: summary.count,
    say: announcer.say,
  }

  async function showRepository(repository: string): Promise<void> {
    const shown = await surfaces()
    if (arrival.repository !== repository) return
    // The region, which shows what it says without them.
    styles.addBadge()
    announcer.prepare()
    shown.showRepository(repository)
  }
}
