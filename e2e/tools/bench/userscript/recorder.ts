/** The built script, the naive one, or none, to know what the page takes by itself. */
export type Script = 'plugmark' | 'naive' | 'none'

/** The half of the benchmark that runs in the page, as `window.bench`. */
export interface Recorder {
  /**
   * Starts a script. Resolves some time after its last badge.
   *
   * @returns the times until the last badge in view, and until the last one that the script draws by itself, ms
   */
  start(script: Script): Promise<{ readonly inViewMs: number; readonly lastMs: number }>
  /** Appends the cards of each page, a batch every `everyMs`. Returns, for each, the time until its badges were painted. */
  append(pages: readonly string[], everyMs: number): Promise<number[]>
}

declare global {
  interface Window {
    bench: Recorder
  }
}

/** The mark at which measuring begins. */
export const START_MARK = 'bench:start'

/**
 * Source of a script that sets the recorder up before anything else on the page runs.
 *
 * @param sources of the scripts
 * @param otherOwner owner of the repositories that are not plugins
 */
export function recorderSource(sources: Record<Exclude<Script, 'none'>, string>, otherOwner: string): string {
  const scripts = JSON.stringify({ ...sources, none: '' })
  return `(${install})(${scripts}, '${START_MARK}', ${JSON.stringify(otherOwner)});`
}

/** Runs in the page, on its own: it must not use anything from outside its body. */
function install(scripts: Readonly<Record<Script, string>>, startMark: string, otherOwner: string): void {
  const quietMs = 500
  const timeoutMs = 30_000
  const linkSelector = 'article h3 a:nth-of-type(2), .markdown-body li > a'
  const waiting = new Set<{ links: Element[]; resolve: (at: number) => void }>()
  let lastBadgeAt = 0

  const badgeOf = (link: Element) => link.parentElement!.querySelector('[data-plugmark-badge]')
  const pluginLinks = (root: ParentNode) =>
    [...root.querySelectorAll<HTMLAnchorElement>(linkSelector)].filter(
      (link) => !link.href.toLowerCase().includes(`/${otherOwner}/`),
    )
  const isInView = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  }
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  /** Compiles and runs a script as a manager does. The comment keeps the browser from reusing what it compiled before. */
  const run = (script: Script) => {
    const node = document.createElement('script')
    node.textContent = `${scripts[script]}\n// ${crypto.randomUUID()}`
    performance.mark(startMark)
    document.head.append(node)
    node.remove()
  }

  /** Resolves with the time at which the last of the links had its badge, rejects after `timeoutMs`. */
  const whenMarked = (links: readonly Element[]) =>
    new Promise<number>((resolve, reject) => {
      if (links.length === 0) return resolve(performance.now())
      const entry = { links: [...links], resolve }
      waiting.add(entry)
      setTimeout(() => {
        if (waiting.delete(entry)) reject(new Error(`${entry.links.length} of ${links.length} links have no badge.`))
      }, timeoutMs)
    })

  /** Resolves with the time of the frame that shows the element: its intersection is computed as part of it. */
  const whenPainted = (element: Element) =>
    new Promise<number>((resolve) =>
      new IntersectionObserver((_, observer) => {
        observer.disconnect()
        resolve(performance.now())
      }).observe(element),
    )

  new MutationObserver((records) => {
    const isBadge = (node: Node) => node instanceof Element && node.hasAttribute('data-plugmark-badge')
    if (records.some(({ addedNodes }) => [...addedNodes].some(isBadge))) lastBadgeAt = performance.now()
    for (const entry of waiting) {
      while (entry.links.length > 0 && badgeOf(entry.links.at(-1)!)) entry.links.pop()
      if (entry.links.length > 0) continue
      waiting.delete(entry)
      entry.resolve(performance.now())
    }
  }).observe(document, { subtree: true, childList: true })

  window.bench = {
    async start(script) {
      const links = script === 'none' ? [] : pluginLinks(document).filter(isInView)
      const marked = whenMarked(links)
      run(script)
      const [{ startTime }] = performance.getEntriesByName(startMark) as [PerformanceEntry]
      const inView = script === 'none' ? startTime : await marked
      do await pause(quietMs)
      while (performance.now() - lastBadgeAt < quietMs)
      return { inViewMs: inView - startTime, lastMs: lastBadgeAt - startTime }
    },

    async append(pages, everyMs) {
      const batches = pages.map((markup) => {
        const { body } = new DOMParser().parseFromString(markup, 'text/html')
        return [...body.querySelectorAll('article')].map((card) => document.adoptNode(card))
      })
      const list = document.querySelector('article')!.parentElement!
      const painted: Promise<number>[] = []
      for (const cards of batches) {
        const since = performance.now()
        list.append(...cards)
        const links = cards.flatMap(pluginLinks)
        const last = links.at(-1)!
        painted.push(
          whenMarked(links)
            .then(() => whenPainted(badgeOf(last)!))
            .then((at) => at - since),
        )
        await pause(everyMs)
      }
      return Promise.all(painted)
    },
  }
}
