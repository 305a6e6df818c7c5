/** The built script, the naive one, or none, to know what the page takes by itself. */
export type Script = 'plugmark' | 'naive' | 'none'

/** The half of the benchmark that runs in the page, as `window.bench`. */
interface Recorder {
  /** Starts a script. Resolves some time after its last badge. @returns the time until the last badge in view, ms */
  start(script: Script): Promise<number>
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
  let onBadge = (): void => {}
  let lastBadgeAt = 0

  const isMarked = (link: Element) => link.parentElement!.querySelector('[data-plugmark-badge]') !== null
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
      onBadge = () => links.every(isMarked) && resolve(performance.now())
      onBadge()
      setTimeout(() => reject(new Error('Links in view have no badge.')), timeoutMs)
    })

  new MutationObserver((records) => {
    const isBadge = (node: Node) => node instanceof Element && node.hasAttribute('data-plugmark-badge')
    if (!records.some(({ addedNodes }) => [...addedNodes].some(isBadge))) return
    lastBadgeAt = performance.now()
    onBadge()
  }).observe(document, { subtree: true, childList: true })

  window.bench = {
    async start(script) {
      const links = [...document.querySelectorAll<HTMLAnchorElement>(linkSelector)].filter(
        (link) => script !== 'none' && isInView(link) && !link.href.toLowerCase().includes(`/${otherOwner}/`),
      )
      const marked = whenMarked(links)
      run(script)
      const [{ startTime }] = performance.getEntriesByName(startMark) as [PerformanceEntry]
      const markedAt = await marked
      do await pause(quietMs)
      while (performance.now() - lastBadgeAt < quietMs)
      return markedAt - startTime
    },
  }
}
