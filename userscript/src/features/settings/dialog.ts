import { isProfileName, isProgramName } from '@plugmark/shared/install'
import type { App } from '../../app.ts'
import { LANGUAGE_NAMES } from '../../i18n/index.ts'
import { isPausedOn, PLACES, type Place, type Settings, withName, withPause } from '../../settings/settings.ts'
import { createButton, createPart } from '../../ui/buttons.ts'
import controlsCss from '../../ui/controls.css?raw'
import { createCheckbox, createFold, createMuted, element } from '../../ui/element.ts'
import { icon } from '../../ui/icons.ts'
import { addStyles } from '../../ui/stylesheet.ts'
import { createDiagnostics } from './diagnostics.ts'
import { createIndexSection } from './index-section.ts'
import settingsCss from './settings.css?raw'
import { SETTINGS_WORDS } from './settings-words.ts'

let isInitialized = false

/** Closes the settings when they change elsewhere, on all pages of the tab. */
export function initSettings(_page: unknown, { settings }: App): void {
  if (isInitialized) return
  isInitialized = true
  settings.onChange((_now, _before, isOwn) => {
    // The dialog shows the old settings, and would write them back.
    if (!isOwn) document.querySelector<HTMLDialogElement>('.plugmark-dialog')?.close()
  })
}

const OPENER = '[data-plugmark-part=settings]'

/** Creates a link that opens the settings. */
export const createSettingsLink = (app: App, text = SETTINGS_WORDS[app.locale()].settings): HTMLButtonElement =>
  createPart('settings', 'plugmark-link', () => showSettings(app), text)

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

  const index = createIndexSection(app)

  const render = () => {
    const { current } = settings
    const locale = app.locale()
    const text = SETTINGS_WORDS[locale]
    dialog.lang = locale
    const close = createButton('plugmark-plain', () => dialog.close(), icon('close'))
    close.setAttribute('aria-label', text.close)

    const placeSwitch = (name: Place) =>
      createCheckbox(text.places[name], !current.placesOff.includes(name), (isOn) =>
        change({ placesOff: withName(settings.current.placesOff, name, !isOn) }),
      )

    const title = element('div', { id: 'plugmark-settings-title', class: 'plugmark-title' }, text.title)
    // Closing the dialog takes the focus from a field whose name may be incomplete.
    const setName = (patch: Partial<Settings>) => dialog.open && change(patch)
    const profile = createNameField(app, 'profile', isProfileName, setName)
    const cli = createNameField(app, 'cli', isProgramName, setName)
    const language = createLanguageField(app, () => {
      render()
      dialog.querySelector('select')!.focus()
    })
    const isOn = createCheckbox(text.isOn(host), !isPausedOn(current, host), (isOn) =>
      change(withPause(settings.current, host, !isOn)),
    )
    const places = createSection(
      text.where,
      ...PLACES.map(placeSwitch),
      createCheckbox(text.showSummary, !current.summaryHidden, (isOn) => change({ summaryHidden: !isOn })),
    )
    const directory = createSection(text.directory, element('div', {}, element('code', {}, app.api)), index.node)
    const privacy = createSection(text.privacy, createMuted(text.stores), createMuted(text.sends))
    const header = element('header', {}, title, close)
    const more = createFold(text.more, privacy, createSection(text.diagnostics, ...createDiagnostics(app)))
    index.translate()
    const kept = dialog.querySelectorAll(KEPT)
    dialog.replaceChildren(header, isOn, profile, cli, language, places, directory, more)
    const shown = dialog.querySelectorAll(KEPT)
    for (const [at, before] of kept.entries()) keepState(before, shown[at]!)
  }

  addStyles(controlsCss, settingsCss)
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

const KEPT = 'details, pre, input[type=text]'

/** Keeps what the user has opened and typed when the same element is shown in another language. */
function keepState(before: Element, now: Element): void {
  if (now instanceof HTMLDetailsElement) now.open = (before as HTMLDetailsElement).open
  else if (now instanceof HTMLInputElement) {
    now.value = (before as HTMLInputElement).value
    now.dispatchEvent(new Event('input'))
  } else now.textContent = before.textContent
}

/** Creates a field for a name, which applies once the user leaves the field or presses Enter, if it is valid. */
function createNameField(
  { settings, locale }: App,
  key: 'profile' | 'cli',
  isName: (text: string) => boolean,
  onName: (patch: Partial<Settings>) => void,
): HTMLElement {
  const words = SETTINGS_WORDS[locale()]
  const hint = words[`${key}Hint`]
  const input = element('input', {
    id: `plugmark-${key}`,
    type: 'text',
    value: settings.current[key],
    'aria-describedby': `plugmark-${key}-hint`,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  })
  const note = element('div', { id: `plugmark-${key}-hint`, class: 'plugmark-muted' }, hint)
  input.addEventListener('input', () => {
    const isValid = isName(input.value.trim())
    input.setAttribute('aria-invalid', String(!isValid))
    note.textContent = isValid ? hint : words.badName
    note.className = isValid ? 'plugmark-muted' : 'plugmark-bad'
  })
  input.addEventListener('change', () => {
    const name = input.value.trim()
    if (isName(name)) onName({ [key]: name })
  })
  return element('div', { class: 'plugmark-field' }, element('label', { for: input.id }, words[key]), input, note)
}

function createLanguageField({ settings, locale }: App, onChange: () => void): HTMLElement {
  const words = SETTINGS_WORDS[locale()]
  const select = element('select', { id: 'plugmark-select' })
  for (const [value, name] of Object.entries({ auto: words.automatic, ...LANGUAGE_NAMES }))
    select.append(element('option', { value }, name))
  select.value = settings.current.language
  select.addEventListener('change', () => {
    settings.change({ language: select.value as Settings['language'] })
    onChange()
  })
  return element('div', { class: 'plugmark-field' }, element('label', { for: select.id }, words.language), select)
}

function createSection(title: string, ...content: Node[]): HTMLElement {
  return element('fieldset', { class: 'plugmark-field' }, element('legend', {}, title), ...content)
}
