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
