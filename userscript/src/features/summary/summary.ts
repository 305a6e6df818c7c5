import type { App, PageContext } from '../../app.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import { startWords } from '../../i18n/start-words.ts'
import { withPause } from '../../settings/settings.ts'
import { START_STYLES } from '../../start/badge.ts'
import { captionOf, countPlugins, removeBox, theBox, watchCount } from '../../start/box.ts'
import { createPart } from '../../ui/buttons.ts'
import controlsCss from '../../ui/controls.css?raw'
import { element } from '../../ui/element.ts'
import { icon } from '../../ui/icons.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import { focusPlugin, NEXT_KEYS, PREVIOUS_KEYS } from '../keyboard/keyboard.ts'
import { createSettingsLink } from '../settings/dialog.ts'
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

/** Counts, and replaces only what changed. */
function renderSummary(page: PageContext, app: App): void {
  const { kind } = page
  const { summaryHidden } = app.settings.current
  const locale = app.locale()
  const words = SUMMARY_WORDS[locale]
  const count = kind && countPlugins(kind)

  const isUnreachable = count !== null && !app.index.isReachable()
  const text = count ? captionOf(count, startWords(locale)) : words.paused
  // Without a menu, nothing else on a paused site leads back to the settings.
  const isHidden = summaryHidden && (kind !== null || app.menu.isOffered)
  if (isHidden || (text === '' && !isUnreachable)) {
    removeBox()
    return
  }
  const { node, caption } = theBox()
  if (caption.textContent !== text) caption.textContent = text
  const state = JSON.stringify([kind?.name, isExpanded, locale, isUnreachable])
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
  node.setAttribute('aria-label', words.name)
  if (isUnreachable) node.replaceChildren(createUnreachable(app, () => app.index.refresh()))
  else if (kind === null) node.replaceChildren(...createPaused(caption, app))
  else {
    const toggle = () => {
      isExpanded = !isExpanded
      renderSummary(page, app)
    }
    node.replaceChildren(
      ...(isExpanded ? [createMore(app)] : []),
      createBar(kind, { caption, isExpanded, toggle }, app),
    )
  }
  if (isFocused) node.querySelector('button')?.focus()
  if (focused) node.querySelector<HTMLElement>(`[data-plugmark-part="${focused}"]`)?.focus()
  if (!node.isConnected) document.documentElement.append(node)
}

const pause = ({ settings }: App, isPaused: boolean) =>
  settings.change(withPause(settings.current, location.hostname, isPaused))

const createLink = (part: string, action: () => unknown, text: string) =>
  createPart(part, 'plugmark-link', action, text)

function createPaused(caption: HTMLElement, app: App): (Node | string)[] {
  const words = SUMMARY_WORDS[app.locale()]
  return [
    element('span', {}, caption),
    createLink('pause', () => pause(app, false), words.resume),
    ' ',
    createSettingsLink(app),
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

function createMore(app: App): HTMLElement {
  const { settings } = app
  const words = SUMMARY_WORDS[app.locale()]
  const hide = createLink('hide', () => settings.change({ summaryHidden: true }), words.hide)
  hide.title = words.untilShown
  return element(
    'div',
    { class: 'plugmark-summary-more' },
    element('div', {}, words.badges),
    element('div', { class: 'plugmark-muted plugmark-keys' }, words.keys(NEXT_KEYS, PREVIOUS_KEYS)),
    element(
      'div',
      { class: 'plugmark-links' },
      createLink('pause', () => pause(app, true), words.pause),
      createSettingsLink(app),
      hide,
    ),
  )
}

function describeKeys(button: HTMLButtonElement, name: string, keys: string): void {
  button.title = `${name} (${keys})`
  button.setAttribute('aria-label', name)
  button.setAttribute('aria-keyshortcuts', keys)
}
