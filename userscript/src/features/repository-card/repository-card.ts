import type { IndexListing } from '@plugmark/shared/contract'
import type { App, PageContext } from '../../app.ts'
import { after, whileShown } from '../../base/lifetime.ts'
import { reportAs } from '../../base/report.ts'
import { isAwaitingHydration } from '../../github/hydration.ts'
import { spelledAs } from '../../github/links.ts'
import { cardPlace, NARROW } from '../../github/repository-page.ts'
import { element } from '../../ui/element.ts'
import { CARD_WORDS } from '../card/card-words.ts'
import { createContent } from '../card/content.ts'

/** Shortest time between two searches for the place of the card on a changing page. ms */
const LOOK_MS = 200

/** Shows the card of a repository, or of a package, on its own page. */
export function initRepositoryCard({ repository, package: name, url, changes, signal }: PageContext, app: App): void {
  // A page that was restored from a snapshot has a copy of the card, without listeners.
  document.querySelector('.plugmark-repository')?.remove()
  if (repository === null && name === null) return
  const narrow = matchMedia(NARROW)
  let card: HTMLElement | null = null
  let shownListings = '[]'
  let isWaiting = false

  const insert = () => {
    isWaiting = false
    const place = cardPlace(document, { isNarrow: narrow.matches })
    if (card === null || !place || card.parentElement === place.parent) return
    if (isAwaitingHydration(place.parent)) return insertSoon()
    for (const copy of document.querySelectorAll('.plugmark-repository')) if (copy !== card) copy.remove()
    place.parent.insertBefore(card, place.before)
  }
  const insertSoon = () => {
    if (isWaiting) return
    isWaiting = true
    after(signal, LOOK_MS, insert)
  }
  // The page may render its panes late, or render them again without the card.
  let isWatching = false

  const render = async () => {
    const { index } = app.directory
    const found = repository === null ? listingsOfPackage(index, name!) : index.byRepository(repository)
    const listings = await whileShown(signal, found)
    await whileShown(signal, app.directory.records.loadVerdicts(listings))
    const nextListings = JSON.stringify(listings)
    // The card may be in use.
    if (nextListings === shownListings) return
    shownListings = nextListings
    card?.remove()
    card = null
    if (listings.length === 0) return
    app.announcer.prepare()
    const named = listings.map((listing) => spelledAs(listing, url))
    const label = CARD_WORDS[app.locale()].isPlugin(app.settings.current.cli)
    card = element(
      'section',
      { class: 'plugmark-repository', 'aria-label': label },
      createContent(named, app, { isOwnPage: true }),
    )
    insert()
    if (isWatching) return
    isWatching = true
    changes.onChange(insertSoon)
  }
  const renderIfListed = () => {
    // The index need not be asked about a page whose repository is known not to be a plugin.
    const isUnlisted = repository !== null && app.badgeCache.lookup(repository) === null
    if (card !== null || !isUnlisted) render().catch(reportAs('repository card'))
  }
  narrow.addEventListener('change', insert, { signal })
  renderIfListed()
  app.index.onUpdate(renderIfListed, signal)
}

/** Returns the listings that have this package. Reads the whole index, which has no other order than by repository. */
async function listingsOfPackage({ eachRepository }: App['directory']['index'], name: string) {
  const found: IndexListing[] = []
  await eachRepository((_, listings) => found.push(...listings.filter(({ npm }) => npm === name)))
  return found
}
