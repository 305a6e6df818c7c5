import { yieldToMain } from '@plugmark/shared/async'
import { after, onEnd, whileShown } from '../base/lifetime.ts'
import { report } from '../base/report.ts'
import { isAwaitingHydration } from '../github/hydration.ts'
import { createLinkParser, type LinkTarget } from '../github/links.ts'
import type { PageKind } from '../github/page-kinds.ts'
import type { StartWords } from '../i18n/start-words.ts'
import { addStyles, restoreStyles } from '../ui/stylesheet.ts'
import {
  badgedLinks,
  createBadge,
  insertBadge,
  isInPlace,
  linkOf,
  ROOM_PROPERTY,
  removeBadges,
  removeState,
  removeWord,
  resetLink,
  START_STYLES,
  stateOf,
  TITLE_ATTRIBUTE,
} from './badge.ts'
import type { PageContext } from './page.ts'
import { isSameBadge, type LinkBadge } from './stored-badges.ts'

/** Time between two checks of a list that React has not hydrated. ms */
const HYDRATION_LOOK_MS = 50

/** Links looked up in the index at once: the page is blocked while it receives the database's answer. */
const LINKS_PER_LOOKUP = 100

/** Pauses before links whose look-up failed are looked up again, by failures in a row. After the last, a requery does. ms */
const RETRY_PAUSES_MS = [1000, 5000, 30_000]

/** Badges that are inserted wherever they are, at each change of the page: a list has no more. */
const DRAWN_AT_ONCE = 50

/** More changes than these in one task are not looked at one by one, but by their common ancestor. */
const MANY_CHANGES = 200

/** Time until links that left the page are released. ms */
const RELEASE_MS = 1000

/** Badges are inserted this many screens before they come into view. */
const SCREENS_AHEAD = 2

/** The elements that come into view as a whole: paragraphs, rows, headings. */
const BLOCKS = 'p, li, dd, dt, td, th, h1, h2, h3, h4, h5, h6, article'

/** Time for links before the first paint of the page, and between later frames. ms */
const FIRST_CHUNK_MS = 12
const CHUNK_MS = 24

/** Space between a link and its badge. px */
const MARGIN_PX = 8

/** What badges show, and where the marker finds out about links. */
export interface MarkerSources {
  readonly words: StartWords
  /** The program whose commands the badges copy. */
  readonly cli: string
  readonly lookup: LinkLookup
}

/** Answers for links: at once where it can, else later. */
export interface LinkLookup {
  /** Returns the badge of a link: null when it gets none, undefined when only `badges` can tell. */
  badgeSync(target: LinkTarget): LinkBadge | null | undefined
  /** Finds the badges of targets; afterwards `badgeSync` returns them. */
  badges(targets: readonly LinkTarget[]): Promise<void>
}

type MarkedPage = Omit<PageContext, 'kind'> & { readonly kind: PageKind }

/** Marks a page, as soon as React has hydrated its list. @returns a function that looks up every link again */
export function markPage(page: PageContext, sources: MarkerSources): () => void {
  const { kind, signal } = page
  if (kind === null) {
    removeBadges()
    return () => {}
  }
  let marker: Marker | null = null
  const mark = () => {
    // Prose is never hydrated.
    if (kind.linkStyle === 'list' && isAwaitingHydration(document.querySelector(kind.selector)))
      after(signal, HYDRATION_LOOK_MS, mark)
    else marker = new Marker({ ...page, kind }, sources)
  }
  mark()
  return () => marker?.requery()
}

/**
 * Keeps one badge after every link of a page that names a known repository, now and as the page changes, until the
 * signal aborts. The badges stay then: the next page may have the same links.
 *
 * Looks up every link at once, but inserts the badges of a long page only near the window: layout of a badge in every
 * paragraph costs more than everything else. A badge belongs to a link and the address that it had. So rows that are
 * reused, cloned, moved, sorted or rendered again keep the right badge. After the first pass over the page, only added
 * nodes and changed addresses are processed.
 */
class Marker implements LinkWorker {
  readonly #page: MarkedPage
  readonly #sources: MarkerSources
  /** Language and program of the badges; a badge of another look is replaced. */
  readonly #look: string
  readonly #parseLink: ReturnType<typeof createLinkParser>
  readonly #queue: LinkQueue
  /** Null until a badge is left for later. */
  #ahead: LinksAhead | null = null
  /** Links whose targets wait for a look-up. */
  #unanswered: Element[] = []
  #isLookingUp = false
  #failures = 0
  /** Links whose badges are inserted at the end of the chunk. */
  readonly #waiting = new Set<HTMLAnchorElement>()
  /** Badges inserted since the queue was last empty. */
  #drawn = 0

  constructor(page: MarkedPage, sources: MarkerSources) {
    const { kind, url, signal, changes } = page
    this.#page = page
    this.#sources = sources
    this.#look = `${sources.words.locale} ${sources.cli}`
    this.#parseLink = createLinkParser(kind.linkStyle, url)
    this.#queue = new LinkQueue(this, signal)
    addEventListener('beforeprint', () => this.#finish(), { signal })
    changes.onChange((records) => this.#onChange(records))
    this.#queue.flush(document.documentElement)
  }

  /** Looks up every link again, and replaces only the badges that differ from their current state. */
  requery(): void {
    this.#failures = 0
    this.#queue.flush(document.documentElement)
  }

  linksIn(root: Element): readonly Element[] {
    if (!root.isConnected) return []
    const badged = badgedLinks(root)
    return [...root.querySelectorAll(this.#page.kind.selector), ...badged]
  }

  /** Inserts every badge before the page is printed. */
  #finish(): void {
    this.#queue.finish()
    this.#ahead?.takeAll()
    this.#insertBadges(Number.POSITIVE_INFINITY)
  }

  #onChange(records: readonly MutationRecord[]): void {
    const areMany = isMany(records)
    if (areMany || records.some(({ removedNodes }) => removedNodes.length > 0)) this.#ahead?.releaseSoon()
    if (areMany) {
      const ancestor = commonTarget(records)
      const root = ancestor?.closest('a')?.parentElement ?? ancestor
      // In the frame after it has been laid out: the first badge would force the layout of all of it.
      if (root) inNextFrame(() => this.#page.signal.aborted || this.#queue.addRoot(root))
      return
    }
    for (const { target, addedNodes, removedNodes } of records) {
      // A badge was expanded.
      if (linkOf(target)) continue
      // The address of a link changed, or its text: a link without a name may have one now.
      const around = (target as Element).closest('a')
      if (around) this.#queue.addLink(around)
      for (const node of removedNodes) {
        const link = linkOf(node) ?? node
        // A link without its badge, or a badge without its link.
        if (link instanceof HTMLAnchorElement) this.#queue.addLink(link)
      }
      for (const node of addedNodes) {
        if (!(node instanceof Element) || isInPlace(node)) continue
        // An added link can change which of its neighbours match the selector.
        this.#queue.addRoot(node instanceof HTMLAnchorElement ? (node.parentElement ?? node) : node)
      }
    }
  }

  processLink(link: Element): void {
    const isMarked = link instanceof HTMLAnchorElement && link.isConnected && link.matches(this.#page.kind.selector)
    const target = isMarked ? this.#parseLink(link) : null
    if (!isMarked || target === null) {
      removeState(link)
      return
    }
    const data = this.#sources.lookup.badgeSync(target)
    let state = stateOf(link)
    // The badge of the link's former target must not stay during the look-up of the new one.
    if (state?.target.key !== target.key || data === null) state = resetLink(link, target)
    if (data === undefined) {
      this.#unanswered.push(link)
      return
    }
    const isSame = data && state.data && isSameBadge(state.data, data) && state.look === this.#look
    state.data = data
    if (data === null) return
    if (state.badge !== null || this.#drawn + this.#waiting.size < DRAWN_AT_ONCE) {
      if (!isSame) {
        state.badge?.remove()
        state.badge = null
      }
      this.#waiting.add(link)
    } else {
      state.draw = () => this.#insertSoon([link])
      this.#insertLater(link)
    }
  }

  /** A function of its own: beside another closure over a link, that of the observer would keep the link alive. */
  #insertLater(link: HTMLAnchorElement): void {
    this.#ahead ??= new LinksAhead(this.#page.signal, (links) => this.#insertSoon(links))
    this.#ahead.add(link)
  }

  onChunk(isEmpty: boolean): void {
    this.#insertBadges()
    if (!isEmpty) return
    this.#drawn = 0
    if (this.#isLookingUp) return
    if (this.#unanswered.length > 0) void this.#lookUp()
    else this.#onMarked()
  }

  /** Every link of the page has been looked up, or cannot be now. */
  #onMarked(): void {
    restoreStyles()
    this.#page.marked.dispatchEvent(new Event('marked'))
  }

  async #lookUp(): Promise<void> {
    this.#isLookingUp = true
    const some = this.#unanswered.splice(0, LINKS_PER_LOOKUP)
    try {
      const targets = some.flatMap((link) => stateOf(link)?.target ?? [])
      await whileShown(this.#page.signal, this.#sources.lookup.badges(targets))
      this.#failures = 0
    } catch (error) {
      report('badges: look-up', error)
      const pauseMs = RETRY_PAUSES_MS[this.#failures++]
      const failed = [...some, ...this.#unanswered]
      this.#unanswered = []
      const again = () => {
        for (const link of failed) this.#queue.addLink(link)
      }
      if (pauseMs !== undefined) after(this.#page.signal, pauseMs, again)
      // What is known can be counted.
      this.#onMarked()
      return
    } finally {
      this.#isLookingUp = false
    }
    // The page may have changed meanwhile: evaluate each link by its current target.
    for (const link of some) this.#queue.addLink(link)
    this.#queue.flush()
  }

  #insertSoon(links: Iterable<HTMLAnchorElement>): void {
    for (const link of links) this.#waiting.add(link)
    if (this.#waiting.size > 0) this.#insertBadges()
  }

  /** Creates and inserts the badges of the waiting links, and those that take longer than `chunkMs` in later tasks. */
  #insertBadges(chunkMs = CHUNK_MS): void {
    const { words } = this.#sources
    const inserted: HTMLElement[] = []
    const end = performance.now() + chunkMs
    this.#page.changes.apply(() => {
      for (const link of this.#waiting) {
        if (performance.now() > end) break
        this.#waiting.delete(link)
        const state = stateOf(link)
        if (!state?.data || !link.isConnected) continue
        state.draw = null
        if (state.badge === null) {
          state.badge = createBadge(link, state.data, !link.closest('.markdown-body, #readme'), words)
          state.look = this.#look
        }
        if (isInPlace(state.badge)) continue
        insertBadge(link, state)
        inserted.push(state.badge)
      }
    })
    this.#drawn += inserted.length
    if (inserted.length > 0) {
      addStyles(START_STYLES)
      // Forces the layout before the first paint; the frame reuses it.
      queueMicrotask(() => this.#page.changes.apply(() => keepRows(inserted)))
    }
    if (this.#waiting.size > 0) void whileShown(this.#page.signal, yieldToMain()).then(() => this.#insertBadges())
  }
}

/** A hidden page has no frames, but should be ready when the user returns to it. */
const inNextFrame = (callback: () => void): void =>
  void (document.hidden ? setTimeout(callback) : requestAnimationFrame(callback))

/** Returns true if so much has changed that to look at each change would block the page. */
function isMany(records: readonly MutationRecord[]): boolean {
  let changes = 0
  for (const { addedNodes, removedNodes } of records) {
    changes += 1 + addedNodes.length + removedNodes.length
    if (changes > MANY_CHANGES) return true
  }
  return false
}

/** Returns the innermost element that contains whatever was changed in the page; null when it is not there any more. */
function commonTarget(records: readonly MutationRecord[]): Element | null {
  let ancestor: Element | null = null
  let last: Node | null = null
  for (const { target } of records) {
    if (target === last || !target.isConnected) continue
    last = target
    ancestor ??= target as Element
    while (!ancestor!.contains(target)) ancestor = ancestor!.parentElement
  }
  return ancestor
}

/** Links whose badges are inserted when their block comes near the window. */
class LinksAhead {
  readonly #onNear: (links: Iterable<HTMLAnchorElement>) => void
  readonly #blocks = new Map<Element, Set<HTMLAnchorElement>>()
  readonly #observer: IntersectionObserver
  readonly #signal: AbortSignal
  #isReleasing = false
  /** Not read before the page scrolls: that would force the layout of what it has just added. px */
  #lastY = 0

  constructor(signal: AbortSignal, onNear: (links: Iterable<HTMLAnchorElement>) => void) {
    this.#onNear = onNear
    this.#signal = signal
    this.#observer = new IntersectionObserver(
      (entries) => this.#take(entries.flatMap(({ isIntersecting, target }) => (isIntersecting ? target : []))),
      // In a frame, which only tests have, the margin applies to the document alone.
      { root: top === self ? null : document, rootMargin: `${SCREENS_AHEAD * 100}% 0px` },
    )
    onEnd(signal, () => this.#observer.disconnect())
    addEventListener('scroll', () => this.#onScroll(), { passive: true, signal })
  }

  add(link: HTMLAnchorElement): void {
    const block = link.closest(BLOCKS) ?? link.parentElement!
    const links = this.#blocks.get(block)
    if (links) links.add(link)
    else {
      this.#blocks.set(block, new Set([link]))
      this.#observer.observe(block)
    }
  }

  /** Releases the links that have left the page, soon: a row that moves is removed first. */
  releaseSoon(): void {
    if (this.#isReleasing || this.#blocks.size === 0) return
    this.#isReleasing = true
    after(this.#signal, RELEASE_MS, () => {
      this.#isReleasing = false
      for (const [block, links] of this.#blocks) {
        for (const link of links) if (!block.contains(link)) links.delete(link)
        if (links.size > 0 && block.isConnected) continue
        this.#blocks.delete(block)
        this.#observer.unobserve(block)
      }
    })
  }

  takeAll(): void {
    this.#take([...this.#blocks.keys()])
  }

  #take(blocks: Iterable<Element>): void {
    const near: HTMLAnchorElement[] = []
    for (const block of blocks) {
      near.push(...(this.#blocks.get(block) ?? []))
      this.#blocks.delete(block)
      this.#observer.unobserve(block)
    }
    this.#onNear(near)
  }

  /** The observer reports after the paint. After a jump to another part of the page, that would be too late. */
  #onScroll(): void {
    const isJump = Math.abs(scrollY - this.#lastY) > innerHeight
    this.#lastY = scrollY
    if (!isJump || this.#blocks.size === 0) return
    const ahead = SCREENS_AHEAD * innerHeight
    this.#take(
      [...this.#blocks.keys()].filter((block) => {
        const { top, bottom, height } = block.getBoundingClientRect()
        return height > 0 && bottom > -ahead && top < innerHeight + ahead
      }),
    )
  }
}

/** What a queue is for. */
interface LinkWorker {
  /** Returns the links at or below an element, in the order in which to process them. */
  linksIn(root: Element): Iterable<Element>
  processLink(link: Element): void
  /** Called at the end of each chunk. */
  onChunk(isEmpty: boolean): void
}

/**
 * Collects the changes of a page and processes them in the next frame, in chunks between which the page is painted.
 * Later changes never postpone a requested frame, so a page that changes constantly is marked too.
 */
export class LinkQueue {
  readonly #worker: LinkWorker
  readonly #signal: AbortSignal
  readonly #roots = new Set<Element>()
  readonly #links = new Set<Element>()
  /** The scheduled run; a later one replaces it. */
  #scheduled: symbol | null = null

  /** @param signal clears the queue and stops it */
  constructor(worker: LinkWorker, signal: AbortSignal) {
    this.#worker = worker
    this.#signal = signal
  }

  addRoot(root: Element): void {
    this.#roots.add(root)
    this.#schedule(inNextFrame)
  }

  addLink(link: Element): void {
    this.#links.add(link)
    this.#schedule(inNextFrame)
  }

  /** Processes the queue at once, before the next paint. @param root first of all */
  flush(root?: Element): void {
    if (root) this.#roots.add(root)
    this.#run(FIRST_CHUNK_MS)
  }

  /** Processes the whole queue in one task, however long that takes. */
  finish(): void {
    this.#run(Number.POSITIVE_INFINITY)
  }

  #run(chunkMs: number): void {
    this.#scheduled = null
    if (this.#signal.aborted) return
    const isFirst = chunkMs === FIRST_CHUNK_MS
    let end = performance.now() + chunkMs
    for (const root of this.#roots) {
      this.#roots.delete(root)
      for (const link of this.#worker.linksIn(root)) this.#links.add(link)
      if (!isFirst && performance.now() > end && this.#continueLater()) return
    }
    // To find the links of a large page may take as long as that, and the first of them are in view.
    if (isFirst) end = performance.now() + chunkMs
    for (const link of this.#links) {
      this.#links.delete(link)
      this.#worker.processLink(link)
      if (performance.now() > end && this.#continueLater()) return
    }
    this.#worker.onChunk(true)
  }

  /** @returns false when nothing is left */
  #continueLater(): boolean {
    if (this.#roots.size + this.#links.size === 0) return false
    this.#schedule((runChunk) => void yieldToMain().then(runChunk))
    this.#worker.onChunk(false)
    return true
  }

  /** Schedules the next chunk. A run that starts earlier, by `flush` or `finish`, replaces it. */
  #schedule(later: (callback: () => void) => void): void {
    if (this.#scheduled !== null) return
    const own = Symbol()
    this.#scheduled = own
    later(() => {
      if (this.#scheduled === own) this.#run(CHUNK_MS)
    })
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
