import { defineCustomElement } from 'vue'
import PluginStore from './PluginStore.vue'

export type * from '../bridge/index.ts'

/** Name of the element. Set its properties `bridge` (once) and `language` (`en` or `zh`, at any time). */
export const ELEMENT = 'plugmark-store'

/** Registers the element; a second call does nothing. */
export function defineStoreElement(): void {
  if (!customElements.get(ELEMENT)) customElements.define(ELEMENT, defineCustomElement(PluginStore))
}
