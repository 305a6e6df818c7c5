import { isProfileName, isProgramName } from '@plugmark/shared/install'
import type { App } from '../../app.ts'
import { createListeners } from '../../base/listeners.ts'
import { reportAs, setReportsLoud } from '../../base/report.ts'
import { PAGE_KINDS } from '../../github/page-kinds.ts'
import { LANGUAGE_NAMES } from '../../i18n/index.ts'
import { isPausedOn, type PageSwitch, withName, withPause } from '../../settings/settings.ts'
import { createButton } from '../../ui/buttons.ts'
import controlsCss from '../../ui/controls.css?raw'
import { createFold, element } from '../../ui/element.ts'
import { icon } from '../../ui/icons.ts'
import { whenIdle } from '../../ui/idle.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import { createDiagnosticsSection } from './diagnostics-section.ts'
import { createCheckbox, createNameInput, createSection, createSelect } from './fields.ts'
import { createIndexSection } from './index-section.ts'
import settingsCss from './settings.css?raw'
import { SETTINGS_WORDS } from './settings-words.ts'

const menuListeners = createListeners()
let isMenuOffered = false

/** Returns true if the manager's menu leads to the settings. */
export const hasMenu = (): boolean => isMenuOffered

/** Calls `listener` when the manager turns out to have no menu. */
export const onMenuRefused = menuListeners.add

let isInitialized = false

/** Adds the settings to the manager's menu, once for all pages. */
export function initSettings(_page: unknown, app: App): void {
  if (isInitialized) return
  isInitialized = true
  const { manager, settings } = app
  const applyDiagnostics = () => setReportsLoud(settings.current.diagnostics)
  applyDiagnostics()
  settings.onChange((_now, _before, isOwn) => {
    applyDiagnostics()
    // A dialog that is open here shows the old settings, and would write them back.
    if (!isOwn) document.querySelector<HTMLDialogElement>('.plugmark-dialog')?.close()
  })
  const { addMenuCommand } = manager
  if (addMenuCommand === null) return
  isMenuOffered = true
  whenIdle(() => {
    addMenuCommand(SETTINGS_WORDS[app.locale()].title, () => showSettings(app)).catch((error) => {
      reportAs('menu')(error)
      isMenuOffered = false
      menuListeners.call()
    })
  })
}

const OPENER = '[data-plugmark-part=settings]'

/**
 * Opens the settings over the page. Each change applies at once, and a name when its field loses the focus. Escape and
 * the button close the dialog.
 */
export function showSettings(app: App): void {
  if (document.querySelector('.plugmark-dialog')) return
  const { settings } = app
  const { change } = settings
  const host = location.hostname
  const dialog = element('dialog', { class: 'plugmark-dialog', 'aria-labelledby': 'plugmark-settings-title' })

  const render = () => {
    const { current } = settings
    const locale = app.locale()
    const text = SETTINGS_WORDS[locale]
    dialog.lang = locale
    const close = createButton('plugmark-plain', () => dialog.close(), icon('close'))
    close.setAttribute('aria-label', text.close)

    const nameInput = (key: 'profile' | 'cli', label: string, hint: string, isName: (name: string) => boolean) =>
      createNameInput({ key, value: current[key], label, hint, error: text.badName, isName }, (name) => {
        // Closing the dialog takes the focus from a field whose name may be incomplete.
        if (dialog.open) change({ [key]: name })
      })
    const pageSwitch = (name: PageSwitch) =>
      createCheckbox(text.pageKinds[name], !current.pagesOff.includes(name), (isOn) =>
        change({ pagesOff: withName(settings.current.pagesOff, name, !isOn) }),
      )

    const title = element('div', { id: 'plugmark-settings-title', class: 'plugmark-title' }, text.title)
    const profile = nameInput('profile', text.profile, text.profileHint, isProfileName)
    const cli = nameInput('cli', text.cli, text.cliHint, isProgramName)
    const languages = { auto: text.automatic, ...LANGUAGE_NAMES }
    const language = createSelect(text.language, languages, current.language, (choice) => {
      change({ language: choice })
      render()
      dialog.querySelector('select')!.focus()
    })
    const isOn = createCheckbox(text.isOn(host), !isPausedOn(current, host), (isOn) =>
      change(withPause(settings.current, host, !isOn)),
    )
    const places = createFold(
      text.where,
      element('div', { class: 'plugmark-columns' }, ...PAGE_KINDS.map(({ name }) => pageSwitch(name))),
      pageSwitch('repository'),
      createCheckbox(text.showSummary, !current.summaryHidden, (isOn) => change({ summaryHidden: !isOn })),
    )
    const directory = createSection(
      text.directory,
      element('div', {}, element('code', {}, app.api)),
      createIndexSection(app),
    )
    const privacy = createSection(
      text.privacy,
      element('div', { class: 'plugmark-muted' }, text.stores),
      element('div', { class: 'plugmark-muted' }, text.sends),
    )
    const header = element('header', {}, title, close)
    const more = createFold(text.more, privacy, createDiagnosticsSection(app))
    dialog.replaceChildren(header, isOn, profile, cli, language, places, directory, more)
  }

  addStyles(controlsCss)
  addStyles(settingsCss)
  render()
  const opener = document.activeElement
  dialog.addEventListener('close', () => {
    dialog.remove()
    // A change may have replaced the button that opened the dialog.
    if (!opener?.isConnected) document.querySelector<HTMLElement>(OPENER)?.focus()
  })
  // The code host has single-key shortcuts, which belong to the page behind the dialog.
  dialog.addEventListener('keydown', (event) => event.stopPropagation())
  document.documentElement.append(dialog)
  dialog.showModal()
}
