import type { IndexListing } from '@plugmark/shared/contract'
import { keepFromPage } from '../ui/button.ts'
import type { Card, CardOpening } from './card.ts'

/** A pointer that only passes by opens nothing; one that leaves has time to reach the card. ms */
const OPEN_MS = 300
const CLOSE_MS = 250
const PRESS_MS = 500

export interface IntentOptions {
  readonly card: Card
  /** The label of a badge that an event is about; null for anything else on the page. */
  readonly labelAt: (node: EventTarget | null) => HTMLElement | null
  /** What its card shows; nothing when the badge stands for nothing any more. */
  readonly listingsOf: (label: HTMLElement) => Promise<readonly IndexListing[]>
}

/**
 * Opens cards by what a person does with the labels of badges. One set of listeners serves all of them.
 *
 * @returns takes an event as if it were listened for when it came
 */
export function followIntent({ card, labelAt, listingsOf }: IntentOptions): (event: Event) => void {
  let waiting: ReturnType<typeof setTimeout> | undefined
  /** The opening that waits for its listings. */
  let opening: { readonly byPassing: boolean } | null = null
  /** The click that ends a long press belongs to it. */
  let pressed: HTMLElement | null = null

  const later = (ms: number, action: () => void) => {
    clearTimeout(waiting)
    waiting = setTimeout(action, ms)
  }
  const stay = () => clearTimeout(waiting)

  const open = async (label: HTMLElement, how: CardOpening): Promise<HTMLElement | null> => {
    const mine = { byPassing: !how.pinned }
    opening = mine
    const listings = await listingsOf(label)
    if (opening !== mine || listings.length === 0 || !label.isConnected) return null
    opening = null
    return card.open(label, listings, how)
  }
  const leave = () => {
    if (opening?.byPassing) opening = null
    later(CLOSE_MS, () => {
      if (card.state() === 'open' && !card.isHeld()) card.close()
    })
  }
  const openInPassing = async (label: HTMLElement) => {
    // What a person has opened, or works in, is not taken away by passing over something else.
    if (card.state() === 'pinned' || card.contains(document.activeElement)) return
    const box = await open(label, {})
    box?.addEventListener('pointerenter', stay)
    box?.addEventListener('pointerleave', leave)
  }
  const openSoon = (label: HTMLElement) => {
    if (card.state(label) === 'closed') later(OPEN_MS, () => void openInPassing(label))
    else stay()
  }

  const on = <K extends keyof WindowEventMap>(
    type: K,
    act: (label: HTMLElement, event: WindowEventMap[K]) => void,
    from?: (event: WindowEventMap[K]) => EventTarget | null,
  ) => {
    const listen = (event: WindowEventMap[K]) => {
      const label = labelAt(event.target)
      if (label !== null && (from === undefined || labelAt(from(event)) !== label)) act(label, event)
    }
    addEventListener(type, listen, { capture: true })
    heard.set(type, listen as (event: Event) => void)
  }
  const heard = new Map<string, (event: Event) => void>()
  const other = ({ relatedTarget }: MouseEvent | FocusEvent) => relatedTarget

  on('pointerover', (label, { pointerType }) => pointerType !== 'touch' && openSoon(label), other)
  on('pointerout', leave, other)
  on('focusin', (label) => {
    if (label.matches(':focus-visible') && !card.isReturning()) openSoon(label)
  })
  on('focusout', (_, { relatedTarget }) => {
    if (!card.contains(relatedTarget)) leave()
  })
  on('pointerdown', (label, { pointerType }) => {
    pressed = null
    if (pointerType !== 'touch') return
    later(PRESS_MS, () => {
      pressed = label
      void open(label, { pinned: true })
    })
  })
  on('pointercancel', stay)
  on('contextmenu', (label, event) => {
    if (pressed === label) event.preventDefault()
  })
  on('click', (label, event) => {
    keepFromPage(event)
    stay()
    if (pressed === label) pressed = null
    else if (card.state(label) === 'pinned') card.close()
    // A click without a button of the pointer is a key's.
    else void open(label, { pinned: true, focus: event.detail === 0 })
  })
  return (event) => heard.get(event.type)?.(event)
}
