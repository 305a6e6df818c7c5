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
  const show = (name: 'copy' | 'check') => {
    button.firstElementChild?.replaceWith(icon(name))
    button.classList.toggle('plugmark-copied', name === 'check')
  }
  onActivate(button, async () => {
    if (!(await copy())) return
    show('check')
    setTimeout(() => show('copy'), COPIED_MS)
  })
  return button
}

/** Runs `action` and keeps the click from the row around it, which may be a link or a control of its own. */
export function onActivate(button: HTMLElement, action: (event: MouseEvent) => unknown): void {
  button.addEventListener('click', (event) => {
    event.preventDefault()
    event.stopPropagation()
    action(event)
  })
}
