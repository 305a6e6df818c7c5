import { element } from './element.ts'
import { icon } from './icons.ts'

/** How long a button shows that it has copied. ms */
const COPIED_MS = 2000

/**
 * A button. Its click is kept from the row around it, which may be a link or a control of its own.
 *
 * @param look its class
 */
export function createButton(look: string, action: () => unknown, ...content: (Node | string)[]): HTMLButtonElement {
  const button = element('button', { type: 'button', class: look }, ...content)
  button.addEventListener('click', (event) => {
    keepFromPage(event)
    action()
  })
  return button
}

export function keepFromPage(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

/**
 * A button that copies.
 *
 * @param label its accessible name
 * @param copy resolves to whether the text is on the clipboard
 * @param text beside the icon
 */
export function createCopyButton(label: string, copy: () => Promise<boolean>, text: string): HTMLButtonElement {
  const act = async () => {
    if (await copy()) showCopied(button)
    // The text stands before the button: selected, it can be copied by hand.
    else getSelection()?.selectAllChildren(button.previousElementSibling!)
  }
  const button = createButton('plugmark-button', act, icon('copy'), text)
  button.setAttribute('aria-label', label)
  return button
}

/** Shows for a moment, on a button that begins with its icon, that it has copied. */
export function showCopied(button: Element): void {
  const show = (name: 'copy' | 'check') => {
    button.firstElementChild?.replaceWith(icon(name))
    button.classList.toggle('plugmark-copied', name === 'check')
  }
  show('check')
  setTimeout(() => show('copy'), COPIED_MS)
}
