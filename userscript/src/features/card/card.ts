import { type IndexListing, nameParts } from '@plugmark/shared/contract'
import type { App } from '../../app.ts'
import { every, onEnd } from '../../base/lifetime.ts'
import { spelledAs } from '../../github/links.ts'
import { element } from '../../ui/element.ts'
import { placeOverlay, showOverlay } from '../../ui/overlay.ts'
import { createContent } from './content.ts'

export interface CardOpening {
  /** Keeps the card open until the user closes it, wherever the pointer moves. */
  readonly pinned?: boolean
  readonly focus?: boolean
  /** Expands the other listings of the repository. */
  readonly unfolded?: boolean
  /** The link whose spelling of the repository's name is shown. */
  readonly link?: Pick<URL, 'pathname'>
}

/** Time between two checks that the badge is visible. A row that is rendered again has its badge by then. ms */
const LOOK_MS = 500

export interface Card {
  /** Opens the card of `opener` in place of any other. @returns its element */
  open(opener: HTMLElement, listings: readonly IndexListing[], options: CardOpening): HTMLElement
  /** Returns the state of the card of this opener; without an opener, of any card. */
  state(opener?: HTMLElement): 'closed' | 'open' | 'pinned'
  /** @param options.focus true to return the focus to the opener */
  close(options?: { focus?: boolean }): void
  contains(node: EventTarget | null): boolean
  /** Returns true if the focus is in the card, or on its opener by keyboard. */
  isHeld(): boolean
  /** True while the focus is returning to the opener. */
  isReturning(): boolean
}

interface OpenedCard {
  readonly box: HTMLElement
  readonly opener: HTMLElement
  readonly pinned: boolean
  readonly end: AbortController
}

/** @param signal closes the card, and ends its work */
export function createCard(app: App, signal: AbortSignal): Card {
  let opened: OpenedCard | null = null
  let returning = false

  const contains = (node: EventTarget | null) => node instanceof Node && opened?.box.contains(node) === true

  const close = ({ focus = false } = {}) => {
    if (opened === null) return
    const { box, opener, end } = opened
    opened = null
    end.abort()
    box.remove()
    opener.setAttribute('aria-expanded', 'false')
    returning = true
    if (focus) opener.focus({ preventScroll: true })
    returning = false
  }

  /** Listeners that exist while a card is open: they close it, or keep it open. */
  const listen = (box: HTMLElement, opener: HTMLElement, signal: AbortSignal) => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // Otherwise the page's own Escape handler would also close something.
      event.stopImmediatePropagation()
      event.preventDefault()
      close({ focus: contains(document.activeElement) || document.activeElement === opener })
    }
    addEventListener('keydown', onKey, { capture: true, signal })
    const onPress = ({ target }: Event) => {
      if (!contains(target) && !opener.contains(target as Node)) close()
    }
    addEventListener('pointerdown', onPress, { capture: true, signal })
    every(signal, LOOK_MS, () => (opener.checkVisibility?.() ?? opener.isConnected) || close())
    // The focus returns to the badge when the settings are closed.
    const onSettings = ({ target }: Event) => {
      if ((target as Element).closest('[data-plugmark-part=settings]')) close({ focus: true })
    }
    box.addEventListener('click', onSettings, { capture: true })
    box.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget !== null && !contains(relatedTarget) && relatedTarget !== opener) close()
    })
  }

  onEnd(signal, () => close())
  return {
    open(opener, listings, { pinned = false, focus = false, unfolded = false, link }) {
      close()
      const named = link ? listings.map((listing) => spelledAs(listing, link)) : listings
      const { owner, repo } = nameParts(named[0]!.fullName)
      const attributes = { class: 'plugmark-card', role: 'dialog', tabindex: '-1', 'aria-label': `${owner}/${repo}` }
      const onFilled = () => {
        if (opened === now) placeOverlay(box, opener)
      }
      const box = element('div', attributes, createContent(named, app, { unfolded, onFilled }))
      const now: OpenedCard = { box, opener, pinned, end: new AbortController() }
      opened = now
      showOverlay(box, opener)
      opener.setAttribute('aria-expanded', 'true')
      listen(box, opener, now.end.signal)
      if (focus) box.focus({ preventScroll: true })
      return box
    },
    state(opener = opened?.opener) {
      if (opened === null || opened.opener !== opener) return 'closed'
      return opened.pinned ? 'pinned' : 'open'
    },
    close,
    contains,
    isHeld: () => contains(document.activeElement) || opened?.opener.matches(':focus-visible') === true,
    isReturning: () => returning,
  }
}
