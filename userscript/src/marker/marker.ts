import { BADGE_ATTRIBUTE } from '../badge/badge.ts'
import type { Badges } from '../badge/badges.ts'
import { createLinkParser, type LinkTarget } from '../github/links.ts'
import type { PageKind } from '../github/page-kinds.ts'
import { isSameBadge } from '../plugins/badge-data.ts'
import type { LinkBadge, Lookup } from '../plugins/lookup.ts'
import { createLinkStates } from './link-state.ts'
import { createMutationQueue } from './mutation-queue.ts'

/** Answers of the index kept for one page; a page that shows more links asks again. */
const MOST_ANSWERS = 5000

/** Links looked up in the index at once: a page stands still while it receives what the database sends. */
const LINKS_PER_LOOKUP = 100

export interface Marker {
  /** Marks the links of a page of this kind, now and as the page changes. */
  start(kind: PageKind): void
  /** Stops; badges stay where they are. */
  stop(): void
  /** Stops, and removes all badges. */
  unmark(): void
  /** Looks up every link again; only badges that show something else by now are replaced. */
  requery(): void
  /** Replaces every badge: language or program changed. */
  rerender(): void
  /** Removes the badges of a target that turned out not to be listed, until the next `requery`. */
  removeBadges(target: LinkTarget): void
  /** What a link stands for; undefined for one that stands for nothing. */
  targetOf(link: Element): LinkTarget | undefined
  /** Whether a link has a badge, or is about to get one. */
  isPlugin(link: Element): boolean
}

/**
 * Keeps one badge after every link that names a known repository.
 *
 * A badge belongs to a link and the address it had: rows that are re-used, cloned, moved, sorted or re-rendered keep the
 * right badge. After the first look over the page, only added nodes and changed addresses are looked at.
 *
 * @param onMarked called when every link of the page has been looked up
 */
export function createMarker(options: {
  lookup: Pick<Lookup, 'badgeSync' | 'badges'>
  badges: Pick<Badges, 'create' | 'hideOverflowing'>
  onMarked: () => void
}): Marker {
  const { lookup, badges, onMarked } = options
  const states = createLinkStates()
  /** What the index answered, by the key of the target. */
  let answers = new Map<string, LinkBadge | null>()
  /** Links whose targets wait to be looked up. */
  let unanswered: Element[] = []
  let isLookingUp = false
  /** Raised when every badge must be replaced. */
  let edition = 0
  let kind: PageKind | null = null
  /** Path of the page up to the repository it belongs to, if it does. */
  let repositoryPath = ''
  let parseLink: (link: HTMLAnchorElement) => LinkTarget | null = () => null

  const processLink = (link: Element) => {
    const isMarked =
      kind !== null && link instanceof HTMLAnchorElement && link.isConnected && link.matches(kind.selector)
    const target = isMarked ? parseLink(link) : null
    if (target === null) return states.remove(link)
    const answer = answers.get(target.key)
    const data = answer === undefined ? lookup.badgeSync(target) : answer
    let state = states.of(link)
    // A badge of what the link led to before does not stay while the new target is looked up.
    if (state?.target.key !== target.key || data === null) state = states.reset(link, target)
    if (data === undefined) return void unanswered.push(link)
    const isSame = data && state.data && isSameBadge(state.data, data) && state.edition === edition
    state.data = data
    if (data === null) return
    if (!isSame) {
      state.badge?.remove()
      state.badge = badges.create(target, data, link as HTMLAnchorElement)
      state.edition = edition
    }
    states.insertBadge(link, state)
  }

  const lookUp = async () => {
    isLookingUp = true
    const links = unanswered.splice(0, LINKS_PER_LOOKUP)
    const targets = links.flatMap((link) => states.of(link)?.target ?? [])
    if (answers.size > MOST_ANSWERS) answers = new Map()
    const into = answers
    try {
      const found = await lookup.badges(targets)
      for (const { key } of targets) into.set(key, found.get(key) ?? null)
    } catch {
      // The index could not be read: these links stay as they are until the next requery.
      unanswered = []
      return
    } finally {
      isLookingUp = false
    }
    // The page may have changed meanwhile: each link is judged by what it leads to now.
    for (const link of links) queue.addLink(link)
    queue.flush()
  }

  const queue = createMutationQueue({
    linksIn(root) {
      if (!root.isConnected) return []
      const badged = states.badgedLinks(root)
      if (kind === null) return badged
      const links = [...root.querySelectorAll(kind.selector)]
      return [...(root === document.documentElement ? inViewFirst(links) : links), ...badged]
    },
    processLink,
    onChunk(isEmpty) {
      // Forces a layout, once in this task and before the page is painted.
      queueMicrotask(badges.hideOverflowing)
      if (!isEmpty || isLookingUp) return
      if (unanswered.length > 0) void lookUp()
      else onMarked()
    },
  })

  const observer = new MutationObserver((records) => {
    for (const { target, addedNodes, removedNodes } of records) {
      // The address of a link changed, or its text: one that had no name may have one now.
      const around = (target as Element).closest('a')
      if (around) queue.addLink(around)
      for (const node of removedNodes) {
        const link = states.linkOf(node) ?? node
        // A link without its badge, or a badge without its link.
        if (link instanceof HTMLAnchorElement) queue.addLink(link)
      }
      for (const node of addedNodes) {
        if (!(node instanceof Element) || states.isInPlace(node)) continue
        // An added link can change which of its neighbours the selector matches.
        queue.addRoot(node instanceof HTMLAnchorElement ? (node.parentElement ?? node) : node)
      }
    }
  })

  addEventListener('beforeprint', queue.finish)

  const processPage = () => {
    if (kind === null) return
    queue.addRoot(document.documentElement)
    queue.flush()
  }

  const stop = () => {
    observer.disconnect()
    queue.clear()
    unanswered = []
    kind = null
  }

  return {
    start(newKind) {
      const url = new URL(document.URL)
      const newPath = url.pathname.split('/', 3).join('/')
      parseLink = createLinkParser(newKind.linkStyle, url)
      // The observer sees whatever this page becomes. Links that stay may stand for something else in another repository.
      if (newKind === kind && newPath === repositoryPath) return
      stop()
      kind = newKind
      repositoryPath = newPath
      observer.observe(document.documentElement, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeFilter: ['href'],
      })
      processPage()
    },
    stop,
    unmark() {
      stop()
      for (const badge of document.querySelectorAll(`[${BADGE_ATTRIBUTE}]`)) badge.remove()
    },
    requery() {
      answers = new Map()
      processPage()
    },
    rerender() {
      answers = new Map()
      edition++
      processPage()
    },
    removeBadges({ key }) {
      answers.set(key, null)
      for (const badge of document.querySelectorAll(`[${BADGE_ATTRIBUTE}]`)) {
        const link = states.linkOf(badge)
        if (link && states.of(link)?.target.key === key) processLink(link)
      }
    },
    targetOf: (link) => states.of(link)?.target,
    isPlugin: (link) => Boolean(states.of(link)?.data),
  }
}

/** A page with fewer links is marked as a whole before it is drawn. */
const FEW_LINKS = 100

/** What a person sees is marked before the rest of a long page. */
function inViewFirst(links: Element[]): Element[] {
  if (links.length <= FEW_LINKS) return links
  const isInView = (link: Element) => {
    const { top, bottom } = link.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  }
  return [...new Set([...links.filter(isInView), ...links])]
}
