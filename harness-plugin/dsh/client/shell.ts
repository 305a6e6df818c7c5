import type { ClientServices } from './client-context.ts'
import type { Host } from './harness-bridge.ts'
import { createValue, type Value } from './value.ts'

/** State that all parts of the store in the page share. */
export interface Shell {
  readonly host: Host
  /** The wide store. */
  readonly dialog: PlaceState
  readonly tab: PlaceState
  /** Current language of the harness. */
  readonly language: Value<string>
}

/** A place of the store, and its address, which is kept while the place is closed. */
interface PlaceState
  extends Value<{
    readonly isOpen: boolean
    readonly address: string
    /** True if Back skips the address before. */
    readonly replace: boolean
  }> {
  /** @param address in the form of a URL's query; null for the last address */
  open(address?: string | null): void
  close(): void
  goTo(address: string, replace?: boolean): void
}

function createPlace(kept = { isOpen: false, address: '', replace: false }): PlaceState {
  const { getSnapshot, subscribe, set } = createValue(kept)
  const change = (next: Partial<typeof kept>) => set({ ...getSnapshot(), replace: false, ...next })
  return {
    getSnapshot,
    subscribe,
    open: (address = null) => change({ isOpen: true, ...(address === null ? {} : { address }) }),
    close: () => change({ isOpen: false }),
    goTo: (address, replace = false) => change({ address, replace }),
  }
}

/**
 * Creates the shared state.
 *
 * @param signal aborted when the page part is unloaded; open parts are reopened if it is loaded again soon after
 */
export function createShell(host: Host, locale: ClientServices['locale'], signal: AbortSignal): Shell {
  const kept = reopen()
  const dialog = createPlace(kept?.dialog)
  const tab = createPlace(kept?.tab)
  signal.addEventListener('abort', () => keepOpen({ dialog: dialog.getSnapshot(), tab: tab.getSnapshot() }))
  return {
    host,
    dialog,
    tab,
    language: {
      getSnapshot: () => attempt(() => locale.getLocale().active) ?? document.documentElement.lang,
      subscribe: (listener) => locale.subscribe(listener),
    },
  }
}

/** Runs an optional integration: logs an error and continues. @returns undefined after an error */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    console.error('A part of the plugin store cannot be had:', error)
  }
}

// What was open, across a reload of the page part

/** Key in the page for the parts that were open when the page part was unloaded. */
const OPEN = Symbol.for('plugmark.open')

/**
 * Time limit for a reload of the page part after which those parts are not reopened, in ms. A harness that watches its
 * plugins' files (0.2.1) takes 0.1 s.
 */
const RELOAD_MS = 5000

type OpenParts = Readonly<Record<'dialog' | 'tab', ReturnType<PlaceState['getSnapshot']>>>

interface Scope {
  [OPEN]?: { readonly parts: OpenParts; readonly at: number }
}

const scope = globalThis as Scope

/** Stores the open parts in the page, which outlives our page part. */
function keepOpen(parts: OpenParts): void {
  scope[OPEN] = { parts, at: performance.now() }
}

/** Takes the parts that were open when the page part, maybe of another version, was just unloaded; otherwise null. */
function reopen(): OpenParts | null {
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

// The address of what is open, in the page's own

const START = '#plugmark'

/** Returns the store's address in a page's fragment, such as `q=notes` of `#plugmark?q=notes`; null for another one. */
function addressOfFragment(fragment: string): string | null {
  if (fragment === START) return ''
  return fragment.startsWith(`${START}?`) ? fragment.slice(START.length + 1) : null
}

/** Key of the state of a history entry: how many entries before it the wide store was opened. */
const STEPS = 'plugmark'
export const stepsInStore = (): number => Number(history.state?.[STEPS] ?? 0)

/**
 * Keeps the page's fragment equal to the shown view of the store, so that its address can be copied. The harness has no
 * address for a place in its page, so a link opens the wide store. Back goes through the views of the wide store, and
 * closes it; the tab, which only the harness can close, has one history entry.
 *
 * @param signal removes the listeners
 */
export function followFragment({ dialog, tab }: Pick<Shell, 'dialog' | 'tab'>, signal: AbortSignal): void {
  const here = () => addressOfFragment(location.hash)
  const addressIn = ({ getSnapshot }: PlaceState) => (getSnapshot().isOpen ? getSnapshot().address : null)
  /** True if the history entry is one of the wide store. */
  let isOfDialog = dialog.getSnapshot().isOpen
  /** True until the browser is back at the entry where the wide store was opened. */
  let isLeaving = false
  function read() {
    if (isLeaving) {
      isLeaving = false
      return write()
    }
    const address = here()
    isOfDialog = address !== null && (stepsInStore() > 0 || address !== addressIn(tab))
    const isOther = address === null && location.hash !== ''
    if (isOfDialog) dialog.open(address)
    // Writes the address of an open tab too.
    else if (!isOther || dialog.getSnapshot().isOpen) dialog.close()
  }
  function write() {
    if (isLeaving) return
    const { isOpen, replace } = dialog.getSnapshot()
    const isOpened = isOpen && !isOfDialog
    const isClosed = !isOpen && isOfDialog
    isOfDialog = isOpen
    const steps = stepsInStore()
    // The browser forgets the oldest entries.
    if (isClosed && steps > 0 && steps < history.length) {
      isLeaving = true
      return history.go(-steps)
    }
    const address = addressIn(dialog) ?? addressIn(tab)
    if (address === here() && !isOpened) return
    const fragment = address === null ? '' : address === '' ? START : `${START}?${address}`
    const isStep = isOpened || (isOpen && !replace)
    const state = { ...history.state, [STEPS]: isStep ? steps + 1 : isOpen ? steps : 0 }
    history[isStep ? 'pushState' : 'replaceState'](state, '', `${location.pathname}${location.search}${fragment}`)
  }
  if (here() !== null) read()
  window.addEventListener('popstate', read, { signal })
  for (const state of [dialog, tab]) signal.addEventListener('abort', state.subscribe(write))
  write()
}
