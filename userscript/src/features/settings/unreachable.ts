import type { App } from '../../app.ts'
import { reportAs } from '../../base/report.ts'
import { createDrawnLink } from '../../ui/buttons.ts'
import { createDrawnText, element, setDrawnText } from '../../ui/element.ts'
import { showSettings } from './dialog.ts'
import { SETTINGS_WORDS } from './settings-words.ts'

/**
 * Creates the line that says that the directory is not reachable, with a Retry button.
 *
 * @param retry asks again; settles when the request has ended
 */
export function createUnreachable(app: App, retry: () => Promise<unknown>): HTMLElement {
  const { unreachable, settings } = SETTINGS_WORDS[app.locale()]
  const text = createDrawnText(unreachable.text)
  const status = element('span', { role: 'status' }, text)
  let isRetrying = false
  const tryAgain = async () => {
    if (isRetrying) return
    isRetrying = true
    setDrawnText(text, unreachable.retrying)
    await retry().catch(reportAs('retry'))
    setDrawnText(text, unreachable.text)
    isRetrying = false
  }
  const retryLink = createDrawnLink('retry', tryAgain, unreachable.retry)
  const opener = createDrawnLink('settings', () => showSettings(app), settings)
  return element('div', { class: 'plugmark-unreachable' }, status, ' ', retryLink, ' · ', opener)
}
