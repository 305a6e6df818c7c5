import { createButton } from './button.ts'
import { icon } from './icons.ts'

/** How long a button shows that it has copied. ms */
const COPIED_MS = 2000

/**
 * A button that copies.
 *
 * @param label what it is called
 * @param copy true when it is in the clipboard
 * @param text stands beside the icon
 */
export function createCopyButton(label: string, copy: () => Promise<boolean>, text: string): HTMLButtonElement {
  const act = async () => {
    if (await copy()) showCopied(button)
    // It stands behind what it copies, which then is to be copied by hand.
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
