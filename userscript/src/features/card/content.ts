import type { IndexListing } from '@plugmark/shared/contract'
import type { App } from '../../app.ts'
import { report, reportAs } from '../../base/report.ts'
import { commandOf, isRoot, rootFirst } from '../../catalogue/offers.ts'
import { codeHostOf } from '../../github/links.ts'
import { CONTRACT } from '../../i18n/index.ts'
import { createButton, createCopyButton } from '../../ui/buttons.ts'
import controlsCss from '../../ui/controls.css?raw'
import { copyCommand } from '../../ui/copy.ts'
import { createFold, element } from '../../ui/element.ts'
import { icon } from '../../ui/icons.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import { checkedCommand } from '../badges/badge-events.ts'
import { createSettingsLink } from '../settings/dialog.ts'
import { SETTINGS_WORDS } from '../settings/settings-words.ts'
import css from './card.css?raw'
import { detailsOf, linksOf } from './card-details.ts'
import { CARD_WORDS } from './card-words.ts'
import { createListing, nameOf } from './listing.ts'

/** Rows of a list that are shown before the user asks for all. */
const SHOWN_ROWS = 5

/**
 * Creates the content of a repository's card: its root, or its only listing, in full, and the others collapsed; for
 * several listings without a root, and for several on the repository's own page, a list with a line for each. The user
 * can choose another one, whose details are fetched then.
 *
 * @param listings at least one, all of one repository
 * @param options.unfolded true if the other listings are expanded at once
 * @param options.isOwnPage true on the repository's own page, which has a heading and room for a few lines
 * @param options.onFilled called whenever all content of a listing is shown
 */
export function createContent(
  listings: readonly IndexListing[],
  app: App,
  {
    unfolded = false,
    isOwnPage = false,
    onFilled = () => {},
  }: { unfolded?: boolean; isOwnPage?: boolean; onFilled?: () => void } = {},
): HTMLElement {
  addStyles(controlsCss, css)
  const locale = app.locale()
  const words = CARD_WORDS[locale]
  const content = element('div', { class: 'plugmark-card-content', lang: locale })
  const ordered = rootFirst(listings)
  const [first] = ordered as [IndexListing, ...IndexListing[]]
  let current: IndexListing | null = null

  /** True on the page of a package, which is not on the code host. */
  const isElsewhere = isOwnPage && location.origin !== codeHostOf(location)
  /** Returns true for the repository whose own page this is: the page has its name, stars and licence. */
  const isThisPage = (listing: IndexListing) => isOwnPage && !isElsewhere && isRoot(listing)
  const fill = (...parts: (HTMLElement | null)[]) => {
    const footer = element('div', { class: 'plugmark-footer' }, CONTRACT[locale].notAReview)
    content.replaceChildren(...parts.filter((part) => part !== null), footer)
  }
  const rowOf = (listing: IndexListing) => createRow(listing, app, () => show(listing, false).focus())

  const show = (listing: IndexListing, isOpen: boolean): HTMLElement => {
    current = listing
    const part = createListing(listing, app, isThisPage(listing))
    const links = createLinks(listing, app, isElsewhere)
    const others = ordered.filter((other) => other !== listing).map(rowOf)
    const rest = others.length === 0 ? null : createFold(words.otherPlugins(others.length), ...others)
    if (rest) rest.open = isOpen
    const category = isThisPage(listing) ? ` · ${CONTRACT[locale].category(listing.category)}` : ''
    // A badge has said that it is a plugin.
    const heading = isOwnPage ? createHeading(words.isPlugin(app.settings.current.cli) + category) : null
    fill(heading, part.node, rest, links.node)

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

  const showList = () => {
    const list = element('div', { class: 'plugmark-list' }, ...ordered.slice(0, SHOWN_ROWS).map(rowOf))
    const heading = createHeading(words.plugins(ordered.length))
    if (ordered.length > SHOWN_ROWS) {
      const all = createButton(
        'plugmark-link plugmark-heading-end',
        () => {
          const more = ordered.slice(SHOWN_ROWS).map(rowOf)
          list.append(...more)
          all.remove()
          more[0]?.querySelector('button')?.focus()
          onFilled()
        },
        words.all(ordered.length),
      )
      heading.append(all)
    }
    const repository = { ...first, fullName: first.fullName.split('#', 1)[0]!, path: null }
    fill(heading, list, createLinks(repository, app, isElsewhere).node)
  }

  if (ordered.length > 1 && (isOwnPage || !isRoot(first))) showList()
  else show(first, unfolded)
  return content
}

const createHeading = (title: string) =>
  element('div', { class: 'plugmark-line plugmark-heading' }, icon('plug'), element('span', {}, title))

/** @param isElsewhere true to link the repository: neither the page nor the link before a badge is it */
function createLinks(listing: IndexListing, app: App, isElsewhere: boolean) {
  const words = CARD_WORDS[app.locale()]
  const codeHost = codeHostOf(location)
  const { source } = linksOf(listing, { site: null, codeHost })
  const node = element('div', { class: 'plugmark-links' })
  if (isElsewhere || !isRoot(listing)) node.append(createLink(source, words.source))
  if (!app.menu.isOffered) node.append(createSettingsLink(app, SETTINGS_WORDS[app.locale()].title))
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

/** Creates the line of a listing in a list. @param choose shows the listing in full */
function createRow(listing: IndexListing, app: App, choose: () => void): HTMLElement {
  const locale = app.locale()
  const { records } = app.directory
  const words = CARD_WORDS[locale]
  const name = createButton(
    'plugmark-link plugmark-strong plugmark-row-name',
    choose,
    element('bdi', {}, nameOf(listing)),
  )
  const result = commandOf(listing, app.settings.current)
  const verdict = records.verdictOf(listing)
  const doubt = verdict === null ? words.gone : CONTRACT[locale].verdict(verdict).name
  const category = element('span', { class: 'plugmark-row-part' }, CONTRACT[locale].category(listing.category))
  const why = result.ok ? '' : CONTRACT[locale].reason(result.reason)
  const end = records.isDoubtful(listing)
    ? element('span', { class: 'plugmark-row-part plugmark-row-end', title: doubt }, doubt)
    : result.ok
      ? createRowCopy(listing, result.command, app, choose)
      : element('span', { class: 'plugmark-row-end', role: 'img', 'aria-label': why, title: why }, icon('blocked'))
  return element('div', { class: 'plugmark-row' }, name, category, end)
}

/** Creates the copy button of a line, on which the command has no room. */
function createRowCopy(listing: IndexListing, command: string, app: App, choose: () => void): HTMLButtonElement {
  const copy = async () => {
    const outcome = await copyCommand(app, checkedCommand(app, listing, command))
    // There the command can be selected, or it says why it was not copied.
    if (outcome === 'refused' || outcome === 'nothing') choose()
    return outcome
  }
  const button = createCopyButton(`${CARD_WORDS[app.locale()].copy}: ${command}`, copy, '')
  button.className = 'plugmark-plain plugmark-row-end'
  button.title = command
  return button
}

const createLink = (href: string, text: string) =>
  element('a', { class: 'plugmark-link', href, target: '_blank', rel: 'noopener noreferrer' }, text, icon('external'))
