import type { App } from '../../app.ts'
import { lastReports } from '../../base/report.ts'
import { pageKindOf } from '../../github/page-kinds.ts'
import { createCopyButton } from '../../ui/buttons.ts'
import { copyText } from '../../ui/copy.ts'
import { createMuted, element } from '../../ui/element.ts'
import { SETTINGS_WORDS } from './settings-words.ts'

/** Version of this script; set by the build. */
declare const PLUGMARK_VERSION: string

/** Creates a button that copies the facts for a bug report, and what it shows of them. */
export function createDiagnostics({ manager, locale }: App): HTMLElement[] {
  const words = SETTINGS_WORDS[locale()]
  const text = element('pre', { class: 'plugmark-reports', tabindex: '0' })
  // The announcer's region is behind the dialog, which makes it inert.
  const outcome = element('div', { class: 'plugmark-unseen', role: 'status' })
  const copy = async () => {
    outcome.textContent = ''
    text.textContent = diagnosticsText(manager.name)
    const copied = await copyText(text.textContent, manager.setClipboard)
    if (copied === 'copied') outcome.textContent = words.reportsCopied
    if (copied === 'refused') outcome.textContent = words.reportsRefused
    return copied
  }
  return [createMuted(words.reportsHint), text, createCopyButton(words.copyReports, copy, words.copyReports), outcome]
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
