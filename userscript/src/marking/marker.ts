import { type Batch, collectChanges } from './changes.ts'
import { BADGE_ATTRIBUTE, createMarks } from './marks.ts'

/** Answers kept for one page; a page that shows more repositories asks again. */
const ANSWERS_KEPT = 5000

export interface MarkerOptions<T> {
  /** Folded `owner/repo` a link leads to, or null. */
  readonly keyOf: (link: HTMLAnchorElement) => string | null
  /** What is known of each repository; those that get no badge are absent. */
  readonly lookUp: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>
  readonly createBadge: (key: string, known: T) => HTMLElement
}

export interface Marker {
  /** Marks the links `selector` matches, now and as the page changes. */
  start(selector: string): void
  /** Stops looking; badges stay where they are. */
  stop(): void
  /** Forgets what was known and makes every badge anew, each when its answer is there. */
  refresh(): void
}

/**
 * Keeps one badge after every link that names a known repository.
 *
 * A mark belongs to a link and the `href` it had: rows that are re-used, cloned, moved, sorted or re-rendered keep the
 * right badge. After the first look over the page, only added nodes and changed addresses are looked at.
 */
export function createMarker<T extends object>({ keyOf, lookUp, createBadge }: MarkerOptions<T>): Marker {
  const marks = createMarks()
  /** null: asked, and no plugin. */
  let answers = new Map<string, T | null>()
  let selector: string | null = null

  const keyNow = (link: Element) =>
    selector !== null && link instanceof HTMLAnchorElement && link.isConnected && link.matches(selector)
      ? keyOf(link)
      : null

  const show = (link: Element, key: string | null) => {
    const known = key === null ? null : (answers.get(key) ?? null)
    if (key === null || known === null) marks.remove(link)
    else if (marks.has(link, key, known)) marks.repair(link)
    else marks.put(link, { key, known, badge: createBadge(key, known) })
  }

  const settle = async (links: Iterable<Element>) => {
    const asked = new Map<Element, string>()
    for (const link of links) {
      const key = keyNow(link)
      if (key !== null && !answers.has(key)) asked.set(link, key)
      else show(link, key)
    }
    if (asked.size === 0) return
    const asking = answers
    const found = await lookUp([...new Set(asked.values())])
    for (const key of asked.values()) asking.set(key, found.get(key) ?? null)
    for (const [link, key] of asked) {
      // The page may have changed meanwhile: a link that leads elsewhere now is asked about anew.
      if (keyNow(link) === key && answers.has(key)) show(link, key)
      else changes.addLink(link)
    }
  }

  const work = ({ roots, links }: Batch) => {
    const found = new Set(links)
    for (const root of roots) {
      if (!root.isConnected) continue
      marks.removeCopies(root)
      if (selector === null) continue
      for (const link of root.querySelectorAll(selector)) found.add(link)
    }
    if (answers.size > ANSWERS_KEPT) answers = new Map()
    settle(found).catch(() => {
      // The catalogue could not be read: these links stay as they are until the next refresh.
    })
  }

  const changes = collectChanges(work)

  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes, removedNodes } of records) {
      if (type === 'attributes') changes.addLink(target as Element)
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

  const lookOver = () => {
    changes.addRoot(document.documentElement)
    for (const badge of document.querySelectorAll(`[${BADGE_ATTRIBUTE}]`)) {
      const link = marks.linkOf(badge)
      if (link) changes.addLink(link)
    }
  }

  const stop = () => {
    observer.disconnect()
    changes.clear()
    selector = null
  }

  return {
    start(newSelector) {
      // While it looks, whatever the page becomes is seen anyway.
      if (newSelector === selector) return
      stop()
      selector = newSelector
      observer.observe(document.documentElement, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeFilter: ['href'],
      })
      lookOver()
    },
    stop,
    refresh() {
      answers = new Map()
      if (selector !== null) lookOver()
    },
  }
}
