import { createValue, type Value } from './value.ts'

/** Whether the wide store is open, and at which place; the place is kept while it is closed. */
export interface Opened {
  readonly isOpen: boolean
  /** In the form of an address's query, as the element wants it. */
  readonly address: string
}

export interface OpenedStore extends Value<Opened> {
  /** @param address where; null for where it was */
  open(address?: string | null): void
  close(): void
  goTo(address: string): void
}

/** The wide store is opened from elsewhere than where it stands. */
export function createOpened(): OpenedStore {
  const { getSnapshot, subscribe, set } = createValue<Opened>({ isOpen: false, address: '' })
  const change = (next: Partial<Opened>) => set({ ...getSnapshot(), ...next })
  return {
    getSnapshot,
    subscribe,
    open: (address = null) => change({ isOpen: true, ...(address === null ? {} : { address }) }),
    close: () => change({ isOpen: false }),
    goTo: (address) => change({ address }),
  }
}

/** The place where the store has looked for these words. */
export const searchFor = (words: string): string => (words === '' ? '' : new URLSearchParams({ q: words }).toString())

/** The place where the store shows a listing's details. */
export const detailsOf = (listing: string): string => new URLSearchParams({ plugin: listing }).toString()
