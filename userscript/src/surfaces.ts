import type { PageCatalogue } from '@plugmark/shared/catalogue'
import type { Made } from './badge/badges.ts'
import { followBadges } from './badge/events.ts'
import { createCard } from './card/card.ts'
import type { CardOptions } from './card/options.ts'
import { createRepositoryCard } from './card/repository-card.ts'
import type { Core } from './core.ts'
import { codeHost, type Target } from './github/target.ts'
import { openChannel } from './manager/broadcast.ts'
import type { FaceCode } from './plugins/badge-data.ts'
import { openDirectory } from './plugins/directory.ts'
import { createStamp } from './plugins/last-checked.ts'
import { lookUpTargets } from './plugins/listings-of-target.ts'
import { followCopy } from './plugins/sync-badge-cache.ts'
import { faceOf } from './plugins/to-badge-data.ts'
import { createChecks } from './plugins/verdicts.ts'
import { openSettingsDialog } from './settings/dialog.ts'
import { styles } from './styles.ts'
import { writeClipboard } from './ui/clipboard.ts'

/** What most pages never need: what badges open, the settings, and the directory behind them. */
export interface Surfaces {
  readonly catalogue: PageCatalogue
  /** Faces of what is listed, as the rows have it; targets that are not are absent. */
  facesOf(targets: readonly Target[]): Promise<ReadonlyMap<Target, FaceCode>>
  /** Takes an event on a badge that came before these were here. */
  hear(event: Event): void
  /** Brings badges up to what their rows say. */
  tell(several: readonly Made[]): void
  /** @param repository folded `owner/repo` whose own page this is; null takes its card away */
  showRepository(repository: string | null): void
  showSettings(): void
  /** The copy is another one now. */
  renew(generated: string | null): void
  /** Makes anew what speaks or shows a command, but badges. */
  redraw(): void
  /** Closes what is open over the page. */
  silence(): void
}

/** @param say says a sentence to screen readers */
export function openSurfaces(core: Core, say: (sentence: string) => void): Surfaces {
  const { api, manager, xhr, settings, voice, faces, badges, marker } = core
  const { catalogue, records, clear } = openDirectory(api, xhr)
  const checks = createChecks(records)
  const followFaces = followCopy({
    faces,
    cli: () => settings.current.cli,
    eachRepository: catalogue.eachRepository,
  })
  styles.addSummary()
  styles.addOthers()

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
      record: (fullName, options) => records.get(fullName, options).finally(checks.reload),
      openSettings: showSettings,
      verdictOf: checks.verdictOf,
      async copy({ command }) {
        const copied = await writeClipboard(command, manager)
        say(copied ? phrases.copied(command) : phrases.copyFailed(command))
        return copied
      },
    }
  }
  const lookUp = async (targets: readonly Target[]) => {
    const found = await lookUpTargets(targets, catalogue.byRepositories)
    if (found.size === 0 && (await catalogue.status()).generated === null) throw new Error('There is no copy.')
    return found
  }
  const card = createCard(speak)
  const behaviour = followBadges({ badges, card, checks, speak, lookUp, onGone: marker.deny })
  const repositoryCard = createRepositoryCard({
    async lookUp(repository) {
      const [listings] = await Promise.all([catalogue.byRepository(repository), checks.reload()])
      return listings
    },
    card: speak,
  })

  function renew(generated: string | null): void {
    behaviour.forgetRows()
    void followFaces(generated)
    marker.askAgain()
    repositoryCard.redraw()
  }

  function showSettings(): void {
    if (document.querySelector('.plugmark-dialog')) return
    // The focus comes back to the badge when they are closed.
    card.close({ focus: card.contains(document.activeElement) })
    openSettingsDialog({
      settings,
      voice,
      host: location.hostname,
      api,
      status: catalogue.status,
      async refresh() {
        const status = await catalogue.refresh({ force: true })
        renew(status.generated)
        // The other tabs look at what there is now.
        openChannel(`plugmark ${api}`, () => {}).post(status.generated)
        return status
      },
      async clear() {
        faces.clear()
        createStamp(api, () => localStorage).clear()
        await clear()
      },
    })
  }

  return {
    catalogue,
    async facesOf(targets) {
      const found = await lookUp(targets)
      return new Map(Array.from(found, ([target, listings]) => [target, faceOf(listings, settings.current)]))
    },
    hear: behaviour.hear,
    tell: behaviour.tell,
    showRepository: repositoryCard.show,
    showSettings,
    renew,
    redraw: repositoryCard.redraw,
    silence: () => card.close(),
  }
}
