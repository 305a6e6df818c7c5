import type { App } from '../../app.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import type { PageContext } from '../../page.ts'
import { withPause } from '../../settings/settings.ts'
import { createButton } from '../../ui/buttons.ts'
import controlsCss from '../../ui/controls.css?raw'
import { createDrawnText, setDrawnText } from '../../ui/drawn-text.ts'
import { element } from '../../ui/element.ts'
import { icon } from '../../ui/icons.ts'
import { whenIdle } from '../../ui/idle.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import { focusPlugin, NEXT_KEYS, PREVIOUS_KEYS } from '../keyboard/keyboard.ts'
import { hasMenu, onMenuRefused, showSettings } from '../settings/dialog.ts'
import { createCheckbox } from '../settings/fields.ts'
import { createUnreachable } from '../settings/unreachable.ts'
import { countPlugins } from './count.ts'
import { dimOthers } from './dim.ts'
import summaryCss from './summary.css?raw'
import { SUMMARY_WORDS } from './summary-words.ts'

/** Changes of the page are counted together, this long after the first one. ms */
const DEBOUNCE_MS = 1000

/** Waits this many times the duration of the last count before counting at once again: at most 0.05 % of the time. */
const REST_FACTOR = 2000

/** The box outlives a page, so that a person in it keeps the focus when a setting changes. */
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
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Earliest time to count at once, in ms of `performance.now()`. */
  let restedAt = 0
  const render = () => {
    clearTimeout(timer)
    timer = undefined
    if (signal.aborted) return
    const start = performance.now()
    renderSummary(page, app)
    const end = performance.now()
    restedAt = end + (end - start) * REST_FACTOR
  }
  const renderSoon = () => {
    timer ??= setTimeout(render, DEBOUNCE_MS)
  }
  signal.addEventListener('abort', () => clearTimeout(timer))

  // Added links are counted after the marker has looked them up.
  page.marked.addEventListener('marked', () => {
    if (performance.now() > restedAt) return render()
    clearTimeout(timer)
    timer = setTimeout(render, DEBOUNCE_MS)
  })
  const observer = new MutationObserver((records) => {
    const isRemoval = ({ target, removedNodes }: MutationRecord) =>
      !box?.node.contains(target) && [...removedNodes].some((node) => node instanceof Element)
    if (records.some(isRemoval)) renderSoon()
  })
  observer.observe(document.documentElement, { subtree: true, childList: true })
  signal.addEventListener('abort', () => observer.disconnect())
  // A `details` element that opens or closes shows or hides links.
  addEventListener('toggle', renderSoon, { capture: true, signal })
  app.index.onReachable(render, signal)
  onMenuRefused(render, signal)
  whenIdle(render, signal)
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

  addStyles(controlsCss)
  addStyles(summaryCss)
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
