import { defineCustomElement } from 'vue'
import { ELEMENT } from './name.ts'
import PluginStore from './PluginStore.vue'

export { progressText, waitingText } from './installing/stage.ts'
export { type AddressEvent, ELEMENT, type StoreElementProps } from './name.ts'
export { createTrialFrames } from './trial-frame.ts'

/** Registers the element; a second call does nothing. */
export function defineStoreElement(): void {
  if (!customElements.get(ELEMENT)) customElements.define(ELEMENT, defineCustomElement(PluginStore))
}
