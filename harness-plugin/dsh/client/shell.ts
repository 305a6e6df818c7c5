import type { Host } from './bridge.ts'
import type { ClientServices } from './harness.ts'
import { keepOpen, reopen } from './reopen.ts'
import { createValue, type Value } from './value.ts'

/** What every part of the store in the page stands on. */
export interface Shell {
  readonly host: Host
  readonly dialog: DialogState
  readonly tab: TabState
  /** The harness's language, which changes live. */
  readonly language: Value<string>
}

/** Whether the wide store is open, and at which address; the address is kept while it is closed. */
export interface DialogState extends Value<{ readonly isOpen: boolean; readonly address: string }> {
  /** @param address in the form of an address's query; null for where it was */
  open(address?: string | null): void
  close(): void
  goTo(address: string): void
}

/** Whether the store's tab is shown, and at which address; the address is kept while another tab is. */
export interface TabState extends Value<{ readonly isShown: boolean; readonly address: string }> {
  show(): void
  hide(): void
  goTo(address: string): void
}

/**
 * @param signal the page part is unloaded; what is open then is open again where it is loaded soon after
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

/** Optional integration: logs what is thrown, and continues. @returns undefined then */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    console.error('A part of the plugin store cannot be had:', error)
  }
}
