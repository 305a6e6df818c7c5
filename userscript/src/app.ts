import { type Catalogue, createCatalogue } from '@plugmark/shared/catalogue'
import { idbStorage } from '@plugmark/shared/catalogue/idb'
import { createDirectoryClient } from '@plugmark/shared/client'
import { DEFAULTS, type IndexListing, LIMITS } from '@plugmark/shared/contract'
import { words } from '@plugmark/shared/locale'
import { createBadge } from './badge/badge.ts'
import { writeClipboard } from './ui/clipboard.ts'
import { createAnnouncer } from './ui/live-region.ts'
import { addStyles } from './badge/styles.ts'
import { keepFresh } from './freshness.ts'
import { managerFetch } from './manager/fetch.ts'
import { findManager } from './manager/manager.ts'
import type { ManagerXhr } from './manager/types.ts'
import { createMarker } from './marking/marker.ts'
import { lookUpTargets } from './marking/target.ts'
import { followNavigation } from './navigation.ts'
import { pageKind } from './pages/index.ts'
import { languageFor, phrasesIn } from './phrases/index.ts'
import { askProfile, keepProfile, readProfile } from './settings/profile.ts'

/** Set on the root element by the copy of this script that runs, so that a second one stands back. */
const RUNNING_ATTRIBUTE = 'data-plugmark'

/** A request the client gave up on should not linger in the manager. ms */
const REQUEST_MS = 60_000

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
  const language = languageFor(root.lang, navigator.languages)
  const phrases = phrasesIn(language)
  const idWords = words(language)
  const announcer = createAnnouncer()
  let profile = await readProfile(manager)

  const catalogue = openCatalogue(api, manager.xhr)
  const marker = createMarker<readonly IndexListing[]>({
    lookUp: (targets) => lookUpTargets(targets, catalogue.byRepositories),
    createBadge: (_, listings) =>
      createBadge(listings, {
        cli: DEFAULTS.cli,
        profile,
        words: idWords,
        phrases,
        copy: async ({ command }) => {
          const copied = await writeClipboard(command, manager)
          announcer.say(copied ? phrases.copied(command) : phrases.copyFailed(command))
          return copied
        },
      }),
  })

  const changeProfile = () => {
    const chosen = askProfile((question, start) => prompt(question, start), phrases, profile)
    if (chosen === null) return
    profile = chosen
    keepProfile(manager, chosen).catch(() => {
      // It holds for this page only.
    })
    marker.refresh()
  }
  manager.addMenuCommand?.(phrases.profileCommand, changeProfile).catch(() => {
    // A manager without a menu: the default profile stays.
  })

  const freshness = keepFresh({ catalogue, name: `plugmark ${api}`, onChange: marker.refresh })

  addStyles()
  followNavigation(
    () => {
      const kind = pageKind(new URL(location.href))
      if (kind === null) return marker.stop()
      announcer.prepare()
      marker.start(kind)
      freshness.look()
    },
    () => marker.stop(),
  )
}

/** The catalogue as this origin keeps it. Copies of different directories are kept apart. */
function openCatalogue(api: string, xhr: ManagerXhr): Catalogue {
  const fetch = managerFetch(xhr, { timeoutMs: REQUEST_MS, maxBytes: LIMITS.bodyBytes })
  const directory = createDirectoryClient({ baseUrl: api, fetch })
  return createCatalogue({
    // The cache has a back-off of its own, kept over all tabs.
    fetchIndex: ({ signal }) => directory.index({ signal, retries: 0 }),
    storage: idbStorage({ database: `plugmark ${api}` }),
  })
}
