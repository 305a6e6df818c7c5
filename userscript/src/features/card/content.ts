import { type IndexListing, isDoubtful, nameParts } from '@plugmark/shared/contract'
import type { App } from '../../app.ts'
import { report } from '../../base/report.ts'
import { commandOf, rootFirst } from '../../catalogue/badges.ts'
import { codeHostOf } from '../../github/links.ts'
import { CONTRACT } from '../../i18n/index.ts'
import { createButton } from '../../ui/buttons.ts'
import controlsCss from '../../ui/controls.css?raw'
import { element } from '../../ui/element.ts'
import { icon } from '../../ui/icons.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import { showSettings } from '../settings/dialog.ts'
import css from './card.css?raw'
import { detailsOf, linksOf } from './card-details.ts'
import { CARD_WORDS } from './card-words.ts'
import { createCommand, createListing, createPlace, fold, nameOf } from './listing.ts'

/**
 * Creates the content of a repository's card: its root, or its first listing, in full, and the others collapsed. The
 * user can exchange them. Fetches the details of the one in full.
 *
 * @param listings at least one, all of one repository
 * @param options.unfolded true if the other listings are expanded at once
 * @param options.onFilled called whenever all content of a listing is shown
 */
export function createContent(
  listings: readonly IndexListing[],
  app: App,
  { unfolded = false, onFilled = () => {} }: { unfolded?: boolean; onFilled?: () => void } = {},
): HTMLElement {
  addStyles(controlsCss)
  addStyles(css)
  const locale = app.locale()
  const { isPlugin } = CARD_WORDS[locale]
  const content = element('div', { class: 'plugmark-card-content', lang: locale })
  const ordered = rootFirst(listings)
  let current: IndexListing

  const show = (listing: IndexListing, isOpen: boolean): HTMLElement => {
    current = listing
    const part = createListing(listing, app)
    const links = createLinks(listing, app)
    const others = ordered.filter((other) => other !== listing)
    const rest = createOthers(others, app, (chosen) => show(chosen, false).focus())
    if (rest) rest.open = isOpen
    const footer = element('div', { class: 'plugmark-footer' }, CONTRACT[locale].notAReview)
    const heading = element(
      'div',
      { class: 'plugmark-line plugmark-muted' },
      icon('plug'),
      isPlugin(app.settings.current.cli),
    )
    content.replaceChildren(heading, part.node, ...(rest ? [rest] : []), links.node, footer)

    const load = async (force: boolean): Promise<void> => {
      const { index, records } = app.directory
      const [status, record] = await Promise.allSettled([index.status(), records.get(listing.fullName, { force })])
      if (current !== listing) return
      if (status.status === 'fulfilled') links.show(status.value.site)
      if (record.status === 'rejected') {
        report('card: record', record.reason)
        part.fail(() => load(true))
      } else part.fill(record.value && detailsOf(listing, record.value, { ...app.settings.current, locale }))
      onFilled()
    }
    void load(false)
    return part.node
  }
  show(ordered[0]!, unfolded)
  return content
}

function createLinks(listing: IndexListing, app: App) {
  const words = CARD_WORDS[app.locale()]
  const codeHost = codeHostOf(location)
  const settings = createButton('plugmark-link', () => showSettings(app), words.settings)
  settings.setAttribute('data-plugmark-part', 'settings')
  const { source } = linksOf(listing, { site: null, codeHost })
  const node = element('div', { class: 'plugmark-links' }, createLink(source, words.source), settings)
  let pageLink: HTMLElement | null = null
  /** Adds a link without moving the others: one of them may have the focus. */
  const show = (site: string | null) => {
    const { page } = linksOf(listing, { site, codeHost })
    pageLink?.remove()
    pageLink = page === null ? null : createLink(page, words.page)
    if (pageLink) node.prepend(pageLink)
  }
  return { node, show }
}

function createOthers(
  others: readonly IndexListing[],
  app: App,
  choose: (listing: IndexListing) => void,
): HTMLDetailsElement | null {
  if (others.length === 0) return null
  const locale = app.locale()
  const contract = CONTRACT[locale]
  const rows = others.map((listing) => {
    const { subpath } = nameParts(listing.fullName)
    const current = element('bdi', {}, nameOf(listing))
    const name = createButton('plugmark-link plugmark-strong', () => choose(listing), current)
    const verdict = app.directory.records.verdictOf(listing)
    return element(
      'div',
      { class: 'plugmark-other' },
      element('div', { class: 'plugmark-card-head' }, name, createPlace(subpath ?? '', listing, locale)),
      isDoubtful(verdict)
        ? element('div', { class: 'plugmark-muted' }, contract.verdict(verdict).name)
        : createCommand(commandOf(listing, app.settings.current), app),
    )
  })
  return fold(CARD_WORDS[locale].otherPlugins(others.length), ...rows)
}

const createLink = (href: string, text: string) =>
  element('a', { class: 'plugmark-link', href, target: '_blank', rel: 'noopener noreferrer' }, text, icon('external'))
