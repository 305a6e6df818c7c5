import type { App, PageContext } from '../../app.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import { startWords } from '../../i18n/start-words.ts'
import { withPause } from '../../settings/settings.ts'
import { START_STYLES, stateOf } from '../../start/badge.ts'
import { captionOf, countPlugins, removeBox, theBox, watchCount } from '../../start/box.ts'
import { createDrawnLink, createPart } from '../../ui/buttons.ts'
import controlsCss from '../../ui/controls.css?raw'
import { createCheckbox, createDrawnText, element, setDrawnText } from '../../ui/element.ts'
import { icon } from '../../ui/icons.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import { focusPlugin, NEXT_KEYS, PREVIOUS_KEYS } from '../keyboard/keyboard.ts'
import { showSettings } from '../settings/dialog.ts'
import { createUnreachable } from '../settings/unreachable.ts'
import summaryCss from './summary.css?raw'
import { SUMMARY_WORDS } from './summary-words.ts'

/** Everything that the rendering depends on, besides the caption. */
let renderedState = ''
let isExpanded = false

/** Shows the number of plugins in the corner of a page, and explains a missing badge. */
export function initSummary(page: PageContext, app: App): void {
  const { kind, isPaused, signal } = page
  if (kind === null && !isPaused) {
    dimOthers(null)
    removeBox()
    return
  }
  const render = () => renderSummary(page, app)
  watchCount(page, render)
  // The press for which the start has opened this comes before the first count: the box has no buttons yet.
  const press = ({ target }: Event) => {
    const { node } = theBox()
    if (!node.contains(target as Node) || !node.hasAttribute('role')) return
    render()
    node.querySelector<HTMLElement>('[data-plugmark-part=more][aria-expanded=false]')?.click()
  }
  addEventListener('click', press, { capture: true, signal })
  app.index.onReachable(render, signal)
  app.menu.events.addEventListener('refused', render, { signal })
}

/** Counts, dims, and replaces only what changed. */
function renderSummary(page: PageContext, app: App): void {
  const { kind } = page
  const { dimOthers: isDimming, summaryHidden } = app.settings.current
  const locale = app.locale()
  const words = SUMMARY_WORDS[locale]
  const count = kind && countPlugins(kind)
  dimOthers(isDimming && count && count.plugins > 0 ? kind : null)

  const isUnreachable = count?.plugins === 0 && !app.index.isReachable()
  const text = count ? captionOf(count, startWords(locale)) : words.paused
  // Without a menu, nothing else on a paused site leads back to the settings.
  const isHidden = summaryHidden && (kind !== null || app.menu.isOffered)
  if (isHidden || (text === '' && !isUnreachable)) {
    removeBox()
    return
  }
  const { node, caption } = theBox()
  setDrawnText(caption, text)
  const state = JSON.stringify([kind?.name, isExpanded, isDimming, locale, isUnreachable])
  if (state === renderedState && node.isConnected && !node.hasAttribute('role')) return
  renderedState = state

  addStyles(START_STYLES, controlsCss, summaryCss)
  const focused = node.contains(document.activeElement)
    ? document.activeElement?.getAttribute('data-plugmark-part')
    : null
  const isFocused = document.activeElement === node
  // The start shows it as one element.
  for (const name of ['role', 'tabindex']) node.removeAttribute(name)
  node.lang = locale
  node.setAttribute('aria-label', startWords(locale).summary)
  if (isUnreachable) node.replaceChildren(createUnreachable(app, () => app.index.refresh()))
  else if (kind === null) node.replaceChildren(...createPaused(caption, app))
  else {
    const toggle = () => {
      isExpanded = !isExpanded
      renderSummary(page, app)
    }
    node.replaceChildren(
      ...(isExpanded ? [createMore(kind, app)] : []),
      createBar(kind, { caption, isExpanded, toggle }, app),
    )
  }
  if (isFocused) node.querySelector('button')?.focus()
  if (focused) node.querySelector<HTMLElement>(`[data-plugmark-part="${focused}"]`)?.focus()
  if (!node.isConnected) document.documentElement.append(node)
}

const pause = ({ settings }: App, isPaused: boolean) =>
  settings.change(withPause(settings.current, location.hostname, isPaused))

function createPaused(caption: HTMLElement, app: App): (Node | string)[] {
  const words = SUMMARY_WORDS[app.locale()]
  return [
    element('span', {}, caption),
    createDrawnLink('pause', () => pause(app, false), words.resume),
    ' ',
    createDrawnLink('settings', () => showSettings(app), words.settings),
  ]
}

function createBar(
  kind: PageKind,
  { caption, isExpanded, toggle }: { caption: HTMLElement; isExpanded: boolean; toggle: () => void },
  app: App,
): HTMLElement {
  const words = SUMMARY_WORDS[app.locale()]
  const more = createPart('more', 'plugmark-plain', toggle, icon('plug'), caption)
  more.setAttribute('aria-expanded', String(isExpanded))
  more.title = words.more
  const previous = createPart('previous', 'plugmark-plain', () => focusPlugin(-1, kind), icon('up'))
  const next = createPart('next', 'plugmark-plain', () => focusPlugin(1, kind), icon('down'))
  describeKeys(previous, words.previous, PREVIOUS_KEYS)
  describeKeys(next, words.next, NEXT_KEYS)
  return element('div', { class: 'plugmark-summary-bar' }, more, previous, next)
}

function createMore(kind: PageKind, app: App): HTMLElement {
  const { settings } = app
  const words = SUMMARY_WORDS[app.locale()]
  const dim = createCheckbox(createDrawnText(words.dim), settings.current.dimOthers, (isOn) =>
    settings.change({ dimOthers: isOn }),
  )
  dim.firstElementChild!.setAttribute('data-plugmark-part', 'dim')
  dim.firstElementChild!.setAttribute('aria-label', words.dim)
  const hide = () => settings.change({ summaryHidden: true, dimOthers: false })
  return element(
    'div',
    { class: 'plugmark-summary-more' },
    element('div', {}, createDrawnText(words.noBadge)),
    element('div', { class: 'plugmark-muted plugmark-keys' }, createDrawnText(words.keys(NEXT_KEYS, PREVIOUS_KEYS))),
    ...(kind.linkStyle === 'list' ? [dim] : []),
    element(
      'div',
      { class: 'plugmark-links' },
      createDrawnLink('pause', () => pause(app, true), words.pause),
      createDrawnLink('settings', () => showSettings(app), words.settings),
      createDrawnLink('hide', hide, words.hide),
    ),
  )
}

function describeKeys(button: HTMLButtonElement, name: string, keys: string): void {
  button.title = `${name} (${keys})`
  button.setAttribute('aria-label', name)
  button.setAttribute('aria-keyshortcuts', keys)
}

const DIM_ATTRIBUTE = 'data-plugmark-dim'

/** Dims the rows of a list that are not plugins; null dims none. */
function dimOthers(kind: PageKind | null): void {
  const others = new Set<Element>()
  if (kind?.linkStyle === 'list') {
    const links = [...document.querySelectorAll(kind.selector)]
    for (const [at, link] of links.entries()) {
      const state = stateOf(link)
      const row = state && !state.data ? rowOf(link, [links[at - 1], links[at + 1]]) : null
      if (row) others.add(row)
    }
  }
  for (const row of document.querySelectorAll(`[${DIM_ATTRIBUTE}]`)) {
    if (!others.has(row)) row.removeAttribute(DIM_ATTRIBUTE)
  }
  for (const row of others) row.setAttribute(DIM_ATTRIBUTE, '')
}

/**
 * Returns the largest element around a link without another link of the list; null when it is the only link.
 *
 * @param neighbours the links before and after it: an element around several contains one of these
 */
function rowOf(link: Element, neighbours: readonly (Element | undefined)[]): Element | null {
  let row = link
  for (let parent = link.parentElement; parent !== null; parent = parent.parentElement) {
    if (neighbours.some((other) => other && parent.contains(other))) return row
    row = parent
  }
  return null
}
