import type { App } from '../../app.ts'
import { reportAs } from '../../base/report.ts'
import { createPart } from '../../ui/buttons.ts'
import { element } from '../../ui/element.ts'
import { createSettingsLink } from './dialog.ts'
import { SETTINGS_WORDS } from './settings-words.ts'

/**
 * Creates the line that says that the directory is not reachable, with a Retry button.
 *
 * @param retry asks again; settles when the request has ended
 */
export function createUnreachable(app: App, retry: () => Promise<unknown>): HTMLElement {
  const { unreachable } = SETTINGS_WORDS[app.locale()]
  const status = element('span', { role: 'status' }, unreachable.text)
  let isRetrying = false
  const tryAgain = async () => {
    if (isRetrying) return
    isRetrying = true
    status.textContent = unreachable.retrying
    await retry().catch(reportAs('retry'))
    status.textContent = unreachable.text
    isRetrying = false
  }
  const retryLink = createPart('retry', 'plugmark-link', tryAgain, unreachable.retry)
  return element('div', { class: 'plugmark-unreachable' }, status, ' ', retryLink, ' · ', createSettingsLink(app))
}
