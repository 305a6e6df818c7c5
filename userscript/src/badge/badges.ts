import type { Target } from '../github/target.ts'
import type { Voice } from '../i18n/index.ts'
import { BADGE_ATTRIBUTE } from '../marker/link-state.ts'
import { type Face, type FaceCode, readFace } from '../plugins/badge-data.ts'
import { createBadge, labelOf } from './badge.ts'
import { hadNoRoom } from './label-fit.ts'

/** A badge of ours on the page. */
export interface Made {
  readonly node: HTMLElement
  readonly target: Target
  readonly face: Face
}

/** The badges of a page, told from whatever looks like one. */
export interface Badges {
  create(target: Target, code: FaceCode, link: HTMLAnchorElement): HTMLElement
  /** The badge that a node belongs to. */
  at(node: EventTarget | null): Made | null
  /** Those on the page, in its order. */
  all(): Made[]
  /** Those made since this was asked last. */
  fresh(): Made[]
  /**
   * Of those made since this was called last, takes the word from each that stands below its link: its line has no room
   * for it, so the row would be higher, and without the word there mostly is; lines as long that look like it are made
   * without. Lays the page out if there are any.
   */
  fit(): void
}

/** @param options.onCreate called for each before it is put on the page */
export function createBadges(options: { voice: () => Voice; onCreate: (badge: HTMLElement) => void }): Badges {
  const { voice, onCreate } = options
  const known = new WeakMap<Element, Made>()
  const fresh: Made[] = []
  /** For `fit`. Idle work may ask for the fresh ones before they are laid out. */
  const waiting: Made[] = []
  return {
    create(target, code, link) {
      const face = readFace(code)!
      const made = { node: createBadge(face, link, voice()), target, face }
      known.set(made.node, made)
      fresh.push(made)
      waiting.push(made)
      onCreate(made.node)
      return made.node
    },
    at(node) {
      const badge = node instanceof Element ? node.closest(`[${BADGE_ATTRIBUTE}]`) : null
      // Nothing is known of null.
      return known.get(badge as Element) ?? null
    },
    all: () => [...document.querySelectorAll(`[${BADGE_ATTRIBUTE}]`)].flatMap((node) => known.get(node) ?? []),
    fresh: () => fresh.splice(0),
    fit() {
      const below = waiting.splice(0).filter(
        // One that a re-render has taken off the page is below nothing; one without a word has none to give.
        ({ node }) =>
          node.getBoundingClientRect().top > (node.previousElementSibling?.getBoundingClientRect().bottom as number) &&
          labelOf(node).textContent,
      )
      for (const { node } of below) {
        hadNoRoom(node.parentElement!)
        labelOf(node).textContent = ''
      }
    },
  }
}
