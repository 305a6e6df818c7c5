import type { App } from '../app.ts'
import type { PageKind } from '../github/page-kinds.ts'
import { createCheckbox } from '../settings/fields.ts'
import { withPause } from '../settings/settings.ts'
import { createButton } from '../ui/buttons.ts'
import controlsCss from '../ui/controls.css?raw'
import { element } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'
import { addStyles } from '../ui/stylesheet.ts'
import { createUnreachable } from '../ui/unreachable.ts'
import { countPlugins, type MarkedPage } from './count.ts'
import { dimOthers } from './dim.ts'
import { focusPlugin, NEXT_KEYS, PREVIOUS_KEYS, watchKeys } from './keyboard.ts'
import summaryCss from './summary.css?raw'

/** Changes of the page are counted together this long after the first one. ms */
const DEBOUNCE_MS = 1000

/** Waits this many times the duration of the last count before it counts at once again: at most 0.05 % of the time. */
const REST_FACTOR = 2000

/** The small element in the corner of a page: how many plugins there are, and what a missing badge means. */
export interface Summary {
  /** @param page the kind of a page with badges; `paused` where there would be some; null where there is nothing */
  setPage(page: PageKind | 'paused' | null): void
  /** Every link has been looked up. Counts in this frame, unless the last count was a moment ago. */
  update(): void
  /** @param isReachable false when there is no copy of the index and it could not be downloaded */
  setReachable(isReachable: boolean): void
}

export function createSummary(
  app: App,
  options: {
    readonly marker: MarkedPage['marker']
    /** Whether the manager's menu leads to the settings. */
    readonly hasMenu: () => boolean
    /** Downloads the index again; resolves when that ended. */
    readonly retry: () => Promise<unknown>
  },
): Summary {
  const { settings } = app
  const box = element('section', { class: 'plugmark-summary' })
  /** How many plugins there are, or that the site is paused. A node of its own, so that a new count keeps the focus. */
  const caption = new Text()
  let page: PageKind | 'paused' | null = null
  let isExpanded = false
  let isReachable = true
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Earliest time to count at once. ms of `performance.now()` */
  let restedAt = 0
  /** All that what is rendered depends on, besides the caption. */
  let renderedState = ''

  const markedPage = (): MarkedPage | null =>
    page === null || page === 'paused' ? null : { kind: page, marker: options.marker }

  const renderSoon = () => {
    timer ??= setTimeout(render, DEBOUNCE_MS)
  }

  /** Counts, dims, and replaces only what changed. */
  function render(): void {
    clearTimeout(timer)
    timer = undefined
    const { dimOthers: isDimming, summaryHidden } = settings.current
    const messages = app.messages()
    const text = messages.summary
    const start = performance.now()
    const marked = markedPage()
    const count = marked && countPlugins(marked)
    dimOthers(isDimming && count && count.plugins > 0 ? marked : null)
    const end = performance.now()
    restedAt = end + (end - start) * REST_FACTOR

    const isUnreachable = count?.plugins === 0 && !isReachable
    caption.data =
      page === 'paused' ? text.paused : count && count.plugins > 0 ? text.count(count.plugins, count.repositories) : ''
    // Without a menu, a paused site has no other way back to the settings.
    const isHidden = summaryHidden && (marked !== null || options.hasMenu())
    if (isHidden || (caption.data === '' && !isUnreachable)) {
      renderedState = ''
      box.remove()
      return
    }
    const state = JSON.stringify([marked?.kind.linkStyle, isExpanded, isDimming, messages.locale, isUnreachable])
    if (state === renderedState && box.isConnected) return
    renderedState = state

    addStyles(controlsCss)
    addStyles(summaryCss)
    const focused = box.contains(document.activeElement)
      ? document.activeElement?.getAttribute('data-plugmark-part')
      : null
    box.lang = messages.locale
    box.setAttribute('aria-label', text.label)
    if (isUnreachable) {
      box.replaceChildren(createUnreachable(messages, { retry: options.retry, openSettings: app.openSettings }))
    } else if (marked === null) box.replaceChildren(...pausedParts())
    else box.replaceChildren(...(isExpanded ? [detailsPart(marked.kind)] : []), barPart())
    if (focused) box.querySelector<HTMLElement>(`[data-plugmark-part="${focused}"]`)?.focus()
    if (!box.isConnected) document.documentElement.append(box)
  }

  const pause = (isPaused: boolean) => settings.change(withPause(settings.current, location.hostname, isPaused))

  const pausedParts = () => {
    const text = app.messages().summary
    return [
      element('span', {}, caption),
      createPart('pause', 'plugmark-link', () => pause(false), text.resume),
      ' ',
      createPart('settings', 'plugmark-link', app.openSettings, text.settings),
    ]
  }

  const barPart = () => {
    const text = app.messages().summary
    const focus = (step: 1 | -1) => {
      const marked = markedPage()
      if (marked) focusPlugin(step, marked)
    }
    const toggle = () => {
      isExpanded = !isExpanded
      render()
    }
    const more = createPart('more', 'plugmark-plain', toggle, icon('plug'), caption)
    more.setAttribute('aria-expanded', String(isExpanded))
    more.title = text.more
    const previous = createPart('previous', 'plugmark-plain', () => focus(-1), icon('up'))
    const next = createPart('next', 'plugmark-plain', () => focus(1), icon('down'))
    describeKeys(previous, text.previous, PREVIOUS_KEYS)
    describeKeys(next, text.next, NEXT_KEYS)
    return element('div', { class: 'plugmark-summary-bar' }, more, previous, next)
  }

  const detailsPart = (kind: PageKind) => {
    const text = app.messages().summary
    const dim = createCheckbox(text.dim, settings.current.dimOthers, (isOn) => settings.change({ dimOthers: isOn }))
    dim.firstElementChild!.setAttribute('data-plugmark-part', 'dim')
    const hide = () => settings.change({ summaryHidden: true, dimOthers: false })
    return element(
      'div',
      { class: 'plugmark-summary-more' },
      element('div', {}, text.noBadge),
      element('div', { class: 'plugmark-muted plugmark-keys' }, text.keys(NEXT_KEYS, PREVIOUS_KEYS)),
      ...(kind.linkStyle === 'list' ? [dim] : []),
      element(
        'div',
        { class: 'plugmark-links' },
        createPart('pause', 'plugmark-link', () => pause(true), text.pause),
        createPart('settings', 'plugmark-link', app.openSettings, text.settings),
        createPart('hide', 'plugmark-link', hide, text.hide),
      ),
    )
  }

  // Added links are counted when the marker has looked them up.
  const observer = new MutationObserver((records) => {
    if (records.some(({ target, removedNodes }) => removedNodes[0] instanceof Element && !box.contains(target)))
      renderSoon()
  })
  watchKeys(markedPage)
  // A `details` element that opens or closes shows or hides links.
  addEventListener('toggle', renderSoon, true)

  return {
    setPage(newPage) {
      page = newPage
      observer.disconnect()
      if (page !== null) observer.observe(document.documentElement, { subtree: true, childList: true })
      render()
    },
    update() {
      if (page === null) return
      if (performance.now() > restedAt) return render()
      clearTimeout(timer)
      timer = setTimeout(render, DEBOUNCE_MS)
    },
    setReachable(now) {
      if (now === isReachable) return
      isReachable = now
      render()
    },
  }
}

/** A button that keeps the focus when the summary is rendered again. @param part its name in the summary */
function createPart(part: string, look: string, action: () => void, ...content: (Node | string)[]): HTMLButtonElement {
  const button = createButton(look, action, ...content)
  button.setAttribute('data-plugmark-part', part)
  return button
}

function describeKeys(button: HTMLButtonElement, name: string, keys: string): void {
  button.title = `${name} (${keys})`
  button.setAttribute('aria-label', name)
  button.setAttribute('aria-keyshortcuts', keys)
}
