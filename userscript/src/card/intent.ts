import type { IndexListing } from '@plugmark/shared/contract'
import { onActivate } from '../ui/copy-button.ts'
import type { Card } from './card.ts'

/** A pointer that only passes by opens nothing; one that leaves has time to reach the card. ms */
const OPEN_MS = 300
const CLOSE_MS = 250
const PRESS_MS = 500

/** Opens cards by what a person does with a badge's label. */
export interface Intent {
  follow(label: HTMLElement, listings: readonly IndexListing[]): void
}

export function createIntent(card: Card): Intent {
  let waiting: ReturnType<typeof setTimeout> | undefined
  const later = (ms: number, action: () => void) => {
    clearTimeout(waiting)
    waiting = setTimeout(action, ms)
  }
  const stay = () => clearTimeout(waiting)

  return {
    follow(label, listings) {
      /** The click that ends a long press belongs to it. */
      let pressed = false
      const leave = () => {
        if (card.state(label) === 'pinned') return
        later(CLOSE_MS, () => {
          if (card.state(label) === 'open' && !card.contains(document.activeElement)) card.close()
        })
      }
      const open = () => {
        // What a person has opened is not taken away by passing over something else.
        if (card.state() === 'pinned') return
        const box = card.open(label, listings, {})
        box.addEventListener('pointerenter', stay)
        box.addEventListener('pointerleave', leave)
      }
      const openSoon = () => {
        if (card.state(label) === 'closed') later(OPEN_MS, open)
        else stay()
      }

      label.addEventListener('pointerenter', ({ pointerType }) => {
        if (pointerType !== 'touch') openSoon()
      })
      label.addEventListener('pointerleave', leave)
      label.addEventListener('focus', () => {
        if (label.matches(':focus-visible') && !card.isReturning()) openSoon()
      })
      label.addEventListener('blur', ({ relatedTarget }) => {
        if (!card.contains(relatedTarget)) leave()
      })
      label.addEventListener('pointerdown', ({ pointerType }) => {
        pressed = false
        if (pointerType !== 'touch') return
        later(PRESS_MS, () => {
          pressed = true
          card.open(label, listings, { pinned: true })
        })
      })
      label.addEventListener('pointercancel', stay)
      label.addEventListener('contextmenu', (event) => {
        if (pressed) event.preventDefault()
      })
      onActivate(label, ({ detail }) => {
        stay()
        if (pressed) pressed = false
        else if (card.state(label) === 'pinned') card.close()
        // A click without a button of the pointer is a key's.
        else card.open(label, listings, { pinned: true, focus: detail === 0 })
      })
    },
  }
}
