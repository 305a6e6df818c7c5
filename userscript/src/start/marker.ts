import { yieldToMain } from '@plugmark/shared/async'
import { after, whileShown } from '../base/lifetime.ts'
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
  removeBadges,
  removeState,
  resetLink,
  START_STYLES,
  stateOf,
} from './badge.ts'
import { commonTarget, isMany } from './document-changes.ts'
import { CHUNK_MS, inNextFrame, LinkQueue, type LinkWorker } from './link-queue.ts'
import { LinksAhead } from './links-ahead.ts'
import type { PageContext } from './page.ts'
import { keepRowHeights } from './row-heights.ts'
import { isSameBadge, type LinkBadge } from './stored-badges.ts'

/** Time between two checks of a list that React has not hydrated. ms */
const HYDRATION_LOOK_MS = 50

/** Links looked up in the index at once: the page is blocked while it receives the database's answer. */
const LINKS_PER_LOOKUP = 100

/** Pauses before links whose look-up failed are looked up again, by failures in a row. After the last, a requery does. ms */
const RETRY_PAUSES_MS = [1000, 5000, 30_000]

/** Badges that are inserted wherever they are, at each change of the page: a list has no more. */
const DRAWN_AT_ONCE = 50

/** Sources of a badge's text, command and look-up. */
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
    const batch = this.#unanswered.splice(0, LINKS_PER_LOOKUP)
    try {
      const targets = batch.flatMap((link) => stateOf(link)?.target ?? [])
      await whileShown(this.#page.signal, this.#sources.lookup.badges(targets))
      this.#failures = 0
    } catch (error) {
      report('badges: look-up', error)
      const pauseMs = RETRY_PAUSES_MS[this.#failures++]
      const failed = [...batch, ...this.#unanswered]
      this.#unanswered = []
      const retry = () => {
        for (const link of failed) this.#queue.addLink(link)
      }
      if (pauseMs !== undefined) after(this.#page.signal, pauseMs, retry)
      // The plugins that are known can be counted.
      this.#onMarked()
      return
    } finally {
      this.#isLookingUp = false
    }
    // The page may have changed meanwhile: evaluate each link by its current target.
    for (const link of batch) this.#queue.addLink(link)
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
      queueMicrotask(() => this.#page.changes.apply(() => keepRowHeights(inserted)))
    }
    if (this.#waiting.size > 0) void whileShown(this.#page.signal, yieldToMain()).then(() => this.#insertBadges())
  }
}
