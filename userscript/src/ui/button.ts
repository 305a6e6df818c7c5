import { element } from './element.ts'

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
