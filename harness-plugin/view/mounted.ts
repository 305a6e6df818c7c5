import { defineStoreElement, ELEMENT, type StoreElementProps } from './index.ts'

/** The store's element, with what a shell sets on it. */
export type StoreElement = HTMLElement & { -readonly [K in keyof StoreElementProps]: StoreElementProps[K] }

/** For tests of the screen: the store on the page, wide, in English, and with no bridge yet. */
export function mountStore(): StoreElement {
  defineStoreElement()
  const element = document.createElement(ELEMENT) as StoreElement
  element.language = 'en'
  element.style.cssText = 'display: block; width: 1200px; height: 640px'
  document.body.append(element)
  return element
}
