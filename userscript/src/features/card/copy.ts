import { type IndexListing, isDoubtful, type Verdict } from '@plugmark/shared/contract'
import type { App } from '../../app.ts'
import { after, onEnd, whileShown } from '../../base/lifetime.ts'
import { report, reportAs } from '../../base/report.ts'
import { offerFor } from '../../catalogue/badges.ts'
import { CONTRACT, type Locale } from '../../i18n/index.ts'
import { showCopied } from '../../ui/buttons.ts'
import { copyCommand } from '../../ui/copy.ts'
import { element } from '../../ui/element.ts'
import { showOverlay } from '../../ui/overlay.ts'
import { actionOf, type Badge, badgeAt, labelOf, showBadgeCopied, updateBadge } from '../badges/badge.ts'
import { badgePartAt } from '../badges/badge-events.ts'
import { showSettings } from '../settings/dialog.ts'
import type { Card } from './card.ts'
import { spelledAs } from './card-details.ts'
import { CARD_WORDS } from './card-words.ts'

function approvalRemark(locale: Locale): string {
  const { name, sentence } = CONTRACT[locale].verdict('needs-approval')
  return `${name}: ${sentence}`
}

/** Time for which a note stays, unless the user presses something before. ms */
const NOTE_MS = 8000

/** Longest wait for the directory before a command is copied. ms */
const RECORD_LIMIT_MS = 3000

/** The listings of a badge, and the one that it offers. */
interface Offered {
  readonly listings: readonly IndexListing[]
  /** The listing whose command its button copies; null when the user must choose one. */
  readonly chosen: { readonly listing: IndexListing; readonly command: string } | null
}

/**
 * Makes the copy buttons of badges work: a button copies, or opens the card when the user has to choose or decide.
 * One set of listeners serves all badges, and gives each exact names when the user points at it or focuses it.
 */
export function listenToCopyButtons(app: App, card: Card, signal: AbortSignal): void {
  /** Updates a badge by its listings; returns null when it has none any more. */
  const update = async ({ node, link, target, data }: Badge): Promise<Offered | null> => {
    const listings = await app.lookup.listings(target)
    if (listings.length === 0) {
      app.lookup.markUnlisted(target)
      // The marker evaluates the link again.
      node.remove()
      return null
    }
    const offer = offerFor(listings, app.settings.current)
    const command = offer.kind === 'command' ? offer.offered : null
    const listing = command ? listings.find(({ fullName }) => fullName === command.fullName) : listings[0]
    const isOne = command !== null || listings.length === 1
    const { fullName } = spelledAs(listing!, link)
    updateBadge(
      node,
      data,
      { fullName: isOne ? fullName : fullName.split('#', 1)[0]!, command: command?.command ?? null },
      app.locale(),
    )
    return { listings, chosen: command && { listing: listing!, command: command.command } }
  }

  const onCopy = async (badge: Badge): Promise<void> => {
    let offered: Offered | null = null
    let verdict: Verdict | null = null
    // Does not copy a command that the card collapses.
    const command = (async () => {
      offered = await update(badge)
      const chosen = offered?.chosen
      if (!chosen) return null
      verdict = await verdictOf(app, chosen.listing)
      return isDoubtful(verdict) ? null : chosen.command
    })()
    const remark = () => (verdict === 'needs-approval' ? approvalRemark(app.locale()) : '')
    // The command is copied even if the page ends meanwhile; nothing is shown on the next one.
    const outcome = await whileShown(signal, copyCommand(app, command, remark))
    if (offered === null || outcome === 'superseded' || !badge.node.isConnected) return
    if (outcome === 'copied') {
      showCopied(badge.node, (isCopied) => showBadgeCopied(badge.node, isCopied))
      if (remark()) showNote(`${CARD_WORDS[app.locale()].copiedBut} ${remark()}`, actionOf(badge.node), signal)
    } else {
      const { listings } = offered as Offered
      card.open(labelOf(badge.node), listings, { pinned: true, focus: true, unfolded: true, link: badge.link })
    }
  }

  const onPoint = ({ target }: Event) => {
    const badge = badgeAt(target)
    // When the index cannot be read, the badge keeps its names.
    if (badge) update(badge).catch(reportAs('badge: listings'))
  }
  addEventListener('pointerover', onPoint, { capture: true, signal })
  addEventListener('focusin', onPoint, { capture: true, signal })
  addEventListener(
    'click',
    (event) => {
      const badge = badgeAt(event.target)
      if (badge === null) return
      event.preventDefault()
      const button = actionOf(badge.node)
      if (badgePartAt(event) !== button || button.localName !== 'button') return
      whileShown(signal, onCopy(badge)).catch((error) => {
        report('badge: copy', error)
        // The settings show the state of the index and the failure. Not for a user who has moved on.
        if (button.matches(':hover, :focus')) showSettings(app)
      })
    },
    { capture: true, signal },
  )
}

/**
 * Returns the verdict on a listing's command. Asks the directory once a day, as the card does.
 *
 * @returns null when it is unknown, or not known in time
 */
async function verdictOf({ directory }: App, listing: IndexListing): Promise<Verdict | null> {
  const { records } = directory
  const asked = records.get(listing.fullName).catch(reportAs('badge: record'))
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, RECORD_LIMIT_MS))])
  return records.verdictOf(listing)
}

/** Shows a sentence beside an element for a while. The announcer reads it to screen readers. */
function showNote(text: string, beside: HTMLElement, signal: AbortSignal): void {
  const note = element('div', { class: 'plugmark-card plugmark-note', 'aria-hidden': 'true' }, text)
  const end = new AbortController()
  const close = () => {
    end.abort()
    note.remove()
  }
  showOverlay(note, beside)
  after(end.signal, NOTE_MS, close)
  onEnd(signal, close)
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, close, { capture: true, signal: end.signal })
}
