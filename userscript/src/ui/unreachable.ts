import type { Messages } from '../i18n/index.ts'
import { createButton } from './buttons.ts'
import { element } from './element.ts'

/**
 * The line that says that the directory is not reachable, with what a person can do about it: the same wherever something
 * is missing because of that.
 *
 * @param retry asks again; settles when that ended
 */
export function createUnreachable(
  { unreachable, summary }: Messages,
  { retry, openSettings }: { readonly retry: () => Promise<unknown>; readonly openSettings: () => void },
): HTMLElement {
  const status = element('span', { role: 'status' }, unreachable.text)
  const again = part('retry', async () => {
    if (status.textContent !== unreachable.text) return
    status.textContent = unreachable.retrying
    try {
      await retry()
    } catch {
      // The line goes on saying that the directory is not reachable.
    }
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
