import { displayText } from './text.ts'

/** Creates an element with text or children; never parses markup, and shows no text as something it is not. */
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
