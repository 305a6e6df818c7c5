import { after } from '../base/lifetime.ts'
import type { PageKind } from '../github/page-kinds.ts'
import type { StartWords } from '../i18n/start-words.ts'
import { element } from '../ui/element.ts'
import { addStyles } from '../ui/stylesheet.ts'
import { fill, isVisible, START_STYLES, stateOf } from './badge.ts'
import { isMany } from './document-changes.ts'
import type { PageContext } from './page.ts'

/** Changes of the page are counted together, this long after the first one. ms */
const DEBOUNCE_MS = 1000

/** Waits this many times the duration of the last count before counting at once again: at most 0.05 % of the time. */
const REST_FACTOR = 2000

/** The box in the corner. It outlives a page, so that the focus in it stays when a setting changes. */
export interface Box {
  readonly node: HTMLElement
  /** The number of plugins, or that the site is paused. A node of its own, so that a new count keeps the focus. */
  readonly caption: HTMLElement
}
let box: Box | undefined

export function theBox(): Box {
  box ??= { node: element('section', { class: 'plugmark-summary' }), caption: element('span', {}) }
  return box
}

export const removeBox = (): void => box?.node.remove()

/**
 * Shows the number of plugins as one element, until the user points at it: then it gets its buttons from the summary.
 */
export function showBox(page: PageContext, words: StartWords): void {
  const { kind } = page
  if (kind === null) {
    removeBox()
    return
  }
  watchCount(page, () => {
    const text = captionOf(countPlugins(kind), words)
    if (text === '') {
      removeBox()
      return
    }
    const { node, caption } = theBox()
    caption.textContent = text
    node.setAttribute('aria-label', text)
    if (node.isConnected) return
    node.setAttribute('role', 'button')
    node.tabIndex = 0
    node.lang = words.locale
    addStyles(START_STYLES)
    node.replaceChildren(caption)
    page.changes.apply(() => document.documentElement.append(node))
  })
}

/** Calls `render` once the links of the page have been looked up, and whenever the number of plugins may have changed. */
export function watchCount({ marked, changes, signal }: PageContext, render: () => void): void {
  let cancel: (() => void) | null = null
  let isRendered = false
  /** Earliest time to count at once, in ms of `performance.now()`. */
  let restedAt = 0
  const count = () => {
    cancel?.()
    cancel = null
    if (signal.aborted) return
    isRendered = true
    const start = performance.now()
    render()
    const end = performance.now()
    restedAt = end + (end - start) * REST_FACTOR
  }
  const countSoon = () => {
    cancel ??= after(signal, DEBOUNCE_MS, count)
  }

  // Added links are counted after the marker has looked them up.
  marked.addEventListener(
    'marked',
    () => {
      if (performance.now() > restedAt) return count()
      cancel?.()
      cancel = after(signal, DEBOUNCE_MS, count)
    },
    { signal },
  )
  changes.onChange((records) => {
    const isRemoval = ({ target, removedNodes }: MutationRecord) =>
      removedNodes.length > 0 &&
      !box?.node.contains(target) &&
      [...removedNodes].some((node) => node instanceof Element)
    if (isMany(records) || records.some(isRemoval)) countSoon()
  })
  // A `details` element that opens or closes shows or hides links.
  addEventListener('toggle', countSoon, { capture: true, signal })
  // In the same frame as the first badges: one layout for both.
  requestAnimationFrame(() => isRendered || count())
}

/** Counts the visible repositories, and the plugins among them. */
export function countPlugins(kind: PageKind): Count {
  const isList = kind.linkStyle === 'list'
  const [plugins, repositories] = [new Set<string>(), new Set<string>()]
  for (const link of document.querySelectorAll(kind.selector)) {
    const state = stateOf(link)
    if (!state || (!isList && !state.data)) continue
    const { repository } = state.target
    // A part of a repository is a plugin of its own.
    const name = state.data?.fullName?.includes('#') ? state.data.fullName : repository
    // To look whether a link is visible costs more than all else, so each plugin is looked at until one is.
    if ((state.data ? plugins : repositories).has(name) || !isVisible(link)) continue
    repositories.add(repository)
    if (state.data) plugins.add(name)
  }
  return { plugins: plugins.size, repositories: isList ? repositories.size : null }
}

/** Numbers of different repositories that a page shows. */
export interface Count {
  readonly plugins: number
  /** Null in prose, which is not a list. */
  readonly repositories: number | null
}

/** Returns the caption of the box; empty without a plugin. */
export function captionOf({ plugins, repositories: all }: Count, words: StartWords): string {
  if (plugins === 0) return ''
  if (all === null) return fill(plugins === 1 ? words.oneInProse : words.inProse, { plugins })
  return fill(plugins === 1 ? words.oneInList : words.inList, { plugins, all })
}
