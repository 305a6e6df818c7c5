import { type IndexListing, nameParts } from '@plugmark/shared/contract'
import { rootFirst } from '../badge/offer.ts'
import { onActivate } from '../ui/copy-button.ts'
import { element } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'
import { createCommand, createListing, fold } from './listing.ts'
import type { CardOptions } from './options.ts'
import { commandOf, detailsOf, linksOf } from './view.ts'

export interface CardContent {
  readonly node: HTMLElement
  /** Settled when everything that can be had is shown; never rejects. */
  readonly filled: Promise<void>
}

/**
 * The content of a repository's card: its root, or its first listing, and the others folded. One record is asked for.
 *
 * @param listings at least one, all of one repository
 * @param unfolded whether the others are to be seen at once
 */
export function createContent(
  listings: readonly IndexListing[],
  options: CardOptions,
  { unfolded = false } = {},
): CardContent {
  const [first, ...others] = rootFirst(listings)
  const listing = first!
  const part = createListing(listing, options)
  const links = element('div', { class: 'plugmark-links' })
  const footer = element('div', { class: 'plugmark-footer' }, options.words.notAReview)
  const rest = createOthers(others, options)
  if (rest) rest.open = unfolded

  const showLinks = (site: string | null) => {
    const { page, source } = linksOf(listing, { site, codeHost: options.codeHost })
    const { card } = options.phrases
    links.replaceChildren(...(page ? [createLink(page, card.page)] : []), createLink(source, card.source), settings)
  }
  const settings = element('button', { type: 'button', class: 'plugmark-link' }, options.phrases.card.settings)
  onActivate(settings, options.openSettings)
  showLinks(null)

  const fill = async () => {
    const [site, record] = await Promise.allSettled([options.site(), options.record(listing.fullName)])
    if (site.status === 'fulfilled' && site.value !== null) showLinks(site.value)
    const known = record.status === 'fulfilled' ? record.value : null
    part.fill(known === null ? null : detailsOf(listing, known, options))
  }
  return {
    node: element('div', { class: 'plugmark-card-content' }, part.node, ...(rest ? [rest] : []), links, footer),
    filled: fill(),
  }
}

function createOthers(others: readonly IndexListing[], options: CardOptions): HTMLDetailsElement | null {
  if (others.length === 0) return null
  const rows = others.map((listing) =>
    element(
      'div',
      { class: 'plugmark-other' },
      element(
        'div',
        { class: 'plugmark-card-head' },
        element('bdi', { class: 'plugmark-strong' }, nameParts(listing.fullName).subpath ?? listing.fullName),
        element('span', { class: 'plugmark-card-category' }, options.words.category(listing.category)),
      ),
      createCommand(listing.fullName, commandOf(listing, options), options),
    ),
  )
  return fold(options.phrases.card.otherPlugins(others.length), ...rows)
}

const createLink = (href: string, text: string) =>
  element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, text, icon('external'))
