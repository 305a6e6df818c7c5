/** Which script runs in the page: the built one, the naive one, or none, to know what the page costs by itself. */
export type Way = 'plugmark' | 'naive' | 'none'

/** How batches of cards come. */
export interface Rhythm {
  readonly everyMs: number
  /** Something else on the page changes so many times between one batch and the next, evenly. */
  readonly ticks?: number
}

export interface Started {
  readonly ms: number
  /** What the browser took before its first line, to compile it. */
  readonly compileMs: number
  readonly naiveIndexMs: number
}

/** Badges a page is to have. */
export interface Wanted {
  readonly badges: number
  /** Whether a script may put off those that nobody can see; then it is waited for those in view. */
  readonly isLong: boolean
}

/** What the benchmark calls in its pages. Times in ms. */
export interface Recorder {
  /** Starts a script; how long from its first line until the badges were there, or the naive one had its index. */
  start(way: Way, wanted: Wanted): Promise<Started>
  /**
   * Goes through the page, a screen at a time, with a rest on each; how long after each scroll until all in view had
   * their badges. In the end all of the page must have one. Without a script, one word is put behind a link of each
   * screen: the least that any could do.
   */
  scrollThrough(way: Way, badges: number): Promise<number[]>
  /** Keeps cards ready for `append`. */
  prepare(batches: readonly string[]): void
  /**
   * Appends the batches one by one; how long until each had that many badges, nothing without a script. Each batch and
   * each change of something else begins a part.
   */
  append(way: Way, badgesABatch: number, rhythm: Rhythm): Promise<number[]>
}

export const RECORDER = '__recorder'

/**
 * Source of a script that sets the recorder up before anything else of the page runs.
 *
 * @param scripts what `start` can start, as the bodies of functions
 */
export function recorderSource(scripts: Readonly<Record<Exclude<Way, 'none'>, string>>): string {
  // A browser compiles a function when it is first called; the time runs from its first line.
  const functions = Object.entries(scripts).map(
    ([way, source]) => `${way}() {performance.mark('bench:start');${source}}`,
  )
  return `(${install})(${JSON.stringify(RECORDER)}, {${functions}});`
}

/** Runs in the page, on its own: it must not use anything from outside its body. */
function install(name: string, scripts: Record<string, () => void>): void {
  const restMs = 300
  let badges = 0
  let awaited = { isReached: () => false, reached: (_at: number) => {} }
  const batchOf = new WeakMap<Element, { left: number; since: number; reached: (ms: number) => void }>()
  let batches: Element[][] = []

  const isBadge = (node: Node): node is Element => node instanceof Element && node.hasAttribute('data-plugmark-badge')

  const count = (badge: Element) => {
    badges++
    const card = badge.closest('article')
    const batch = card === null ? undefined : batchOf.get(card)
    if (batch && --batch.left === 0) batch.reached(performance.now() - batch.since)
  }

  // Mutations are told at the end of the very task or microtask that made them.
  new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) {
      for (const node of removedNodes) if (isBadge(node)) badges--
      for (const node of addedNodes) if (isBadge(node)) count(node)
    }
    if (awaited.isReached()) awaited.reached(performance.now())
  }).observe(document, { subtree: true, childList: true })

  const open = IDBFactory.prototype.open
  IDBFactory.prototype.open = function (...names) {
    const request = open.apply(this, names)
    request.addEventListener('success', () => performance.mark('bench:storage-open'), { once: true })
    return request
  }

  const isBare = (link: Element) => !link.nextElementSibling || !isBadge(link.nextElementSibling)
  let rows: Element[] = []
  let above = 0
  /**
   * Links in view that name a plugin and have no badge: of three rows, the third is none. They stand one below the other,
   * and the page is only scrolled down: what is measured should not wait for what is asked.
   */
  const bareInView = () => {
    if (rows.length === 0) rows = [...document.querySelectorAll('article h3 a:nth-of-type(2), .markdown-body li > a')]
    const box = (row: number) => rows[row]?.getBoundingClientRect() ?? new DOMRect(0, innerHeight)
    while (box(above).bottom <= 0) above++
    const found: Element[] = []
    for (let row = above; box(row).top < innerHeight; row++) {
      if (row % 3 !== 2 && isBare(rows[row]!)) found.push(rows[row]!)
    }
    return found
  }

  /** Resolves with the moment when none of them is bare any more. */
  const allMarked = (links: readonly Element[]) =>
    new Promise<number>((reached) => {
      const left = new Set(links)
      const isReached = () => {
        for (const link of left) {
          if (isBare(link)) return false
          left.delete(link)
        }
        return true
      }
      awaited = { isReached, reached }
      if (isReached()) reached(performance.now())
    })

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  const recorder: Recorder = {
    async start(way, wanted) {
      if (way === 'none') performance.mark('bench:start')
      const reached = wanted.isLong
        ? allMarked(bareInView())
        : new Promise<number>((resolve) => {
            awaited = { isReached: () => badges === wanted.badges, reached: resolve }
          })
      const called = performance.now()
      if (way !== 'none') scripts[way]!()
      const [{ startTime: start }] = performance.getEntriesByName('bench:start') as [PerformanceEntry]
      const ms = way === 'none' || wanted.badges === 0 ? 0 : (await reached) - start
      await pause(restMs)
      const isRight = wanted.isLong ? badges <= wanted.badges : badges === wanted.badges
      if (way !== 'none' && !isRight) throw new Error(`${badges} badges instead of ${wanted.badges}`)
      const [read] = performance.getEntriesByName('naive:index')
      return { ms, compileMs: Math.max(0, start - called), naiveIndexMs: (read?.startTime ?? start) - start }
    },

    async scrollThrough(way, wanted) {
      const took: number[] = []
      for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight * 0.9) {
        performance.mark('bench:screen')
        const since = performance.now()
        scrollTo(0, top)
        const inView = bareInView()
        if (way === 'none') inView[0]?.after(' word')
        else took.push(inView.length === 0 ? 0 : (await allMarked(inView)) - since)
        await pause(restMs)
      }
      if (way !== 'none' && badges !== wanted) throw new Error(`${badges} badges instead of ${wanted} after scrolling`)
      return took
    },

    prepare(markups) {
      batches = markups.map((markup) => [
        ...new DOMParser().parseFromString(markup, 'text/html').querySelectorAll('article'),
      ])
      for (const card of batches.flat()) document.adoptNode(card)
    },

    async append(way, badgesABatch, { everyMs, ticks = 0 }) {
      const list = document.querySelector('article')!.parentElement!
      const clock = document.body.appendChild(document.createElement('i'))
      const took: Promise<number>[] = []
      const until = (moment: number) => pause(moment - performance.now())
      let due = performance.now()
      for (const cards of batches) {
        performance.mark('bench:part')
        took.push(
          new Promise((reached) => {
            const batch = { left: badgesABatch, since: performance.now(), reached }
            for (const card of cards) batchOf.set(card, batch)
            list.append(...cards)
          }),
        )
        for (let tick = 0.5; tick < ticks; tick++) {
          await until(due + (tick / ticks) * everyMs)
          performance.mark('bench:part')
          clock.replaceChildren(String(performance.now()))
        }
        due = Math.max(due + everyMs, performance.now())
        await until(due)
      }
      const ms = way === 'none' ? [] : await Promise.all(took)
      await pause(restMs)
      return ms
    },
  }
  Object.assign(globalThis, { [name]: recorder })
}
