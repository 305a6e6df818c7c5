import { type IndexListing, nameParts } from '@plugmark/shared/contract'
import type { App } from '../../app.ts'
import { onEnd } from '../../base/lifetime.ts'
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

interface OpenedCard {
  readonly box: HTMLElement
  readonly opener: HTMLElement
  readonly pinned: boolean
  readonly end: AbortController
}

/** The card of a badge. A page shows one at a time. */
export class Card {
  readonly #app: App
  #opened: OpenedCard | null = null
  #isReturning = false

  /** @param signal closes the card, and ends its work */
  constructor(app: App, signal: AbortSignal) {
    this.#app = app
    onEnd(signal, () => this.close())
  }

  /** Opens the card of `opener` in place of any other. @returns its element */
  open(
    opener: HTMLElement,
    listings: readonly IndexListing[],
    { pinned = false, focus = false, unfolded = false, link }: CardOpening,
  ): HTMLElement {
    this.close()
    const named = link ? listings.map((listing) => spelledAs(listing, link)) : listings
    const { owner, repo } = nameParts(named[0]!.fullName)
    const attributes = { class: 'plugmark-card', role: 'dialog', tabindex: '-1', 'aria-label': `${owner}/${repo}` }
    const onFilled = () => {
      if (this.#opened === now) placeOverlay(box, opener)
    }
    const box = element('div', attributes, createContent(named, this.#app, { unfolded, onFilled }))
    const now: OpenedCard = { box, opener, pinned, end: new AbortController() }
    this.#opened = now
    showOverlay(box, opener)
    opener.setAttribute('aria-expanded', 'true')
    this.#listen(now)
    if (focus) box.focus({ preventScroll: true })
    return box
  }

  /** @param options.focus true to return the focus to the opener */
  close({ focus = false } = {}): void {
    if (this.#opened === null) return
    const { box, opener, end } = this.#opened
    this.#opened = null
    end.abort()
    box.remove()
    opener.setAttribute('aria-expanded', 'false')
    this.#isReturning = true
    if (focus) opener.focus({ preventScroll: true })
    this.#isReturning = false
  }

  /** Returns the state of the card of this opener; without an opener, of any card. */
  state(opener = this.#opened?.opener): 'closed' | 'open' | 'pinned' {
    if (this.#opened === null || this.#opened.opener !== opener) return 'closed'
    return this.#opened.pinned ? 'pinned' : 'open'
  }

  contains(node: EventTarget | null): boolean {
    return node instanceof Node && this.#opened?.box.contains(node) === true
  }

  /** Returns true if the focus is in the card, or on its opener by keyboard. */
  isHeld(): boolean {
    return this.contains(document.activeElement) || this.#opened?.opener.matches(':focus-visible') === true
  }

  /** Returns true while the focus is returning to the opener. */
  isReturning(): boolean {
    return this.#isReturning
  }

  /** Listens while the card is open: each listener closes it, or keeps it open. */
  #listen({ box, opener, end: { signal } }: OpenedCard): void {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // Otherwise the page's own Escape handler would also close something.
      event.stopImmediatePropagation()
      event.preventDefault()
      this.close({ focus: this.contains(document.activeElement) || document.activeElement === opener })
    }
    addEventListener('keydown', onKey, { capture: true, signal })
    const onPress = ({ target }: Event) => {
      if (!this.contains(target) && !opener.contains(target as Node)) this.close()
    }
    addEventListener('pointerdown', onPress, { capture: true, signal })
    const look = setInterval(() => (opener.checkVisibility?.() ?? opener.isConnected) || this.close(), LOOK_MS)
    onEnd(signal, () => clearInterval(look))
    // The focus returns to the badge when the settings are closed.
    const onSettings = ({ target }: Event) => {
      if ((target as Element).closest('[data-plugmark-part=settings]')) this.close({ focus: true })
    }
    box.addEventListener('click', onSettings, { capture: true })
    box.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget !== null && !this.contains(relatedTarget) && relatedTarget !== opener) this.close()
    })
  }
}
