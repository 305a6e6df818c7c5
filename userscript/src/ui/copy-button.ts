import { element } from './element.ts'
import { icon } from './icons.ts'

/** How long a button shows that it has copied. ms */
const COPIED_MS = 2000

/**
 * A button that copies.
 *
 * @param copy true when it is in the clipboard
 * @param text stands beside the icon
 */
export function createCopyButton(
  attributes: Readonly<Record<string, string>>,
  copy: () => Promise<boolean>,
  ...text: string[]
): HTMLButtonElement {
  const button = element('button', { type: 'button', ...attributes }, icon('copy'), ...text)
  onActivate(button, async () => {
    if (await copy()) showCopied(button)
  })
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

/** Runs `action` and keeps the click from the row around it, which may be a link or a control of its own. */
export function onActivate(button: HTMLElement, action: (event: MouseEvent) => unknown): void {
  button.addEventListener('click', (event) => {
    keepFromPage(event)
    action(event)
  })
}

export function keepFromPage(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
