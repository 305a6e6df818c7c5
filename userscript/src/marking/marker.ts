import type { PageKind } from '../pages/kind.ts'
import { type Batch, collectChanges } from './changes.ts'
import { BADGE_ATTRIBUTE, createMarks } from './marks.ts'
import { repositoryOfTarget, type Target, targetOf } from './target.ts'

/** Answers kept for one page; a page that shows more repositories asks again. */
const ANSWERS_KEPT = 5000

export interface MarkerOptions<T> {
  /** What is known of each target; those that get no badge are absent. */
  readonly lookUp: (targets: readonly Target[]) => Promise<ReadonlyMap<Target, T>>
  /** @param repository folded `owner/repo` */
  readonly createBadge: (repository: string, known: T) => HTMLElement
}

export interface Marker {
  /** Marks the links of a page of this kind, now and as the page changes. */
  start(kind: PageKind): void
  /** Stops looking; badges stay where they are. */
  stop(): void
  /** Asks about every link again; only badges that stand for something else by now are made anew. */
  askAgain(): void
  /** Makes every badge anew, each when its answer is there. */
  refresh(): void
}

/**
 * Keeps one badge after every link that names a known repository.
 *
 * A mark belongs to a link and the `href` it had: rows that are re-used, cloned, moved, sorted or re-rendered keep the
 * right badge. After the first look over the page, only added nodes and changed addresses are looked at.
 */
export function createMarker<T extends object>({ lookUp, createBadge }: MarkerOptions<T>): Marker {
  const marks = createMarks()
  /** null: asked, and no plugin. */
  let answers = new Map<Target, T | null>()
  /** Answers given before the last `askAgain`. */
  let earlier: ReadonlyMap<Target, T | null> = new Map()
  let kind: PageKind | null = null

  const targetNow = (link: Element) =>
    kind !== null && link instanceof HTMLAnchorElement && link.isConnected && link.matches(kind.selector)
      ? targetOf(link, kind.reads, location)
      : null

  const show = (link: Element, target: Target | null) => {
    const known = target === null ? null : (answers.get(target) ?? null)
    if (target === null || known === null) return marks.remove(link)
    if (marks.has(link, target, known)) return marks.repair(link)
    const repository = repositoryOfTarget(target)
    marks.put(link, { target, repository, known, badge: createBadge(repository, known) })
  }

  const settle = async (links: Iterable<Element>) => {
    const asked = new Map<Element, Target>()
    for (const link of links) {
      const target = targetNow(link)
      if (target !== null && !answers.has(target)) asked.set(link, target)
      else show(link, target)
    }
    if (asked.size === 0) return
    const asking = answers
    const found = await lookUp([...new Set(asked.values())])
    for (const target of asked.values()) {
      const answer = found.get(target) ?? null
      const before = earlier.get(target)
      asking.set(target, before && isSame(before, answer) ? before : answer)
    }
    for (const [link, target] of asked) {
      // The page may have changed meanwhile: a link that leads elsewhere now is asked about anew.
      if (targetNow(link) === target && answers.has(target)) show(link, target)
      else changes.addLink(link)
    }
  }

  const work = ({ roots, links }: Batch) => {
    const found = new Set(links)
    for (const root of roots) {
      if (!root.isConnected) continue
      marks.removeCopies(root)
      if (kind === null) continue
      for (const link of root.querySelectorAll(kind.selector)) found.add(link)
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
    kind = null
  }

  return {
    start(newKind) {
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
    askAgain() {
      earlier = answers
      answers = new Map()
      if (kind !== null) lookOver()
    },
    refresh() {
      earlier = new Map()
      answers = new Map()
      if (kind !== null) lookOver()
    },
  }
}

/** Answers are plain data from the catalogue. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
