import type { StoreBridge } from '../protocol/index.ts'

/** Name of the element. What stands in its slot `head` is shown beside its title. */
export const ELEMENT = 'plugmark-store'

/** What a page sets on the element, as properties. */
export interface StoreElementProps {
  /** Another one makes the screen ask for everything anew. */
  readonly bridge: StoreBridge
  /** BCP 47; may change at any time. */
  readonly language: string
  /** The store's part of the page's address, in the form of an address's query. */
  readonly address: string
}

/** The event `address`: the page's address should be changed to it; `replace` when Back should pass over it. */
export type AddressEvent = CustomEvent<[address: string, replace: boolean]>
