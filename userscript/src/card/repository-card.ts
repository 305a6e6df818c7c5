import type { App } from '../app.ts'
import { isAwaitingHydration } from '../github/hydration.ts'
import { cardPlace, repositoryOfPage } from '../github/repository-page.ts'
import { element } from '../ui/element.ts'
import { createContent } from './content.ts'

/** Shortest time between two looks for the place of the card on a changing page. ms */
const LOOK_MS = 200

/** The card on a repository's own page. */
export interface RepositoryCard {
  /** @param repository folded `owner/repo` whose page this is; null removes the card */
  show(repository: string | null): void
  /** Replaces the card: the language, program or profile changed. */
  rerender(): void
  /** Looks at a newer index: replaces the card where its listings are others now. */
  update(): void
}

export function createRepositoryCard(app: App): RepositoryCard {
  let shown: string | null = null
  let card: HTMLElement | null = null
  let shownListings = ''
  let isScheduled = false

  const insert = () => {
    isScheduled = false
    const place = card && cardPlace(document)
    if (card === null || !place || card.parentElement === place.parent) return
    // React has drawn another page, and has not said so yet.
    if (repositoryOfPage(new URL(document.URL)) !== shown) return
    if (isAwaitingHydration(place.parent)) return insertSoon()
    place.parent.insertBefore(card, place.before === card ? card.nextSibling : place.before)
  }
  const insertSoon = () => {
    if (!isScheduled) setTimeout(insert, LOOK_MS)
    isScheduled = true
  }
  // The page may render its panes late, and again without the card.
  const observer = new MutationObserver(insertSoon)

  const remove = () => {
    observer.disconnect()
    // Also one in a page that was restored from a snapshot: a copy without listeners.
    document.querySelector('.plugmark-repository')?.remove()
    card = null
  }

  const render = async (repository: string, isUpdate: boolean) => {
    const [listings] = await Promise.all([app.directory.index.byRepository(repository), app.verdicts.reload()])
    if (shown !== repository) return
    // A person may be at work in it.
    const nextListings = JSON.stringify(listings)
    if (isUpdate && nextListings === shownListings) return
    shownListings = nextListings
    remove()
    if (listings.length === 0) return
    const label = app.messages().isPlugin
    card = element('section', { class: 'plugmark-repository', 'aria-label': label }, createContent(listings, app))
    insert()
    observer.observe(document.documentElement, { subtree: true, childList: true })
  }

  const renderQuietly = (isUpdate: boolean) => {
    if (shown === null) return
    render(shown, isUpdate).catch(() => {
      // The index could not be read: the page stays as it is.
    })
  }
  return {
    show(repository) {
      if (repository !== null && repository === shown) return insert()
      shown = repository
      if (repository === null) remove()
      else renderQuietly(false)
    },
    rerender: () => renderQuietly(false),
    update: () => renderQuietly(true),
  }
}
