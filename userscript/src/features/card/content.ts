import { type IndexListing, nameParts } from '@plugmark/shared/contract'
import type { App } from '../../app.ts'
import { report, reportAs } from '../../base/report.ts'
import { commandOf, isRoot, rootFirst } from '../../catalogue/badges.ts'
import { codeHostOf } from '../../github/links.ts'
import { CONTRACT } from '../../i18n/index.ts'
import { createButton } from '../../ui/buttons.ts'
import controlsCss from '../../ui/controls.css?raw'
import { createFold, element } from '../../ui/element.ts'
import { icon } from '../../ui/icons.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import { showSettings } from '../settings/dialog.ts'
import css from './card.css?raw'
import { detailsOf, linksOf } from './card-details.ts'
import { CARD_WORDS } from './card-words.ts'
import { createCommand, createListing, createPlace, nameOf } from './listing.ts'

/**
 * Creates the content of a repository's card: its root, or its only listing, in full, and the others collapsed; for
 * several listings without a root, their list. The user can choose another one, whose details are fetched then.
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
  addStyles(controlsCss, css)
  const locale = app.locale()
  const words = CARD_WORDS[locale]
  const content = element('div', { class: 'plugmark-card-content', lang: locale })
  const ordered = rootFirst(listings)
  const [first] = ordered as [IndexListing, ...IndexListing[]]
  let current: IndexListing | null = null

  const fill = (title: string, ...body: (HTMLElement | null)[]) => {
    const heading = element('div', { class: 'plugmark-line plugmark-muted' }, icon('plug'), title)
    const footer = element('div', { class: 'plugmark-footer' }, CONTRACT[locale].notAReview)
    content.replaceChildren(heading, ...body.filter((part) => part !== null), footer)
  }
  const rowsOf = (some: readonly IndexListing[]) =>
    some.map((listing) => createRow(listing, app, () => show(listing, false).focus()))

  const show = (listing: IndexListing, isOpen: boolean): HTMLElement => {
    current = listing
    const part = createListing(listing, app)
    const links = createLinks(listing, app)
    const others = rowsOf(ordered.filter((other) => other !== listing))
    const rest = others.length === 0 ? null : createFold(words.otherPlugins(others.length), ...others)
    if (rest) rest.open = isOpen
    fill(words.isPlugin(app.settings.current.cli), part.node, rest, links.node)

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
    load(false).catch(reportAs('card'))
    return part.node
  }
  if (ordered.length === 1 || isRoot(first)) show(first, unfolded)
  else {
    const repository = { ...first, fullName: first.fullName.split('#', 1)[0]!, path: null }
    const list = element('div', { class: 'plugmark-list' }, ...rowsOf(ordered))
    fill(words.plugins(ordered.length), list, createLinks(repository, app).node)
  }
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

/** Creates the row of a listing in a list. @param choose shows the listing in full */
function createRow(listing: IndexListing, app: App, choose: () => void): HTMLElement {
  const locale = app.locale()
  const { records } = app.directory
  const { subpath } = nameParts(listing.fullName)
  const name = createButton('plugmark-link plugmark-strong', choose, element('bdi', {}, nameOf(listing)))
  const verdict = records.verdictOf(listing)
  return element(
    'div',
    { class: 'plugmark-other' },
    element('div', { class: 'plugmark-card-head' }, name, createPlace(subpath ?? '', listing, locale)),
    records.isDoubtful(listing)
      ? element(
          'div',
          { class: 'plugmark-muted' },
          verdict === null ? CARD_WORDS[locale].gone : CONTRACT[locale].verdict(verdict).name,
        )
      : createCommand(commandOf(listing, app.settings.current), app),
  )
}

const createLink = (href: string, text: string) =>
  element('a', { class: 'plugmark-link', href, target: '_blank', rel: 'noopener noreferrer' }, text, icon('external'))
