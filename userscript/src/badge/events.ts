import { isDoubtful } from '@plugmark/shared/contract'
import type { App } from '../app.ts'
import type { Card } from '../card/card.ts'
import type { LinkTarget } from '../github/links.ts'
import { offerFor } from '../plugins/install-command.ts'
import type { Lookup } from '../plugins/lookup.ts'
import { keepFromPage, showCopied } from '../ui/buttons.ts'
import { copyCommand } from '../ui/clipboard.ts'
import { actionOf, labelOf, updateBadge } from './badge.ts'
import type { Badge, Badges } from './badges.ts'
import { openCardsOfBadges } from './card-triggers.ts'

/**
 * Makes badges work: their button copies, or opens the card where there is something to choose or to decide, and their
 * label opens the card. One set of listeners serves all badges.
 *
 * @param options.onUnlisted called when the target of a badge turns out not to be listed
 */
export function listenToBadges(
  app: App,
  options: { badges: Badges; card: Card; lookup: Lookup; onUnlisted: (target: LinkTarget) => void },
): void {
  const { badges, card, lookup, onUnlisted } = options
  /** Brings a badge up to date with its listings; null when it has none any more. */
  const update = async ({ node, target, data }: Badge) => {
    const listings = await lookup.listings(target)
    if (listings.length === 0) {
      onUnlisted(target)
      return null
    }
    const offer = offerFor(listings, app.settings.current)
    const command = offer.kind === 'command' ? offer.offered : null
    const listing = command ? listings.find(({ fullName }) => fullName === command.fullName) : listings[0]
    const isOne = command !== null || listings.length === 1
    const fullName = isOne ? listing!.fullName : listing!.fullName.split('#', 1)[0]!
    updateBadge(node, data, { fullName, command: command?.command ?? null }, app.messages())
    const isFailed = isOne && isDoubtful(app.verdicts.of(listing!))
    return { listings, command: isFailed ? null : command }
  }

  const onCopyClick = async (badge: Badge) => {
    // Another tab may have learned meanwhile that the command failed.
    await app.verdicts.reload()
    const updated = await update(badge)
    if (updated === null) return
    const { listings, command } = updated
    if (command && (await copyCommand(app, command.command))) showCopied(actionOf(badge.node))
    else card.open(labelOf(badge.node), listings, { pinned: true, focus: true, unfolded: true })
  }

  const onTurnTo = ({ target }: Event) => {
    const badge = badges.at(target)
    // Where the index cannot be read, the badge keeps its names.
    if (badge) update(badge).catch(() => {})
  }
  addEventListener('pointerover', onTurnTo, { capture: true })
  addEventListener('focusin', onTurnTo, { capture: true })
  addEventListener(
    'click',
    (event) => {
      const badge = badges.at(event.target)
      const button = badge && actionOf(badge.node)
      if (!badge || button?.localName !== 'button' || !button.contains(event.target as Node)) return
      keepFromPage(event)
      onCopyClick(badge).catch(() => {
        // The settings say what there is of the index and why there is no more; not to somebody who has gone on.
        if (button.matches(':hover, :focus')) app.openSettings()
      })
    },
    { capture: true },
  )
  openCardsOfBadges({
    badges,
    card,
    async listingsOf(badge) {
      // A card begins with what is known of its command.
      await app.verdicts.reload()
      return lookup.listings(badge.target).catch(() => [])
    },
  })
}
