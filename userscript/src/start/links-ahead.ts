import { after, onEnd } from '../base/lifetime.ts'

/** Badges are inserted this many screens before they come into view. */
const SCREENS_AHEAD = 2

/** The elements that come into view as a whole: paragraphs, rows, headings. */
const BLOCKS = 'p, li, dd, dt, td, th, h1, h2, h3, h4, h5, h6, article'

/** Time until links that left the page are released. ms */
const RELEASE_MS = 1000

/** Links whose badges are inserted when their block comes near the window. */
export class LinksAhead {
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
