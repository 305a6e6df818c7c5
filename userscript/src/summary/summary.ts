import type { PageKind } from '../github/page-kinds.ts'
import type { Voice } from '../i18n/index.ts'
import type { SummaryPhrases } from '../i18n/summary.ts'
import { createCheckbox } from '../settings/fields.ts'
import type { Settings } from '../settings/settings.ts'
import { createButton } from '../ui/button.ts'
import { element } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'
import { createUnreachable } from '../ui/unreachable.ts'
import { countOf, type MarkedPage } from './count.ts'
import { dimOthers } from './dim.ts'
import { followKeys, jump, NEXT_KEYS, PREVIOUS_KEYS } from './keyboard.ts'

/** What is not counted at once is counted this long after, or after the last of what is added without pause. ms */
const COUNT_MS = 1000
/** Between two countings at once there is this many times as long as one takes. */
const REST = 2000

export interface SummaryOptions {
  /** Called before something is shown. */
  readonly prepare: () => void
  readonly marker: MarkedPage['marker']
  readonly settings: () => Settings
  readonly voice: () => Pick<Voice, 'language' | 'phrases'>
  readonly pause: (isPaused: boolean) => void
  readonly change: (patch: Partial<Settings>) => void
  readonly openSettings: () => void
  /** Asks the directory again; resolves when that is over. */
  readonly retry: () => Promise<unknown>
  /** Whether the manager's menu leads to the settings. */
  readonly hasMenu: () => boolean
}

/** The small element at the edge of a page that says what the badges and their absence mean. */
export interface Summary {
  /** @param page the kind of page, `paused` where one would be marked, null where nothing would */
  show(page: PageKind | 'paused' | null): void
  /**
   * It is known of all links by now which of them are plugins. Called in a frame, that frame has the new count, unless the
   * last is too short a while ago.
   */
  count(): void
  /** Whether there is a copy of the directory, or may be one yet: without one no page has badges. */
  reach(isReached: boolean): void
}

export function createSummary(options: SummaryOptions): Summary {
  const box = element('section', { class: 'plugmark-summary' })
  let page: PageKind | 'paused' | null = null
  let isOpen = false
  let isReached = true
  let timer: ReturnType<typeof setTimeout> | undefined
  /** When that may be done again. ms */
  let restedAt = 0
  let drawn = ''
  /** How many they are, or that the site is paused. */
  const caption = new Text()

  const observer = new MutationObserver((records) => {
    // Of what is added the marker says when it is known.
    if (records.some(({ target, removedNodes }) => removedNodes[0] instanceof Element && !box.contains(target)))
      timer ??= countSoon()
  })
  const countSoon = () => setTimeout(look, COUNT_MS)

  const markedPage = (): MarkedPage | null =>
    page === null || page === 'paused' ? null : { kind: page, marker: options.marker }

  /** Counts, dims, and draws only what is another than before, so that the focus stays where it is. */
  const look = () => {
    const start = performance.now()
    clearTimeout(timer)
    timer = undefined
    const { dimOthers: dims, summaryHidden } = options.settings()
    const said = options.voice().phrases.summary
    const marked = markedPage()
    const kind = marked?.kind ?? null
    const count = marked && countOf(document, marked)
    dimOthers(dims && count && count.plugins > 0 ? marked : null)
    const end = performance.now()
    restedAt = end + (end - start) * REST
    const isUnreachable = count?.plugins === 0 && !isReached
    const text =
      page === 'paused' ? said.paused : count && count.plugins > 0 ? said.count(count.plugins, count.repositories) : ''
    // Where no menu leads to the settings, a paused site would leave no way back.
    if ((text === '' && !isUnreachable) || (summaryHidden && (kind || options.hasMenu()))) {
      drawn = ''
      return box.remove()
    }
    caption.data = text
    const state = JSON.stringify([kind?.linkStyle, isOpen, dims, said.label, isUnreachable])
    if (state === drawn && box.isConnected) return
    drawn = state
    options.prepare()
    box.lang = options.voice().language
    draw(kind, said, isUnreachable)
    if (!box.isConnected) document.documentElement.append(box)
  }

  const draw = (kind: PageKind | null, said: SummaryPhrases, isUnreachable: boolean) => {
    const focused = box.contains(document.activeElement)
      ? document.activeElement?.getAttribute('data-plugmark-part')
      : null
    box.setAttribute('aria-label', said.label)
    if (isUnreachable) box.replaceChildren(createUnreachable(options.voice().phrases, options))
    else box.replaceChildren(...(kind === null ? pausedParts(said) : parts(kind, said)))
    if (focused) box.querySelector<HTMLElement>(`[data-plugmark-part="${focused}"]`)?.focus()
  }

  const pausedParts = (said: SummaryPhrases) => [
    element('span', {}, caption),
    button('pause', 'plugmark-link', () => options.pause(false), said.resume),
    ' ',
    button('settings', 'plugmark-link', options.openSettings, said.settings),
  ]

  const parts = (kind: PageKind, said: SummaryPhrases) => {
    const toggle = button(
      'more',
      'plugmark-plain',
      () => {
        isOpen = !isOpen
        look()
      },
      icon('plug'),
      caption,
    )
    toggle.setAttribute('aria-expanded', String(isOpen))
    toggle.title = said.more
    const bar = element(
      'div',
      { class: 'plugmark-summary-bar' },
      toggle,
      named(
        button('previous', 'plugmark-plain', () => jump(-1, markedPage()), icon('up')),
        said.previous,
        PREVIOUS_KEYS,
      ),
      named(
        button('next', 'plugmark-plain', () => jump(1, markedPage()), icon('down')),
        said.next,
        NEXT_KEYS,
      ),
    )
    return isOpen ? [createMore(kind, said), bar] : [bar]
  }

  const createMore = (kind: PageKind, said: SummaryPhrases) => {
    const dim = createCheckbox(said.dim, options.settings().dimOthers, (isOn) => options.change({ dimOthers: isOn }))
    dim.firstElementChild!.setAttribute('data-plugmark-part', 'dim')
    return element(
      'div',
      { class: 'plugmark-summary-more' },
      element('div', {}, said.noBadge),
      element('div', { class: 'plugmark-muted plugmark-keys' }, said.keys(NEXT_KEYS, PREVIOUS_KEYS)),
      ...(kind.linkStyle === 'list' ? [dim] : []),
      element(
        'div',
        { class: 'plugmark-links' },
        button('pause', 'plugmark-link', () => options.pause(true), said.pause),
        button('settings', 'plugmark-link', options.openSettings, said.settings),
        button('hide', 'plugmark-link', () => options.change({ summaryHidden: true, dimOthers: false }), said.hide),
      ),
    )
  }

  followKeys(markedPage)
  // What was folded up is seen now, or the other way round.
  addEventListener('toggle', () => (timer ??= countSoon()), true)

  return {
    reach(now) {
      if (now === isReached) return
      isReached = now
      look()
    },
    show(newPage) {
      page = newPage
      observer.disconnect()
      if (page !== null) observer.observe(document.documentElement, { subtree: true, childList: true })
      look()
    },
    count() {
      if (page === null) return
      if (performance.now() > restedAt) return look()
      // A frame of its own costs a long page more than the counting: not while there are others to come.
      clearTimeout(timer)
      timer = countSoon()
    },
  }
}

function button(part: string, look: string, action: () => void, ...content: (Node | string)[]): HTMLButtonElement {
  const node = createButton(look, action, ...content)
  node.setAttribute('data-plugmark-part', part)
  return node
}

function named(node: HTMLButtonElement, name: string, keys: string): HTMLButtonElement {
  node.title = `${name} (${keys})`
  node.setAttribute('aria-label', name)
  node.setAttribute('aria-keyshortcuts', keys)
  return node
}
