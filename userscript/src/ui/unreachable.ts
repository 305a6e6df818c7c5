import type { Messages } from '../i18n/index.ts'
import { createButton } from './buttons.ts'
import { element } from './element.ts'

/**
 * The line of a directory that could not be asked, with what a person can do: the same wherever something is missing
 * because of that.
 *
 * @param retry resolves when it has been asked again, whatever came of it
 */
export function createUnreachable(
  { unreachable, summary }: Messages,
  { retry, openSettings }: { readonly retry: () => Promise<unknown>; readonly openSettings: () => void },
): HTMLElement {
  const status = element('span', { role: 'status' }, unreachable.text)
  const again = part('retry', async () => {
    if (status.textContent !== unreachable.text) return
    status.textContent = unreachable.retrying
    await retry()
    status.textContent = unreachable.text
  })
  again.append(unreachable.retry)
  const settings = part('settings', openSettings)
  settings.append(summary.settings)
  return element('div', { class: 'plugmark-unreachable' }, status, ' ', again, ' · ', settings)
}

function part(name: string, act: () => void): HTMLButtonElement {
  const button = createButton('plugmark-link', act)
  button.setAttribute('data-plugmark-part', name)
  return button
}
