import type { App, PageContext } from '../../app.ts'
import { after } from '../../base/lifetime.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import { withPause } from '../../settings/settings.ts'
import { createButton } from '../../ui/buttons.ts'
import controlsCss from '../../ui/controls.css?raw'
import { createCheckbox, createDrawnText, element, setDrawnText } from '../../ui/element.ts'
import { icon } from '../../ui/icons.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import { isVisible, stateOf } from '../badges/badge.ts'
import { focusPlugin, NEXT_KEYS, PREVIOUS_KEYS } from '../keyboard/keyboard.ts'
import { hasMenu, onMenuRefused, showSettings } from '../settings/dialog.ts'
import { createUnreachable } from '../settings/unreachable.ts'
import summaryCss from './summary.css?raw'
import { SUMMARY_WORDS } from './summary-words.ts'

/** Changes of the page are counted together, this long after the first one. ms */
const DEBOUNCE_MS = 1000

/** Waits this many times the duration of the last count before counting at once again: at most 0.05 % of the time. */
const REST_FACTOR = 2000

/** The box outlives a page, so that the focus in it stays when a setting changes. */
interface Box {
  readonly node: HTMLElement
  /** The number of plugins, or that the site is paused. A node of its own, so that a new count keeps the focus. */
  readonly caption: HTMLElement
  isExpanded: boolean
  /** Everything that the rendering depends on, besides the caption. */
  renderedState: string
}
let box: Box | undefined

/** Shows the number of plugins in the corner of a page, and explains a missing badge. */
export function initSummary(page: PageContext, app: App): void {
  const { kind, isPaused, signal } = page
  if (kind === null && !isPaused) {
    dimOthers(null)
    box?.node.remove()
    return
  }
  let cancel: (() => void) | null = null
  let isRendered = false
  /** Earliest time to count at once, in ms of `performance.now()`. */
  let restedAt = 0
  const render = () => {
    cancel?.()
    cancel = null
    if (signal.aborted) return
    isRendered = true
    const start = performance.now()
    renderSummary(page, app)
    const end = performance.now()
    restedAt = end + (end - start) * REST_FACTOR
  }
  const renderSoon = () => {
    cancel ??= after(signal, DEBOUNCE_MS, render)
  }

  // Added links are counted after the marker has looked them up.
  page.marked.addEventListener('marked', () => {
    if (performance.now() > restedAt) return render()
    cancel?.()
    cancel = after(signal, DEBOUNCE_MS, render)
  })
  page.changes.onChange((records) => {
    const isRemoval = ({ target, removedNodes }: MutationRecord) =>
      removedNodes.length > 0 &&
      !box?.node.contains(target) &&
      [...removedNodes].some((node) => node instanceof Element)
    if (records.some(isRemoval)) renderSoon()
  })
  // A `details` element that opens or closes shows or hides links.
  addEventListener('toggle', renderSoon, { capture: true, signal })
  app.index.onReachable(render, signal)
  onMenuRefused(render, signal)
  // In the same frame as the first badges: one layout for both.
  requestAnimationFrame(() => isRendered || render())
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
  const text = kind === null ? words.paused : count?.plugins ? words.count(count.plugins, count.repositories) : ''
  // Without a menu, nothing else on a paused site leads back to the settings.
  const isHidden = summaryHidden && (kind !== null || hasMenu())
  if (isHidden || (text === '' && !isUnreachable)) {
    box?.node.remove()
    return
  }
  box ??= createBox()
  const { node, caption, isExpanded } = box
  setDrawnText(caption, text)
  const state = JSON.stringify([kind?.name, isExpanded, isDimming, locale, isUnreachable])
  if (state === box.renderedState && node.isConnected) return
  box.renderedState = state

  addStyles(controlsCss, summaryCss)
  const focused = node.contains(document.activeElement)
    ? document.activeElement?.getAttribute('data-plugmark-part')
    : null
  node.lang = locale
  node.setAttribute('aria-label', words.label)
  if (isUnreachable) node.replaceChildren(createUnreachable(app, () => app.index.refresh()))
  else if (kind === null) node.replaceChildren(...createPaused(caption, app))
  else {
    const toggle = () => {
      box!.isExpanded = !isExpanded
      renderSummary(page, app)
    }
    node.replaceChildren(
      ...(isExpanded ? [createMore(kind, app)] : []),
      createBar(kind, { caption, isExpanded, toggle }, app),
    )
  }
  if (focused) node.querySelector<HTMLElement>(`[data-plugmark-part="${focused}"]`)?.focus()
  if (!node.isConnected) document.documentElement.append(node)
}

const createBox = (): Box => ({
  node: element('section', { class: 'plugmark-summary' }),
  caption: createDrawnText(''),
  isExpanded: false,
  renderedState: '',
})

const pause = ({ settings }: App, isPaused: boolean) =>
  settings.change(withPause(settings.current, location.hostname, isPaused))

function createPaused(caption: HTMLElement, app: App): (Node | string)[] {
  const words = SUMMARY_WORDS[app.locale()]
  return [
    element('span', {}, caption),
    createLink('pause', () => pause(app, false), words.resume),
    ' ',
    createLink('settings', () => showSettings(app), words.settings),
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
      createLink('pause', () => pause(app, true), words.pause),
      createLink('settings', () => showSettings(app), words.settings),
      createLink('hide', hide, words.hide),
    ),
  )
}

/** Creates a button that keeps the focus when the summary is rendered again. @param part its name in the summary */
function createPart(part: string, look: string, action: () => void, ...content: (Node | string)[]): HTMLButtonElement {
  const button = createButton(look, action, ...content)
  button.setAttribute('data-plugmark-part', part)
  return button
}

/** Creates such a button of drawn text. Its name is an attribute, as not every tool reads drawn text. */
function createLink(part: string, action: () => void, text: string): HTMLButtonElement {
  const button = createPart(part, 'plugmark-link', action, createDrawnText(text))
  button.setAttribute('aria-label', text)
  return button
}

function describeKeys(button: HTMLButtonElement, name: string, keys: string): void {
  button.title = `${name} (${keys})`
  button.setAttribute('aria-label', name)
  button.setAttribute('aria-keyshortcuts', keys)
}

/** Counts the visible repositories, and the plugins among them. Returns no total in prose, which is not a list. */
function countPlugins(kind: PageKind): { readonly plugins: number; readonly repositories: number | null } {
  const isList = kind.linkStyle === 'list'
  const [plugins, repositories] = [new Set<string>(), new Set<string>()]
  for (const link of document.querySelectorAll(kind.selector)) {
    const state = stateOf(link)
    if (!state || (!isList && !state.data)) continue
    const { repository } = state.target
    // To look whether a link is visible costs more than all else, so each repository is looked at until one is.
    if ((state.data ? plugins : repositories).has(repository) || !isVisible(link)) continue
    repositories.add(repository)
    if (state.data) plugins.add(repository)
  }
  return { plugins: plugins.size, repositories: isList ? repositories.size : null }
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
