import { defineStoreElement, ELEMENT, type StoreElementProps } from './index.ts'

/** The store's element, with the properties that a shell sets. */
export type StoreElement = HTMLElement & { -readonly [K in keyof StoreElementProps]: StoreElementProps[K] }

/** For tests of the screen: mounts the store, wide, in English, without a bridge yet. */
export function mountStore(): StoreElement {
  defineStoreElement()
  const element = document.createElement(ELEMENT) as StoreElement
  element.language = 'en'
  element.style.cssText = 'display: block; width: 1200px; height: 640px'
  document.body.append(element)
  return element
}
