import type { ClientServices } from './client-context.ts'
import type { Host } from './harness-bridge.ts'
import { keepOpen, reopen } from './reopen.ts'
import { createValue, type Value } from './value.ts'

/** State that all parts of the store in the page share. */
export interface Shell {
  readonly host: Host
  readonly dialog: DialogState
  readonly tab: TabState
  /** Current language of the harness. */
  readonly language: Value<string>
}

/** State of the wide store: open or closed, and its address, which is kept while it is closed. */
interface DialogState extends Value<{ readonly isOpen: boolean; readonly address: string }> {
  /** Opens the wide store. @param address in the form of a URL's query; null for the last address */
  open(address?: string | null): void
  close(): void
  goTo(address: string): void
}

/** State of the store's tab: shown or not, and its address, which is kept while another tab is shown. */
interface TabState extends Value<{ readonly isShown: boolean; readonly address: string }> {
  show(): void
  hide(): void
  goTo(address: string): void
}

/**
 * Creates the shared state.
 *
 * @param signal aborted when the page part is unloaded; open parts are reopened if it is loaded again soon after
 */
export function createShell(host: Host, locale: ClientServices['locale'], signal: AbortSignal): Shell {
  const kept = reopen()
  const tab = createValue(kept?.tab ?? { isShown: false, address: '' })
  const changeTab = (next: Partial<ReturnType<typeof tab.getSnapshot>>) => tab.set({ ...tab.getSnapshot(), ...next })
  const { getSnapshot, subscribe, set } = createValue(kept?.dialog ?? { isOpen: false, address: '' })
  signal.addEventListener('abort', () => keepOpen({ dialog: getSnapshot(), tab: tab.getSnapshot() }))
  const change = (next: Partial<ReturnType<typeof getSnapshot>>) => set({ ...getSnapshot(), ...next })
  return {
    host,
    dialog: {
      getSnapshot,
      subscribe,
      open: (address = null) => change({ isOpen: true, ...(address === null ? {} : { address }) }),
      close: () => change({ isOpen: false }),
      goTo: (address) => change({ address }),
    },
    tab: {
      ...tab,
      show: () => changeTab({ isShown: true }),
      hide: () => changeTab({ isShown: false }),
      goTo: (address) => changeTab({ address }),
    },
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
