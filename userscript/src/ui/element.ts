import { displayText } from './text.ts'

/** Creates an element with text or children. Never parses markup, and makes invisible characters of a text visible. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag)
  for (const name in attributes) node.setAttribute(name, displayText(attributes[name]!))
  for (const child of children) node.append(typeof child === 'string' ? displayText(child) : child)
  return node
}

/** Creates content that is shown on demand. */
export const createFold = (title: string, ...content: Node[]): HTMLDetailsElement =>
  element('details', { class: 'plugmark-fold' }, element('summary', {}, title), ...content)

export function createCheckbox(
  label: string | Node,
  isOn: boolean,
  onToggle: (isOn: boolean) => void,
): HTMLLabelElement {
  const box = element('input', { type: 'checkbox' })
  box.checked = isOn
  box.addEventListener('change', () => onToggle(box.checked))
  return element('label', { class: 'plugmark-checkbox' }, box, label)
}

/**
 * Creates text that the browser draws from an attribute, by the styles of the controls: it is read out, but not found by
 * a search in the page, which is for the words of the page itself.
 */
export function createDrawnText(text: string): HTMLElement {
  return element('span', { class: 'plugmark-drawn', 'data-plugmark-text': text })
}

export function setDrawnText(node: HTMLElement, text: string): void {
  node.setAttribute('data-plugmark-text', displayText(text))
}
