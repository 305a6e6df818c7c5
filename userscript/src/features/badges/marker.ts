import { yieldToMain } from '@plugmark/shared/async'
import type { App, PageContext } from '../../app.ts'
import { type DocumentChanges, watchDocument } from '../../base/document-changes.ts'
import { after, untilEnd, whileShown } from '../../base/lifetime.ts'
import { report } from '../../base/report.ts'
import { isSameBadge, type LinkBadge, type Lookup } from '../../catalogue/badges.ts'
import { isAwaitingHydration } from '../../github/hydration.ts'
import { createLinkParser } from '../../github/links.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import { ICONS } from '../../ui/icons.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import css from './badge.css?raw'
import {
  badgedLinks,
  createBadge,
  insertBadge,
  isInPlace,
  type LinkState,
  linkOf,
  ROOM_PROPERTY,
  removeBadges,
  removeState,
  removeWord,
  resetLink,
  stateOf,
  TITLE_ATTRIBUTE,
} from './badge.ts'
import { listenToBadges } from './badge-events.ts'

/** Time between two checks of a list that React has not hydrated. ms */
const HYDRATION_LOOK_MS = 50

/** Links looked up in the index at once: the page is blocked while it receives the database's answer. */
const LINKS_PER_LOOKUP = 100

/** Pauses before links whose look-up failed are looked up again, by failures in a row. After the last, a requery does. ms */
const RETRY_PAUSES_MS = [1000, 5000, 30_000]

/** Badges that are inserted wherever they are, at each change of the page: a list has no more. */
const DRAWN_AT_ONCE = 50

/** Badges are inserted this many screens before they come into view. */
const SCREENS_AHEAD = 2

/** The elements that come into view as a whole: paragraphs, rows, headings. */
const BLOCKS = 'p, li, dd, dt, td, th, h1, h2, h3, h4, h5, h6, article'

/** Time for links before the first paint of the page, and between later frames. ms */
const FIRST_CHUNK_MS = 12
const CHUNK_MS = 24

/** Space between a link and its badge. px */
const MARGIN_PX = 8

export function initBadges(page: PageContext, app: App): void {
  if (page.kind === null) {
    removeBadges()
    return
  }
  listenToBadges(app, page.signal)
  markWhenHydrated(page, page.kind, app)
}

function markWhenHydrated(page: PageContext, kind: PageKind, app: App): void {
  const { url, signal, changes } = page
  // Prose is never hydrated.
  if (kind.linkStyle === 'list' && isAwaitingHydration(document.querySelector(kind.selector))) {
    after(signal, HYDRATION_LOOK_MS, () => markWhenHydrated(page, kind, app))
    return
  }
  const locale = app.locale()
  const marker = markLinks(
    { kind, url, signal, changes },
    {
      lookup: app.lookup,
      look: `${locale} ${app.settings.current.cli}`,
      createBadge(link, data) {
        addStyles(`.plugmark-badge { --plugmark-icons: ${ICONS} }\n${css}`)
        return createBadge(link, data, !link.closest('.markdown-body, #readme'), locale)
      },
      // Forces the layout before the first paint; the frame reuses it.
      onInserted: (badges) => queueMicrotask(() => keepRows(badges)),
      onMarked: () => page.marked.dispatchEvent(new Event('marked')),
    },
  )
  app.index.onUpdate(marker.requery, signal)
}

/** Keeps one badge after every link of a page that names a known repository. */
interface Marker {
  /** Looks up every link again, and replaces only the badges that differ from their current state. */
  requery(): void
}

/**
 * Marks the links of a page, now and as the page changes, until the signal aborts. The badges stay then: the next page
 * may have the same links.
 *
 * Looks up every link at once, but inserts the badges of a long page only near the window: layout of a badge in every
 * paragraph costs more than everything else. A badge belongs to a link and the address that it had. So rows that are
 * reused, cloned, moved, sorted or rendered again keep the right badge. After the first pass over the page, only added
 * nodes and changed addresses are processed.
 *
 * @param options.look language and program of the badges; a badge of another look is replaced
 * @param options.onInserted called with the badges of each batch
 * @param options.onMarked called when every link of the page has been looked up, or cannot be now
 */
export function markLinks(
  page: {
    readonly kind: PageKind
    readonly url: URL
    readonly signal: AbortSignal
    readonly changes?: DocumentChanges
  },
  options: {
    lookup: Pick<Lookup, 'badgeSync' | 'badges'>
    look: string
    createBadge: (link: HTMLAnchorElement, data: LinkBadge) => HTMLElement
    onInserted: (badges: readonly HTMLElement[]) => void
    onMarked: () => void
  },
): Marker {
  const { kind, url, signal, changes = watchDocument(signal) } = page
  const { lookup, look, createBadge, onInserted, onMarked } = options
  const parseLink = createLinkParser(kind.linkStyle, url)
  /** Links whose targets wait for a look-up. */
  let unanswered: Element[] = []
  let isLookingUp = false
  let failures = 0
  /** Links whose badges are inserted at the end of the chunk. */
  const waiting = new Set<HTMLAnchorElement>()
  /** Badges inserted since the queue was last empty. */
  let drawn = 0

  const processLink = (link: Element) => {
    const isMarked = link instanceof HTMLAnchorElement && link.isConnected && link.matches(kind.selector)
    const target = isMarked ? parseLink(link) : null
    if (!isMarked || target === null) return removeState(link)
    const data = lookup.badgeSync(target)
    let state = stateOf(link)
    // The badge of the link's former target must not stay during the look-up of the new one.
    if (state?.target.key !== target.key || data === null) state = resetLink(link, target)
    if (data === undefined) return void unanswered.push(link)
    const isSame = data && state.data && isSameBadge(state.data, data) && state.look === look
    state.data = data
    if (data === null) return
    if (state.badge !== null || drawn + waiting.size < DRAWN_AT_ONCE) {
      if (!isSame) removeBadge(state)
      waiting.add(link)
    } else drawLater(link, state)
  }

  const removeBadge = (state: LinkState) => {
    state.badge?.remove()
    state.badge = null
  }

  /** Creates and inserts the badges of the waiting links. */
  const insertBadges = () => {
    const inserted: HTMLElement[] = []
    changes.apply(() => {
      for (const link of waiting) {
        const state = stateOf(link)
        if (!state?.data || !link.isConnected) continue
        state.draw = null
        if (state.badge === null) {
          state.badge = createBadge(link, state.data)
          state.look = look
        }
        if (isInPlace(state.badge)) continue
        insertBadge(link, state)
        inserted.push(state.badge)
      }
      waiting.clear()
    })
    drawn += inserted.length
    if (inserted.length > 0) onInserted(inserted)
  }

  /** Links whose badges are inserted when their block comes near the window. */
  const later = new Map<Element, Set<HTMLAnchorElement>>()
  const drawBlocks = (blocks: Iterable<Element>) => {
    for (const block of blocks) {
      for (const link of later.get(block) ?? []) waiting.add(link)
      later.delete(block)
      near.unobserve(block)
    }
    if (waiting.size > 0) insertBadges()
  }
  const near = untilEnd(
    signal,
    new IntersectionObserver(
      (entries) => drawBlocks(entries.flatMap(({ isIntersecting, target }) => (isIntersecting ? target : []))),
      // In a frame, which only tests have, the margin applies to the document alone.
      { root: top === self ? null : document, rootMargin: `${SCREENS_AHEAD * 100}% 0px` },
    ),
  )
  const drawLater = (link: HTMLAnchorElement, state: LinkState) => {
    const block = link.closest(BLOCKS) ?? link.parentElement!
    state.draw = () => {
      waiting.add(link)
      insertBadges()
    }
    const links = later.get(block)
    if (links) links.add(link)
    else {
      later.set(block, new Set([link]))
      near.observe(block)
    }
  }
  /** The observer reports after the paint. After a jump to another part of the page, that would be too late. */
  let lastY = scrollY
  const onScroll = () => {
    const isJump = Math.abs(scrollY - lastY) > innerHeight
    lastY = scrollY
    if (!isJump || later.size === 0) return
    const ahead = SCREENS_AHEAD * innerHeight
    drawBlocks(
      [...later.keys()].filter((block) => {
        const { top, bottom, height } = block.getBoundingClientRect()
        return height > 0 && bottom > -ahead && top < innerHeight + ahead
      }),
    )
  }
  addEventListener('scroll', onScroll, { passive: true, signal })
  addEventListener(
    'beforeprint',
    () => {
      queue.finish()
      drawBlocks([...later.keys()])
    },
    { signal },
  )

  const lookUp = async () => {
    isLookingUp = true
    const some = unanswered.splice(0, LINKS_PER_LOOKUP)
    try {
      await whileShown(signal, lookup.badges(some.flatMap((link) => stateOf(link)?.target ?? [])))
      failures = 0
    } catch (error) {
      report('badges: look-up', error)
      const pauseMs = RETRY_PAUSES_MS[failures++]
      const failed = [...some, ...unanswered]
      unanswered = []
      if (pauseMs !== undefined) after(signal, pauseMs, () => failed.forEach(queue.addLink))
      // What is known can be counted.
      onMarked()
      return
    } finally {
      isLookingUp = false
    }
    // The page may have changed meanwhile: evaluate each link by its current target.
    for (const link of some) queue.addLink(link)
    queue.flush()
  }

  const queue = createMutationQueue({
    linksIn(root) {
      if (!root.isConnected) return []
      const badged = badgedLinks(root)
      return [...root.querySelectorAll(kind.selector), ...badged]
    },
    processLink,
    onChunk(isEmpty) {
      insertBadges()
      if (!isEmpty) return
      drawn = 0
      if (isLookingUp) return
      if (unanswered.length > 0) void lookUp()
      else onMarked()
    },
    signal,
  })

  changes.onChange((records) => {
    for (const { target, addedNodes, removedNodes } of records) {
      // A badge was expanded.
      if (linkOf(target)) continue
      // The address of a link changed, or its text: a link without a name may have one now.
      const around = (target as Element).closest('a')
      if (around) queue.addLink(around)
      for (const node of removedNodes) {
        const link = linkOf(node) ?? node
        // A link without its badge, or a badge without its link.
        if (link instanceof HTMLAnchorElement) queue.addLink(link)
      }
      for (const node of addedNodes) {
        if (!(node instanceof Element) || isInPlace(node)) continue
        // An added link can change which of its neighbours match the selector.
        queue.addRoot(node instanceof HTMLAnchorElement ? (node.parentElement ?? node) : node)
      }
    }
  })
  const processPage = () => {
    queue.addRoot(document.documentElement)
    queue.flush()
  }
  processPage()
  return {
    requery() {
      failures = 0
      processPage()
    },
  }
}

interface MutationQueue {
  addRoot(root: Element): void
  addLink(link: Element): void
  /** Processes the queue at once, before the next paint. */
  flush(): void
  /** Processes the whole queue in one task, however long that takes. */
  finish(): void
}

/**
 * Collects the changes of a page and processes them in the next frame, in chunks between which the page is painted.
 * Later changes never postpone a requested frame, so a page that changes constantly is marked too.
 *
 * @param options.linksIn returns the links at or below an element, in the order in which to process them
 * @param options.onChunk called at the end of each chunk
 * @param options.signal clears the queue and stops it
 */
export function createMutationQueue(options: {
  linksIn: (root: Element) => Iterable<Element>
  processLink: (link: Element) => void
  onChunk: (isEmpty: boolean) => void
  signal: AbortSignal
}): MutationQueue {
  const { linksIn, processLink, onChunk, signal } = options
  const roots = new Set<Element>()
  const links = new Set<Element>()
  /** The scheduled run; a later one replaces it. */
  let scheduled: symbol | null = null

  const run = (chunkMs: number) => {
    scheduled = null
    if (signal.aborted) return
    const end = performance.now() + chunkMs
    for (const root of roots) {
      roots.delete(root)
      for (const link of linksIn(root)) links.add(link)
    }
    for (const link of links) {
      links.delete(link)
      processLink(link)
      if (links.size > 0 && performance.now() > end) {
        schedule((runChunk) => void yieldToMain().then(runChunk))
        return onChunk(false)
      }
    }
    onChunk(true)
  }
  const runChunk = () => run(CHUNK_MS)

  /** Schedules the next chunk. A run that starts earlier, by `flush` or `finish`, replaces it. */
  const schedule = (later: (callback: () => void) => void) => {
    if (scheduled !== null) return
    const own = Symbol()
    scheduled = own
    later(() => {
      if (scheduled === own) runChunk()
    })
  }
  const scheduleFrame = () =>
    // A hidden page has no frames, but should be ready when the user returns to it.
    schedule((callback) => void (document.hidden ? setTimeout(callback) : requestAnimationFrame(callback)))

  return {
    addRoot(root) {
      roots.add(root)
      scheduleFrame()
    },
    addLink(link) {
      links.add(link)
      scheduleFrame()
    },
    flush: () => run(FIRST_CHUNK_MS),
    finish: () => run(Number.POSITIVE_INFINITY),
  }
}

/**
 * Keeps rows as high as they were without badges. When a badge with a word wraps below its link, a block title makes
 * room for it, and on a line without room the badge loses its word.
 */
function keepRows(badges: readonly HTMLElement[]): void {
  const below = badges.filter((badge) => !badge.classList.contains('plugmark-wordless') && isBelowLink(badge))
  const blocks = below.filter((badge) => !getComputedStyle(titleOf(badge)).display.startsWith('inline'))
  for (const badge of blocks) {
    const title = titleOf(badge)
    // A line clamp works only in a box.
    const isClamped = getComputedStyle(title).webkitLineClamp !== 'none'
    title.setAttribute(TITLE_ATTRIBUTE, isClamped ? 'clamped' : '')
  }
  // Shortens a long title to make room for the badge.
  for (const badge of blocks.filter(isBelowLink)) {
    const roomPx = Math.ceil(badge.getBoundingClientRect().width) + MARGIN_PX
    titleOf(badge).style.setProperty(ROOM_PROPERTY, `${roomPx}px`)
  }
  for (const badge of blocks.length === 0 ? below : below.filter(isBelowLink)) removeWord(badge)
}

/** Returns the title of a badge: the link before it. */
const titleOf = (badge: Element) => badge.previousElementSibling as HTMLElement

function isBelowLink(badge: Element): boolean {
  const link = badge.previousElementSibling
  return link !== null && badge.getBoundingClientRect().top >= link.getBoundingClientRect().bottom - 1
}
