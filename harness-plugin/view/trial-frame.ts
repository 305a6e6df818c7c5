import type { Job, Overview, StoreBridge } from '../protocol/index.ts'

/**
 * Returns the address of a trial's page for a frame of this page. The harness under trial authenticates a page by a
 * cookie, which a browser sends from a frame only when both have the same host name.
 *
 * @param url as the host sends it, on 127.0.0.1
 * @param page address of the page that shows the frame
 * @returns null when no frame would be authenticated: the page has another machine's name, uses https, or is of a
 *   desktop application
 */
export function trialFrameUrl(url: string, page: Pick<Location, 'protocol' | 'hostname'>): string | null {
  if (page.protocol !== 'http:' || !['127.0.0.1', 'localhost'].includes(page.hostname)) return null
  const address = new URL(url)
  address.hostname = page.hostname
  return address.href
}

export interface TrialFrames {
  /** @returns a bridge that replaces this one, whose overview also reports trials that began before this page */
  follow(bridge: StoreBridge): StoreBridge
  clear(): void
}

/**
 * Keeps hidden frames on this page, one for each harness that runs from a copy, whether the store is shown or not: an
 * agent installs too. The page in a frame reports to the host whether the harness's own page loads. It may run scripts
 * and use its origin, but can neither take the focus nor navigate the page around it.
 */
export function createTrialFrames(): TrialFrames {
  const frames = new Map<string, HTMLIFrameElement>()
  function update({ id, trial }: Pick<Job, 'id' | 'trial'>): void {
    const src = trial && trialFrameUrl(trial.url, location)
    const shown = frames.get(id)
    if (src === (shown?.src ?? null)) return
    shown?.remove()
    frames.delete(id)
    if (src === null) return
    const frame = Object.assign(document.createElement('iframe'), {
      src,
      referrerPolicy: 'no-referrer',
      inert: true,
      tabIndex: -1,
      ariaHidden: 'true',
    })
    frame.sandbox.value = 'allow-scripts allow-same-origin'
    frame.style.cssText = 'position: fixed; inset-inline-start: -9999px; width: 1280px; height: 800px; border: 0'
    frames.set(id, frame)
    keepFocus(frame)
    document.body.append(frame)
  }
  return {
    follow(bridge) {
      bridge.subscribe((event) => event.type === 'job' && update(event.job))
      return {
        ...bridge,
        async call(name, input) {
          const answer = await bridge.call(name, input)
          if (name === 'overview' && answer.ok) for (const job of (answer.value as Overview).jobs) update(job)
          return answer
        },
      }
    },
    clear() {
      for (const frame of frames.values()) frame.remove()
      frames.clear()
    },
  }
}

/** Gives the focus back: a page that focuses itself takes it in an inert frame too (Chromium 156), and what is typed. */
function keepFocus(frame: HTMLIFrameElement): void {
  let lost: EventTarget | undefined
  const removed = new AbortController()
  const { signal } = removed
  document.addEventListener(
    'focusout',
    (event) => {
      lost = event.composedPath()[0]
    },
    { signal },
  )
  window.addEventListener(
    'blur',
    () => {
      if (!frame.isConnected) removed.abort()
      else if (document.activeElement === frame && lost instanceof HTMLElement) lost.focus({ preventScroll: true })
    },
    { signal },
  )
}
