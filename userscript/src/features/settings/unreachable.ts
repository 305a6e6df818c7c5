import type { App } from '../../app.ts'
import { reportAs } from '../../base/report.ts'
import { createButton } from '../../ui/buttons.ts'
import { element } from '../../ui/element.ts'
import { showSettings } from './dialog.ts'
import { SETTINGS_WORDS } from './words.ts'

/**
 * Creates the line that says that the directory is not reachable, with a Retry button.
 *
 * @param retry asks again; settles when the request has ended
 */
export function createUnreachable(app: App, retry: () => Promise<unknown>): HTMLElement {
  const { unreachable, settings } = SETTINGS_WORDS[app.locale()]
  const status = element('span', { role: 'status' }, unreachable.text)
  const again = createButton(
    'plugmark-link',
    async () => {
      if (status.textContent !== unreachable.text) return
      status.textContent = unreachable.retrying
      await retry().catch(reportAs('retry'))
      status.textContent = unreachable.text
    },
    unreachable.retry,
  )
  again.setAttribute('data-plugmark-part', 'retry')
  const opener = createButton('plugmark-link', () => showSettings(app), settings)
  opener.setAttribute('data-plugmark-part', 'settings')
  return element('div', { class: 'plugmark-unreachable' }, status, ' ', again, ' · ', opener)
}
