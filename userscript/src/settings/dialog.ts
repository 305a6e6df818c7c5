import { isProfileName, isProgramName } from '@plugmark/shared/install'
import type { App } from '../app.ts'
import { PAGE_KINDS } from '../github/page-kinds.ts'
import { LANGUAGE_NAMES } from '../i18n/index.ts'
import { createButton } from '../ui/buttons.ts'
import controlsCss from '../ui/controls.css?raw'
import { element } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'
import { addStyles } from '../ui/stylesheet.ts'
import { createCacheSection, type IndexCache } from './cache-section.ts'
import { createCheckbox, createNameInput, createSection, createSelect } from './fields.ts'
import settingsCss from './settings.css?raw'
import { type PageSwitch, withName } from './settings.ts'

/** How a directory of another address is chosen. */
const BUILD_COMMAND = 'PLUGMARK_API=https://directory.example npm run build'

/** Buttons that open the dialog. */
const OPENER = '[data-plugmark-part=settings]'

/**
 * Opens the settings over the page. Each change applies when it is made, a name when its field is left; Escape and
 * the button close the dialog.
 */
export function openSettingsDialog(app: App, cache: IndexCache): void {
  const { settings } = app
  const { change } = settings
  const host = location.hostname
  const dialog = element('dialog', { class: 'plugmark-dialog', 'aria-labelledby': 'plugmark-settings-title' })

  const render = () => {
    const { current } = settings
    const { locale, settings: text } = app.messages()
    dialog.lang = locale
    const close = createButton('plugmark-plain', () => dialog.close(), icon('close'))
    close.setAttribute('aria-label', text.close)

    const nameInput = (key: 'profile' | 'cli', label: string, hint: string, isName: (name: string) => boolean) =>
      createNameInput({ key, value: current[key], label, hint, error: text.badName, isName }, (name) => {
        // Closing the dialog takes the focus from a name that may be half typed.
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
    const pages = createSection(
      text.pages,
      element('div', { class: 'plugmark-columns' }, ...PAGE_KINDS.map(({ name }) => pageSwitch(name))),
    )
    const onPage = createSection(
      text.onPage,
      pageSwitch('repository'),
      createCheckbox(text.showSummary, !current.summaryHidden, (isOn) => change({ summaryHidden: !isOn })),
      createCheckbox(`${text.paused} (${host})`, current.pausedOn.includes(host), (isOn) =>
        change({ pausedOn: withName(settings.current.pausedOn, host, isOn) }),
      ),
    )
    const directory = createSection(
      text.directory,
      element('div', {}, element('code', {}, app.api)),
      element('div', { class: 'plugmark-muted' }, text.directoryHint, ' ', element('code', {}, BUILD_COMMAND)),
      createCacheSection(app.messages(), cache),
    )
    const privacy = createSection(
      text.privacy,
      element('div', { class: 'plugmark-muted' }, text.stores),
      element('div', { class: 'plugmark-muted' }, text.sends),
    )
    const header = element('header', {}, title, close)
    dialog.replaceChildren(header, profile, cli, language, pages, onPage, directory, privacy)
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
