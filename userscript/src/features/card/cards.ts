import type { IndexListing } from '@plugmark/shared/contract'
import type { App, PageContext } from '../../app.ts'
import { after, onEnd, whileShown } from '../../base/lifetime.ts'
import { report, reportAs } from '../../base/report.ts'
import { type Badge, badgeAt } from '../../start/badge.ts'
import { element } from '../../ui/element.ts'
import { showOverlay } from '../../ui/overlay.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import { badgePartAt, listenToCopyButtons } from '../badges/badge-events.ts'
import { labelOf } from '../badges/badge-parts.ts'
import css from './card.css?raw'
import { Card, type CardOpening } from './card.ts'

/** A passing pointer opens nothing, and a pointer that leaves has time to reach the card. ms */
const OPEN_MS = 300
const CLOSE_MS = 250

/** Time for which a note stays, unless the user presses something before. ms */
const NOTE_MS = 8000

/** Makes badges work: the label opens a card, and the button copies a command. */
export function initCards({ kind, signal }: PageContext, app: App): void {
  if (kind === null) return
  const card = new Card(app, signal)
  const overlays = {
    openCard: ({ node, link }: Badge, listings: readonly IndexListing[]) =>
      void card.open(labelOf(node), listings, { pinned: true, focus: true, unfolded: true, link }),
    showNote: (text: string, beside: HTMLElement) => showNote(text, beside, signal),
  }
  listenToCopyButtons(app, overlays, signal)
  const listingsOf = async (badge: Badge) => {
    try {
      const listings = await app.lookup.listings(badge.target)
      // A card begins with the known facts about its command.
      await app.directory.records.loadVerdicts(listings)
      return listings
    } catch (error) {
      report('card: listings', error)
      return []
    }
  }
  openCardsOfBadges(card, listingsOf, signal)
}

/**
 * Opens cards by the user's actions on the labels of badges: hover, keyboard focus, click. One set of listeners serves all
 * of them.
 *
 * @param listingsOf resolves to the listings in the card of a badge; empty when there is nothing to show
 */
function openCardsOfBadges(
  card: Card,
  listingsOf: (badge: Badge) => Promise<readonly IndexListing[]>,
  signal: AbortSignal,
): void {
  let cancel = () => {}
  /** The opening that waits for its listings. */
  let opening: { readonly isPinned: boolean } | null = null

  const labelAt = (event: Event): HTMLElement | null => {
    const badge = badgeAt(event.target)
    return badge && badgePartAt(event) === labelOf(badge.node) ? labelOf(badge.node) : null
  }
  const schedule = (ms: number, action: () => void) => {
    cancel()
    cancel = after(signal, ms, action)
  }
  const keepOpen = () => cancel()
  const reportFailure = reportAs('card')

  const open = async (label: HTMLElement, options: CardOpening): Promise<HTMLElement | null> => {
    const badge = badgeAt(label)
    if (badge === null) return null
    const requested = { isPinned: options.pinned === true }
    opening = requested
    const listings = await whileShown(signal, listingsOf(badge))
    if (opening !== requested || listings.length === 0 || !label.isConnected) return null
    opening = null
    return card.open(label, listings, { ...options, link: badge.link })
  }
  const closeSoon = () => {
    if (opening && !opening.isPinned) opening = null
    schedule(CLOSE_MS, () => {
      if (card.state() === 'open' && !card.isHeld()) card.close()
    })
  }
  const openUnpinned = async (label: HTMLElement) => {
    // Passing over another badge does not replace a card that the user has opened, or works in.
    if (card.state() === 'pinned' || card.contains(document.activeElement)) return
    const box = await open(label, {})
    box?.addEventListener('pointerenter', keepOpen)
    box?.addEventListener('pointerleave', closeSoon)
  }
  const openSoon = (label: HTMLElement) => {
    if (card.state(label) === 'closed') schedule(OPEN_MS, () => openUnpinned(label).catch(reportFailure))
    else keepOpen()
  }

  const onLabel = <K extends keyof WindowEventMap>(
    type: K,
    handle: (label: HTMLElement, event: WindowEventMap[K]) => void,
  ) => {
    addEventListener(
      type,
      (event) => {
        const label = labelAt(event)
        if (label) handle(label, event)
      },
      { capture: true, signal },
    )
  }
  /** Returns true for a move inside the label. */
  const isInside = (label: HTMLElement, { relatedTarget }: PointerEvent) => label.contains(relatedTarget as Node | null)

  onLabel('pointerover', (label, event) => {
    if (event.pointerType !== 'touch' && !isInside(label, event)) openSoon(label)
  })
  onLabel('pointerout', (label, event) => {
    if (!isInside(label, event)) closeSoon()
  })
  onLabel('focusin', (label) => {
    if (label.matches(':focus-visible') && !card.isReturning()) openSoon(label)
  })
  onLabel('focusout', (_, { relatedTarget }) => {
    if (!card.contains(relatedTarget)) closeSoon()
  })
  onLabel('click', (label, event) => {
    event.preventDefault()
    keepOpen()
    if (card.state(label) === 'pinned') card.close()
    // A click without a pointer came from a key.
    else open(label, { pinned: true, focus: event.detail === 0 }).catch(reportFailure)
  })
}

/** Shows a sentence beside an element for a while. The announcer reads it to screen readers. */
function showNote(text: string, beside: HTMLElement, signal: AbortSignal): void {
  addStyles(css)
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
