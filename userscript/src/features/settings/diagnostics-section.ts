import type { App } from '../../app.ts'
import { lastReports } from '../../base/report.ts'
import { pageKindOf } from '../../github/page-kinds.ts'
import { createCopyButton } from '../../ui/buttons.ts'
import { copyText } from '../../ui/copy.ts'
import { element } from '../../ui/element.ts'
import { createCheckbox, createSection } from './fields.ts'
import { SETTINGS_WORDS } from './settings-words.ts'

/** Version of this script; set by the build. */
declare const PLUGMARK_VERSION: string

/** Creates the switch that writes problems to the console, and a button that copies the facts for a bug report. */
export function createDiagnosticsSection(app: App): HTMLElement {
  const { settings, manager } = app
  const words = SETTINGS_WORDS[app.locale()]
  const text = element('pre', { class: 'plugmark-reports', tabindex: '0' })
  const copy = () => {
    text.textContent = diagnosticsText(manager.name)
    return copyText(text.textContent, manager.setClipboard)
  }
  return createSection(
    words.diagnostics,
    createCheckbox(words.writeReports, settings.current.diagnostics, (isOn) => settings.change({ diagnostics: isOn })),
    element('div', { class: 'plugmark-muted' }, words.reportsHint),
    text,
    createCopyButton(words.copyReports, copy, words.copyReports),
  )
}

/** Returns the diagnostics as text, without anything that identifies the user or the pages they visited. */
function diagnosticsText(manager: string): string {
  const kind = pageKindOf(new URL(document.URL), document)?.name ?? 'none'
  const reports = lastReports().map(({ at, where, error }) => `${at} ms  ${where}: ${error}`)
  return [
    `Plugmark ${PLUGMARK_VERSION}`,
    `Manager: ${manager}`,
    `Page: ${kind}`,
    ...(reports.length === 0 ? ['No problems.'] : reports),
  ].join('\n')
}
