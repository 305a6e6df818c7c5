/** Place in the page for what was open when the page part was unloaded. */
const OPEN = Symbol.for('plugmark.open')

/**
 * How soon the page part must be loaded again for that to be open again, ms. A harness that watches its plugins' files
 * (0.2.1) takes 0.1 s.
 */
const RELOAD_MS = 5000

export interface OpenParts {
  readonly dialog: { readonly isOpen: boolean; readonly address: string }
  readonly tab: { readonly isShown: boolean; readonly address: string }
}

interface Scope {
  [OPEN]?: { readonly parts: OpenParts; readonly at: number }
}

const scope = globalThis as Scope

/** Keeps what is open in the page, which outlives its part of ours. */
export function keepOpen(parts: OpenParts): void {
  scope[OPEN] = { parts, at: performance.now() }
}

/** Takes what was open when the page part was unloaded a moment ago, perhaps by another version of it; else null. */
export function reopen(): OpenParts | null {
  const kept = scope[OPEN]
  delete scope[OPEN]
  if (kept === undefined || performance.now() - kept.at > RELOAD_MS) return null
  const { dialog, tab } = kept.parts ?? {}
  const isSound = typeof dialog?.address === 'string' && typeof tab?.address === 'string'
  return isSound ? kept.parts : null
}

/** How long the harness may take to show the tab, ms. */
const TAB_MS = 2000

/**
 * Selects the store's tab again. While it was gone, the harness selected another, and no service of its selects one.
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
