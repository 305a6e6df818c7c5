/** Which script runs in the page: the built one, the naive one, or none, to know what the page costs by itself. */
export type Way = 'plugmark' | 'naive' | 'none'

/** How batches of cards come. */
export interface Rhythm {
  readonly everyMs: number
  /** Something else on the page changes this often. */
  readonly tickerMs?: number
}

export interface Started {
  readonly ms: number
  readonly naiveIndexMs: number
}

/** What the benchmark calls in its pages. Times in ms. */
export interface Recorder {
  /** Starts a script; how long from its first line until that many badges were there, or the naive one had its index. */
  start(way: Way, badges: number): Promise<Started>
  /** Keeps cards ready for `append`. */
  prepare(batches: readonly string[]): void
  /** Appends the batches one by one; how long until each had that many badges, nothing without a script. */
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
  let awaited = { badges: Number.POSITIVE_INFINITY, reached: (_at: number) => {} }
  const batchOf = new WeakMap<Element, { left: number; since: number; reached: (ms: number) => void }>()
  let batches: Element[][] = []

  const isBadge = (node: Node): node is Element => node instanceof Element && node.hasAttribute('data-plugmark-badge')

  const count = (badge: Element) => {
    badges++
    const card = badge.closest('article')
    const batch = card === null ? undefined : batchOf.get(card)
    if (batch && --batch.left === 0) batch.reached(performance.now() - batch.since)
    if (badges === awaited.badges) awaited.reached(performance.now())
  }

  // Mutations are told at the end of the very task or microtask that made them.
  new MutationObserver((records) => {
    for (const { addedNodes, removedNodes } of records) {
      for (const node of removedNodes) if (isBadge(node)) badges--
      for (const node of addedNodes) if (isBadge(node)) count(node)
    }
  }).observe(document, { subtree: true, childList: true })

  const open = IDBFactory.prototype.open
  IDBFactory.prototype.open = function (...names) {
    const request = open.apply(this, names)
    request.addEventListener('success', () => performance.mark('bench:storage-open'), { once: true })
    return request
  }

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  const recorder: Recorder = {
    async start(way, wanted) {
      if (way === 'none') performance.mark('bench:start')
      const reached = new Promise<number>((resolve) => {
        awaited = { badges: wanted, reached: resolve }
      })
      if (way !== 'none') scripts[way]!()
      const [{ startTime: start }] = performance.getEntriesByName('bench:start') as [PerformanceEntry]
      const ms = way === 'none' || wanted === 0 ? 0 : (await reached) - start
      await pause(restMs)
      if (way !== 'none' && badges !== wanted) throw new Error(`${badges} badges instead of ${wanted}`)
      const [read] = performance.getEntriesByName('naive:index')
      return { ms, naiveIndexMs: (read?.startTime ?? start) - start }
    },

    prepare(markups) {
      batches = markups.map((markup) => [
        ...new DOMParser().parseFromString(markup, 'text/html').querySelectorAll('article'),
      ])
      for (const card of batches.flat()) document.adoptNode(card)
    },

    async append(way, badgesABatch, { everyMs, tickerMs }) {
      const list = document.querySelector('article')!.parentElement!
      const clock = document.body.appendChild(document.createElement('i'))
      const ticker = tickerMs && setInterval(() => clock.replaceChildren(String(performance.now())), tickerMs)
      const took: Promise<number>[] = []
      performance.mark('bench:append')
      for (const cards of batches) {
        took.push(
          new Promise((reached) => {
            const batch = { left: badgesABatch, since: performance.now(), reached }
            for (const card of cards) batchOf.set(card, batch)
            list.append(...cards)
          }),
        )
        await pause(everyMs)
      }
      clearInterval(ticker)
      if (way === 'none') {
        await pause(restMs)
        return []
      }
      return Promise.all(took)
    },
  }
  Object.assign(globalThis, { [name]: recorder })
}
