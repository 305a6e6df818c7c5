import { displayText } from './text.ts'

/** Creates an element with text or children; never parses markup, and shows no text as something it is not. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, displayText(value))
  node.append(...children.map((child) => (typeof child === 'string' ? displayText(child) : child)))
  return node
}
