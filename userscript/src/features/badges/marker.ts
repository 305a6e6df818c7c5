import { after, untilEnd, whileShown } from '../../base/lifetime.ts'
import { report } from '../../base/report.ts'
import { createLinkParser } from '../../github/links.ts'
import type { PageKind } from '../../github/page-kinds.ts'
import { isSameBadge } from '../../plugins/badge-data.ts'
import type { LinkBadge, Lookup } from '../../plugins/lookup.ts'
import { badgedLinks, insertBadge, isInPlace, linkOf, removeState, resetLink, stateOf } from './link-states.ts'
import { createMutationQueue } from './mutation-queue.ts'

/** Links looked up in the index at once: the page is blocked while it receives the database's answer. */
const LINKS_PER_LOOKUP = 100

/** Pauses before links whose look-up failed are looked up again, by failures in a row. After the last, a requery does. ms */
const RETRY_PAUSES_MS = [1000, 5000, 30_000]

/** Badges inserted at once on a long page: the browser lays out and paints the page after each batch. */
const BADGES_PER_BATCH = 500

/** Keeps one badge after every link of a page that names a known repository. */
export interface Marker {
  /** Looks up every link again, and replaces only the badges that differ from their current state. */
  requery(): void
}

/**
 * Marks the links of a page, now and as the page changes, until the signal aborts. The badges stay then: the next page
 * may have the same links.
 *
 * A badge belongs to a link and the address that it had. So rows that are reused, cloned, moved, sorted or rendered
 * again keep the right badge. After the first pass over the page, only added nodes and changed addresses are processed.
 *
 * @param options.look language and program of the badges; a badge of another look is replaced
 * @param options.onInserted called with the badges of each batch
 * @param options.onMarked called when every link of the page has been looked up
 */
export function markLinks(
  page: { readonly kind: PageKind; readonly url: URL; readonly signal: AbortSignal },
  options: {
    lookup: Pick<Lookup, 'badgeSync' | 'badges'>
    look: string
    createBadge: (link: HTMLAnchorElement, data: LinkBadge) => HTMLElement
    onInserted: (badges: readonly HTMLElement[]) => void
    onMarked: () => void
  },
): Marker {
  const { kind, url, signal } = page
  const { lookup, look, createBadge, onInserted, onMarked } = options
  const parseLink = createLinkParser(kind.linkStyle, url)
  /** Links whose targets wait for a look-up. */
  let unanswered: Element[] = []
  let isLookingUp = false
  let failures = 0
  /** Links whose badges wait for insertion. */
  const waiting: HTMLAnchorElement[] = []
  let isFirstChunk = true
  const isScrolled = scrollY > 0

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
    if (!isSame) {
      state.badge?.remove()
      state.badge = createBadge(link, data)
      state.look = look
    }
    waiting.push(link)
  }

  /** Inserts the badges that were created. */
  const insertBadges = () => {
    const inserted: HTMLElement[] = []
    for (const link of waiting.splice(0)) {
      const state = stateOf(link)
      if (!state?.badge || !link.isConnected || isInPlace(state.badge)) continue
      insertBadge(link, state)
      inserted.push(state.badge)
    }
    if (inserted.length > 0) onInserted(inserted)
  }

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
    onChunk(isEmpty, rest) {
      if (isEmpty || isFirstChunk || waiting.length >= BADGES_PER_BATCH) insertBadges()
      if (isFirstChunk && !isEmpty && isScrolled) putInViewFirst(rest)
      isFirstChunk = false
      if (!isEmpty || isLookingUp) return
      if (unanswered.length > 0) void lookUp()
      else onMarked()
    },
    signal,
  })

  // On a page that was scrolled before the marking, mark the visible links first.
  const putInViewFirst = (links: readonly Element[]) => {
    const onSeen: IntersectionObserverCallback = (entries) => {
      inView.disconnect()
      queue.putFirst(entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target))
    }
    const inView = untilEnd(signal, new IntersectionObserver(onSeen))
    for (const link of links) inView.observe(link)
  }

  const onRecords = (records: readonly MutationRecord[]) => {
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
  }
  const processPage = () => {
    queue.addRoot(document.documentElement)
    queue.flush()
  }

  addEventListener('beforeprint', queue.finish, { signal })
  untilEnd(signal, new MutationObserver(onRecords)).observe(document.documentElement, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['href'],
  })
  processPage()
  return {
    requery() {
      failures = 0
      processPage()
    },
  }
}
