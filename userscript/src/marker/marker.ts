import type { PageKind } from '../github/page-kinds.ts'
import { createTargets, type Target } from '../github/target.ts'
import { collectWaiting, type Waiting } from './lazy-badges.ts'
import { BADGE_ATTRIBUTE, createMarks } from './link-state.ts'
import { collectChanges } from './mutation-queue.ts'

/** Answers kept for one page; a page that shows more repositories asks again. */
const ANSWERS_KEPT = 5000

/** Links on a page, or added to it at once, that are many. A page of a list has fewer. */
const MANY = 100

/** Repositories looked up at once: what the database sends at once holds the page up as one. */
const TARGETS_AT_ONCE = 40

export interface MarkerOptions<T> {
  /** What is known of a target at once: null when it gets no badge, undefined when it must be looked up. */
  readonly glance: (target: Target) => T | null | undefined
  /** What is known of each target; those that get no badge are absent. */
  readonly lookUp: (targets: readonly Target[]) => Promise<ReadonlyMap<Target, T>>
  readonly createBadge: (target: Target, known: T, link: HTMLAnchorElement) => HTMLElement
  /** Called when there may be new badges, before they are drawn. */
  readonly onMarked: () => void
  /** Called when it is known of all links which of them are plugins, though some wait for their badge. */
  readonly onKnown: () => void
}

export interface Marker {
  /** Marks the links of a page of this kind, now and as the page changes. */
  start(kind: PageKind): void
  /** Stops looking; badges stay where they are. */
  stop(): void
  /** Stops, and takes all badges away. */
  unmark(): void
  /** Asks about every link again; only badges that stand for something else by now are made anew. */
  askAgain(): void
  /** Makes every badge anew, each when its answer is there. */
  refresh(): void
  /** Takes the badge from a target, until the next asking. */
  deny(target: Target): void
  /** What a link was found to lead to; undefined for one that leads nowhere, or was not looked at. */
  targetOf(link: Element): Target | undefined
  /** Whether a link has a badge, or gets one when it comes near. */
  isPlugin(link: Element): boolean
  /** Puts the badge of such a link on the page now. */
  mark(link: Element): void
}

/**
 * Keeps one badge after every link that names a known repository.
 *
 * A mark belongs to a link and the `href` it had: rows that are re-used, cloned, moved, sorted or re-rendered keep the
 * right badge. After the first look over the page, only added nodes and changed addresses are looked at.
 *
 * @typeParam T what a badge is made from; two that are equal by `===` make the same badge
 */
export function createMarker<T>({ glance, lookUp, createBadge, onMarked, onKnown }: MarkerOptions<T>): Marker {
  const marks = createMarks<T>()
  /** What was looked up. null: no plugin. */
  let answers = new Map<Target, T | null>()
  /** What waits for a look-up, with the links that led to it. */
  const asked = new Map<Target, Element[]>()
  /** Whether some are being looked up; what comes meanwhile waits until they are marked. */
  let isAsked = false
  /** Whether the page has so many links that those nobody sees wait. */
  let isLong = false
  let waiting: Waiting | undefined
  /** Raised when badges are to be made anew. */
  let edition = 0
  let kind: PageKind | null = null
  let read: (link: HTMLAnchorElement) => Target | null = () => null

  const targetNow = (link: Element) =>
    kind !== null && link instanceof HTMLAnchorElement && link.isConnected && link.matches(kind.selector)
      ? read(link)
      : null

  const settle = (link: Element, mayWait = isLong) => {
    const target = targetNow(link)
    if (target === null) return marks.forget(link)
    const known = answers.has(target) ? answers.get(target) : glance(target)
    let mark = marks.of(link)
    // A badge for what it led to before does not stay while this is looked up, nor one for what is not listed any more.
    if (mark?.target !== target || known === null) mark = marks.begin(link, target)
    if (known === undefined) asked.get(target)?.push(link) ?? asked.set(target, [link])
    else if (known !== null) {
      const isSame = mark.badge && mark.known === known && mark.edition === edition
      mark.known = known
      if (mayWait && !mark.badge) return later().add(link)
      if (!isSame) {
        // First, for when the next is made it is asked what else is on the line.
        mark.badge?.remove()
        mark.badge = createBadge(target, known, link as HTMLAnchorElement)
        mark.edition = edition
      }
      marks.place(link, mark)
    }
  }

  const mark = (link: Element) => settle(link, false)
  const later = () => {
    waiting ??= collectWaiting(mark)
    return waiting
  }

  /** Some of them at a time, and what is found of them is marked before the next are asked for. */
  const ask = async () => {
    isAsked = true
    const some = [...asked].slice(0, TARGETS_AT_ONCE)
    for (const [target] of some) asked.delete(target)
    if (answers.size > ANSWERS_KEPT) answers = new Map()
    const into = answers
    const found = await lookUp(some.map(([target]) => target))
    for (const [target] of some) into.set(target, found.get(target) ?? null)
    isAsked = false
    // The page may have changed meanwhile: each link is judged by what it leads to now.
    changes.workOn({ links: some.flatMap(([, links]) => links) })
  }

  const changes = collectChanges({
    linksOf(root) {
      if (!root.isConnected) return []
      const marked = marks.linksIn(root)
      if (kind === null) return []
      const links = root.querySelectorAll(kind.selector)
      isLong ||= links.length > MANY
      return [...links, ...marked]
    },
    each: (link) => settle(link),
    done() {
      if (isAsked) return
      if (asked.size === 0) return onKnown()
      ask().catch(() => {
        // The catalogue could not be read: these links stay as they are until the next refresh.
        isAsked = false
        asked.clear()
      })
    },
    paused() {
      waiting?.markSome()
      onMarked()
    },
  })

  const observer = new MutationObserver((records) => {
    for (const { target, addedNodes, removedNodes } of records) {
      // Its address, or what is in it: one that had no name may have one now.
      const around = (target as Element).closest('a')
      if (around) changes.addLink(around)
      for (const node of removedNodes) {
        const link = marks.linkOf(node) ?? node
        // A link without its badge, or a badge without its link.
        if (link instanceof HTMLAnchorElement) changes.addLink(link)
      }
      for (const node of addedNodes) {
        if (!(node instanceof Element) || marks.isInPlace(node)) continue
        // An added link can change which of its neighbours the selector means.
        changes.addRoot(node instanceof HTMLAnchorElement ? (node.parentElement ?? node) : node)
      }
    }
  })

  addEventListener('beforeprint', () => {
    changes.finish()
    waiting?.markAll()
  })

  const lookOver = () => {
    if (kind === null) return
    waiting?.clear()
    changes.workOn({ roots: [document.documentElement] })
  }

  const stop = () => {
    observer.disconnect()
    changes.clear()
    waiting?.clear()
    isLong = false
    asked.clear()
    kind = null
  }

  return {
    start(newKind) {
      read = createTargets(newKind.linkStyle, new URL(document.URL))
      // While it looks, whatever the page becomes is seen anyway.
      if (newKind === kind) return
      stop()
      kind = newKind
      observer.observe(document.documentElement, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeFilter: ['href'],
      })
      lookOver()
    },
    stop,
    unmark() {
      stop()
      for (const badge of document.querySelectorAll(`[${BADGE_ATTRIBUTE}]`)) badge.remove()
    },
    askAgain() {
      answers = new Map()
      lookOver()
    },
    refresh() {
      edition++
      answers = new Map()
      lookOver()
    },
    deny(target) {
      answers.set(target, null)
      for (const badge of document.querySelectorAll(`[${BADGE_ATTRIBUTE}]`)) {
        const link = marks.linkOf(badge)
        if (link && marks.of(link)?.target === target) settle(link)
      }
    },
    targetOf: (link) => marks.of(link)?.target,
    isPlugin: (link) => marks.of(link)?.known != null,
    mark,
  }
}
