import type { IndexDifference, IndexStatus } from '@plugmark/shared/index-cache'
import { isProfileName, isProgramName } from '@plugmark/shared/install'
import type { App } from '../../app.ts'
import { lastReports, report, reportAs } from '../../base/report.ts'
import { pageKindOf } from '../../github/page-kinds.ts'
import { DATE_LOCALES, LANGUAGE_NAMES, type Locale } from '../../i18n/index.ts'
import { isPausedOn, type PageSwitch, type Settings, withName, withPause } from '../../settings/settings.ts'
import { removeStart, startKey } from '../../start/stored-start.ts'
import { createButton, createCopyButton } from '../../ui/buttons.ts'
import controlsCss from '../../ui/controls.css?raw'
import { copyText } from '../../ui/copy.ts'
import { createCheckbox, createFold, createMuted, displayText, element } from '../../ui/element.ts'
import { icon } from '../../ui/icons.ts'
import { addStyles } from '../../ui/stylesheet.ts'
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

    const pageSwitch = (name: PageSwitch) =>
      createCheckbox(text.pageKinds[name], !current.pagesOff.includes(name), (isOn) =>
        change({ pagesOff: withName(settings.current.pagesOff, name, !isOn) }),
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
    const places = createFold(
      text.where,
      element('div', { class: 'plugmark-columns' }, ...(Object.keys(text.pageKinds) as PageSwitch[]).map(pageSwitch)),
      createCheckbox(text.showSummary, !current.summaryHidden, (isOn) => change({ summaryHidden: !isOn })),
    )
    const directory = createSection(text.directory, element('div', {}, element('code', {}, app.api)), index.node)
    const privacy = createSection(text.privacy, createMuted(text.stores), createMuted(text.sends))
    const header = element('header', {}, title, close)
    const more = createFold(text.more, privacy, createDiagnosticsSection(app))
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

// Its fields

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

// The stored index

/** An index that was refreshed longer ago than this was not refreshed by the request that just ended. ms */
const JUST_NOW_MS = 60_000

type Words = (typeof SETTINGS_WORDS)[Locale]

/** Creates the facts of the stored index, and buttons that refresh and delete it. `translate` writes all its texts. */
function createIndexSection(app: App): { readonly node: HTMLElement; translate(): void } {
  const { index, directory } = app
  const facts = element('div', {})
  const outcome = element('div', { class: 'plugmark-muted', role: 'status' })
  let status: IndexStatus | null = null
  /** Says what came of the last press. */
  let sentence: (words: Words) => string = () => ''

  const formatTime = (generated: string) =>
    new Intl.DateTimeFormat(DATE_LOCALES[app.locale()], { dateStyle: 'medium', timeStyle: 'short' }).format(
      new Date(generated),
    )
  const describe = (words: Words, { generated, count, ageMs, isSaved }: IndexStatus): string => {
    if (generated === null || ageMs === null) return words.nothingStored
    const number = new Intl.NumberFormat(app.locale()).format(count)
    const stored = words.stored(number, formatTime(generated), formatAge(ageMs, app.locale()))
    return isSaved ? stored : `${stored} ${words.notStored}`
  }
  const translate = () => {
    const words = SETTINGS_WORDS[app.locale()]
    refreshButton.textContent = words.refresh
    replaceButton.textContent = words.replace
    clearButton.textContent = words.clear
    facts.textContent = status && describe(words, status)
    outcome.textContent = sentence(words)
  }
  const failureOf =
    ({ failure }: IndexStatus) =>
    (words: Words) =>
      failure ? words.failed(words.failures[failure.kind].replace('{status}', String(failure.status))) : ''

  let latest = 0
  /** @param task resolves to a sentence about its outcome, which is shown unless the user has started another one */
  const run = async (task: () => Promise<typeof sentence>) => {
    const turn = ++latest
    const result = await task().catch((error) => {
      report('settings: index', error)
      return (words: Words) => words.failed(words.failures.other)
    })
    if (turn === latest) sentence = result
    translate()
    status = await directory.index.status()
    translate()
  }
  const describeDifference =
    ({ offered, stored }: IndexDifference) =>
    (words: Words): string =>
      offered.site === stored.site
        ? words.olderList(formatTime(offered.generated), formatTime(stored.generated))
        : words.otherSite(displayText(offered.site), displayText(stored.site))
  const refresh = (replace: boolean) => {
    sentence = (words) => words.refreshing
    translate()
    if (replaceButton.contains(document.activeElement)) refreshButton.focus()
    replaceButton.remove()
    return run(async () => {
      const refreshed = await index.refresh({ replace })
      if (refreshed.difference) {
        refreshButton.after(replaceButton)
        return describeDifference(refreshed.difference)
      }
      if (refreshed.failure) return failureOf(refreshed)
      const isFresh = refreshed.ageMs !== null && refreshed.ageMs < JUST_NOW_MS
      return (words) => (isFresh ? words.refreshed : words.busy)
    })
  }
  const clear = () =>
    run(async () => {
      removeStart(startKey(app.api))
      await index.clear()
      return (words) => words.cleared
    })

  directory.index.status().then((first) => {
    status ??= first
    if (latest === 0) sentence = failureOf(first)
    translate()
    // Then nothing works yet, and that may be the reason why the user opened the settings.
    if (first.failure && first.generated === null) outcome.scrollIntoView(false)
  }, reportAs('settings: index'))
  const refreshButton = createButton('plugmark-button', () => refresh(false))
  const replaceButton = createButton('plugmark-button', () => refresh(true))
  const clearButton = createButton('plugmark-button', clear)
  const buttons = element('div', { class: 'plugmark-links' }, refreshButton, clearButton)
  return { node: element('div', { class: 'plugmark-stack' }, facts, buttons, outcome), translate }
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Returns an age in the largest unit that fits: “3 hours ago”, “this minute”. */
function formatAge(ms: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const [unit, length] = UNITS.find(([, length]) => ms >= length) ?? UNITS[2]
  return format.format(-Math.floor(ms / length), unit)
}

// Diagnostics

/** Version of this script; set by the build. */
declare const PLUGMARK_VERSION: string

/** Creates a button that copies the facts for a bug report. */
function createDiagnosticsSection({ manager, locale }: App): HTMLElement {
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
  return createSection(
    words.diagnostics,
    createMuted(words.reportsHint),
    text,
    createCopyButton(words.copyReports, copy, words.copyReports),
    outcome,
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
