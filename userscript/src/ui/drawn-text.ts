import { element } from './element.ts'
import { displayText } from './text.ts'

/**
 * Creates text that the browser draws from an attribute, by the styles of the controls: it is read out, but not found by
 * a search in the page, which is for the words of the page itself.
 */
export function createDrawnText(text: string): HTMLElement {
  return element('span', { class: 'plugmark-drawn', 'data-plugmark-text': text })
}

/** Replaces such text. */
export function setDrawnText(node: HTMLElement, text: string): void {
  node.setAttribute('data-plugmark-text', displayText(text))
}
