import { type IndexListing, isDoubtful, nameParts } from '@plugmark/shared/contract'
import { rootFirst } from '../plugins/install-command.ts'
import { createButton } from '../ui/button.ts'
import { element } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'
import { createCommand, createListing, fold } from './listing.ts'
import type { CardOptions } from './options.ts'
import { commandOf, detailsOf, linksOf } from './view.ts'

/** How a card's content behaves in the place it is shown in. */
export interface ContentOptions {
  /** Whether the other listings are to be seen at once. */
  readonly unfolded?: boolean
  /** Called whenever everything that can be had of a listing is shown. */
  readonly onFilled?: () => void
}

/**
 * The content of a repository's card: its root, or its first listing, and the others folded; each of them can be put in
 * its place. One record is asked for, and one for each that is chosen.
 *
 * @param listings at least one, all of one repository
 */
export function createContent(
  listings: readonly IndexListing[],
  options: CardOptions,
  { unfolded = false, onFilled = () => {} }: ContentOptions = {},
): HTMLElement {
  const content = element('div', { class: 'plugmark-card-content', lang: options.language })
  const ordered = rootFirst(listings)
  let shown: IndexListing

  const show = (listing: IndexListing, isOpen: boolean): HTMLElement => {
    shown = listing
    const part = createListing(listing, options)
    const links = createLinks(listing, options)
    const others = ordered.filter((other) => other !== listing)
    const rest = createOthers(others, options, (chosen) => show(chosen, false).focus())
    if (rest) rest.open = isOpen
    const footer = element('div', { class: 'plugmark-footer' }, options.words.notAReview)
    const what = element('div', { class: 'plugmark-line plugmark-muted' }, icon('plug'), options.phrases.isPlugin)
    content.replaceChildren(what, part.node, ...(rest ? [rest] : []), links.node, footer)

    const load = async (force: boolean): Promise<void> => {
      const [site, record] = await Promise.allSettled([options.site(), options.record(listing.fullName, { force })])
      if (shown !== listing) return
      if (site.status === 'fulfilled') links.show(site.value)
      if (record.status === 'rejected') part.fail(() => load(true))
      else part.fill(record.value && detailsOf(listing, record.value, options))
      onFilled()
    }
    void load(false)
    return part.node
  }
  show(ordered[0]!, unfolded)
  return content
}

function createLinks(listing: IndexListing, { phrases, codeHost, openSettings }: CardOptions) {
  const { card } = phrases
  const settings = createButton('plugmark-link', openSettings, card.settings)
  settings.setAttribute('data-plugmark-part', 'settings')
  const { source } = linksOf(listing, { site: null, codeHost })
  const node = element('div', { class: 'plugmark-links' }, createLink(source, card.source), settings)
  /** The others stay where they are: one of them may have the focus. */
  const show = (site: string | null) => {
    const { page } = linksOf(listing, { site, codeHost })
    if (page) node.prepend(createLink(page, card.page))
  }
  return { node, show }
}

function createOthers(
  others: readonly IndexListing[],
  options: CardOptions,
  choose: (listing: IndexListing) => void,
): HTMLDetailsElement | null {
  if (others.length === 0) return null
  const { words, phrases, verdictOf } = options
  const rows = others.map((listing) => {
    const { repo, subpath } = nameParts(listing.fullName)
    const shown = element('bdi', {}, subpath ?? repo)
    const name = createButton('plugmark-link plugmark-strong', () => choose(listing), shown)
    const category = element('span', { class: 'plugmark-card-category' }, words.category(listing.category))
    const verdict = verdictOf(listing)
    return element(
      'div',
      { class: 'plugmark-other' },
      element('div', { class: 'plugmark-card-head' }, name, category),
      isDoubtful(verdict)
        ? element('div', { class: 'plugmark-muted' }, words.verdict(verdict).name)
        : createCommand(listing.fullName, commandOf(listing, options), options),
    )
  })
  return fold(phrases.card.otherPlugins(others.length), ...rows)
}

const createLink = (href: string, text: string) =>
  element('a', { class: 'plugmark-link', href, target: '_blank', rel: 'noopener noreferrer' }, text, icon('external'))
