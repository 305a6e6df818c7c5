import { reportAs } from '../base/report.ts'
import { type CopyOutcome, showCopied } from './copy.ts'
import { element } from './element.ts'
import { icon } from './icons.ts'

/**
 * Creates a button. Keeps its click from the row around it, which may be a link or a control itself.
 *
 * @param look class of the button
 */
export function createButton(look: string, action: () => unknown, ...content: (Node | string)[]): HTMLButtonElement {
  const button = element('button', { type: 'button', class: look }, ...content)
  button.addEventListener('click', (event) => {
    event.preventDefault()
    event.stopPropagation()
    const ended = action()
    // A rejection that nobody handles lands in the console of the host page.
    if (ended instanceof Promise) ended.catch(reportAs('button'))
  })
  return button
}

/** Creates a button that keeps the focus when what is around it is rendered again. @param part its name there */
export function createPart(
  part: string,
  look: string,
  action: () => unknown,
  ...content: (Node | string)[]
): HTMLButtonElement {
  const button = createButton(look, action, ...content)
  button.setAttribute('data-plugmark-part', part)
  return button
}

/**
 * Creates a copy button.
 *
 * @param label its accessible name
 * @param copy copies the text before the button
 * @param text text beside the icon
 */
export function createCopyButton(label: string, copy: () => Promise<CopyOutcome>, text: string): HTMLButtonElement {
  const show = (isCopied: boolean) => {
    button.firstElementChild?.replaceWith(icon(isCopied ? 'check' : 'copy'))
    button.classList.toggle('plugmark-copied', isCopied)
  }
  const act = async () => {
    const outcome = await copy()
    if (outcome === 'copied') showCopied(button, show)
    // The text is before the button: selected, it can be copied manually.
    else if (outcome === 'refused') getSelection()?.selectAllChildren(button.previousElementSibling!)
  }
  const button = createButton('plugmark-button', act, icon('copy'), text)
  button.setAttribute('aria-label', label)
  return button
}
