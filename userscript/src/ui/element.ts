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

/** Creates a line of minor text. */
export const createMuted = (...content: (Node | string)[]): HTMLDivElement =>
  element('div', { class: 'plugmark-muted' }, ...content)

/** Creates content that is shown on demand. */
export const createFold = (title: string, ...content: Node[]): HTMLDetailsElement =>
  element('details', { class: 'plugmark-fold' }, element('summary', {}, title), ...content)

export function createCheckbox(label: string, isOn: boolean, onToggle: (isOn: boolean) => void): HTMLLabelElement {
  const box = element('input', { type: 'checkbox' })
  box.checked = isOn
  box.addEventListener('change', () => onToggle(box.checked))
  return element('label', { class: 'plugmark-checkbox' }, box, label)
}

/**
 * Returns text of the catalogue in a form that is safe to show: replaces characters that could make it look like
 * another text by `�`.
 *
 * These are invisible characters with an effect: controls, and Unicode's format characters, such as marks that change
 * the direction of writing. Keeps those that are part of words, flags and Arabic numbers, and white space.
 */
export function displayText(text: string): string {
  if (isPlain(text)) return text
  // Not a constant: compiling this pattern takes as long as three badges do, so it happens only when it is needed.
  const unseen = /(?![\t\n\r\xad\u200c\u0600-\u0605\u06dd\u{e0020}-\u{e007f}]|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
  return text.toWellFormed().replace(unseen, '\ufffd')
}

/** Returns true for plain ASCII. Most text is, and this test is cheaper than the pattern. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}
