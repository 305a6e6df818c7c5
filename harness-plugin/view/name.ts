import type { StoreBridge } from '../protocol/index.ts'

/** Name of the element. Content of its slot `head` is shown beside its title. */
export const ELEMENT = 'plugmark-store'

/** Properties that a page sets on the element. */
export interface StoreElementProps {
  /** A new bridge makes the screen load everything again. */
  readonly bridge: StoreBridge
  /** BCP 47; may change at any time. */
  readonly language: string
  /** The store's part of the page's address, in the form of an address's query. */
  readonly address: string
  /**
   * - `dialog`: the store shows its title
   * - `page`: the page around it shows the title
   * - `tab`: the page around it shows the title, and a list of installed plugins
   */
  readonly place: 'dialog' | 'page' | 'tab'
}

/** The event `address`: asks the page to change its address; with `replace`, Back skips the step. */
export type AddressEvent = CustomEvent<[address: string, replace: boolean]>
