import type { App } from '../../app.ts'
import { report } from '../../base/report.ts'
import type { PageContext } from '../../page.ts'
import { createCard } from './card.ts'
import { listenToCopyButtons } from './copy.ts'
import { openCardsOfBadges } from './triggers.ts'

/** Makes badges work: the label opens a card, and the button copies a command. */
export function initCards({ kind, signal }: PageContext, app: App): void {
  if (kind === null) return
  const card = createCard(app, signal)
  listenToCopyButtons(app, card, signal)
  openCardsOfBadges(
    card,
    async (badge) => {
      try {
        const listings = await app.lookup.listings(badge.target)
        // A card begins with the known facts about its command.
        await app.verdicts.load(listings)
        return listings
      } catch (error) {
        report('card: listings', error)
        return []
      }
    },
    signal,
  )
}
