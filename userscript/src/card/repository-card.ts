import type { IndexListing } from '@plugmark/shared/contract'
import { isUntaken } from '../github/hydration.ts'
import { cardPlace } from '../github/repository-page.ts'
import { element } from '../ui/element.ts'
import { createContent } from './content.ts'
import type { CardOptions } from './options.ts'

/** How often at most the page is looked at for where the card has gone. ms */
const LOOK_MS = 200

/** The card on a repository's own page. */
export interface RepositoryCard {
  /** @param repository folded `owner/repo` whose page this is; null takes the card away */
  show(repository: string | null): void
  /** Makes the card anew. */
  redraw(): void
}

/**
 * @param options.lookUp all listings of a repository
 * @param options.card read when a card is made
 */
export function createRepositoryCard(options: {
  lookUp: (repository: string) => Promise<readonly IndexListing[]>
  card: () => CardOptions
}): RepositoryCard {
  let shown: string | null = null
  let card: HTMLElement | null = null
  let isAsked = false

  const put = () => {
    isAsked = false
    const place = card && cardPlace(document)
    if (card === null || !place || card.parentElement === place.parent) return
    if (isUntaken(place.parent)) return lookSoon()
    place.parent.insertBefore(card, place.before === card ? card.nextSibling : place.before)
  }
  // The page draws its panes when it likes, and may draw them again without the card.
  const lookSoon = () => {
    if (!isAsked) setTimeout(put, LOOK_MS)
    isAsked = true
  }
  const observer = new MutationObserver(lookSoon)

  const remove = () => {
    observer.disconnect()
    // Also one in a page that was restored from a snapshot: a copy, which does nothing.
    document.querySelector('.plugmark-repository')?.remove()
    card = null
  }

  const draw = async (repository: string) => {
    const listings = await options.lookUp(repository)
    if (shown !== repository) return
    remove()
    if (listings.length === 0) return
    const spoken = options.card()
    const content = createContent(listings, spoken)
    card = element('section', { class: 'plugmark-repository', 'aria-label': spoken.phrases.isPlugin }, content)
    put()
    observer.observe(document.documentElement, { subtree: true, childList: true })
  }

  const show = (repository: string | null, again = false) => {
    if (repository === shown && !again) return put()
    shown = repository
    if (repository === null) return remove()
    draw(repository).catch(() => {
      // The catalogue could not be read: the page is as it was.
    })
  }
  return { show, redraw: () => show(shown, true) }
}
