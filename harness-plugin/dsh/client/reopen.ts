/** Key in the page for the parts that were open when the page part was unloaded. */
const OPEN = Symbol.for('plugmark.open')

/**
 * Time limit for a reload of the page part after which those parts are not reopened, in ms. A harness that watches its
 * plugins' files (0.2.1) takes 0.1 s.
 */
const RELOAD_MS = 5000

interface OpenParts {
  readonly dialog: { readonly isOpen: boolean; readonly address: string }
  readonly tab: { readonly isShown: boolean; readonly address: string }
}

interface Scope {
  [OPEN]?: { readonly parts: OpenParts; readonly at: number }
}

const scope = globalThis as Scope

/** Stores the open parts in the page, which outlives our page part. */
export function keepOpen(parts: OpenParts): void {
  scope[OPEN] = { parts, at: performance.now() }
}

/** Takes the parts that were open when the page part, maybe of another version, was just unloaded; otherwise null. */
export function reopen(): OpenParts | null {
  const kept = scope[OPEN]
  delete scope[OPEN]
  if (kept === undefined || performance.now() - kept.at > RELOAD_MS) return null
  const { dialog, tab } = kept.parts ?? {}
  const isSound = typeof dialog?.address === 'string' && typeof tab?.address === 'string'
  return isSound ? kept.parts : null
}

/** Time limit for the harness to show the tab, in ms. */
const TAB_MS = 2000

/**
 * Selects the store's tab again. The harness selected another one meanwhile, and has no service that selects a tab.
 *
 * @param label of the tab
 */
export function selectTab(label: string, signal: AbortSignal): void {
  const until = performance.now() + TAB_MS
  function select(): void {
    const tabs = [...document.querySelectorAll<HTMLElement>('[role="tab"]')]
    const tab = tabs.find(({ textContent }) => textContent?.trim() === label)
    if (tab) tab.click()
    else if (performance.now() < until && !signal.aborted) requestAnimationFrame(select)
  }
  requestAnimationFrame(select)
}
