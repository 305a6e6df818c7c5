import { element } from './element.ts'
import { icon } from './icons.ts'

/** Time for which a button shows that it has copied. ms */
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
  const show = (isCopied: boolean) => {
    button.firstElementChild?.replaceWith(icon(isCopied ? 'check' : 'copy'))
    button.classList.toggle('plugmark-copied', isCopied)
  }
  const act = async () => {
    if (await copy()) showCopied(button, show)
    // The text stands before the button: selected, it can be copied by hand.
    else getSelection()?.selectAllChildren(button.previousElementSibling!)
  }
  const button = createButton('plugmark-button', act, icon('copy'), text)
  button.setAttribute('aria-label', label)
  return button
}

/** Ends of what is shown for a moment, by the element that shows it. */
const copiedTimers = new WeakMap<Element, ReturnType<typeof setTimeout>>()

/** Shows for a moment on an element that its text was copied; a second copy starts that moment anew. */
export function showCopied(shown: Element, show: (isCopied: boolean) => void): void {
  clearTimeout(copiedTimers.get(shown))
  show(true)
  copiedTimers.set(
    shown,
    setTimeout(() => show(false), COPIED_MS),
  )
}
