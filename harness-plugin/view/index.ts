import { defineCustomElement } from 'vue'
import { ELEMENT } from './name.ts'
import PluginStore from './PluginStore.vue'

export { ELEMENT } from './name.ts'

/** Registers the element; a second call does nothing. */
export function defineStoreElement(): void {
  if (!customElements.get(ELEMENT)) customElements.define(ELEMENT, defineCustomElement(PluginStore))
}
