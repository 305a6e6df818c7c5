import { isProfileName, isProgramName } from '@plugmark/shared/install'
import { PAGE_KINDS } from '../github/page-kinds.ts'
import { createButton } from '../ui/button.ts'
import { element } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'
import { createCopyPart } from './cache-section.ts'
import { createCheckbox, createName, createSection, createSelect } from './fields.ts'
import type { DialogOptions } from './options.ts'
import { type PageSwitch, withName } from './settings.ts'

/** A button that opens them. */
const OPENER = '[data-plugmark-part=settings]'

/** Opens the settings over the page. Each change applies when it is made; Escape and the button close. */
export function openSettingsDialog(options: DialogOptions): void {
  const { settings, voice, host, api } = options
  const { change } = settings
  const dialog = element('dialog', { class: 'plugmark-dialog', 'aria-labelledby': 'plugmark-settings-title' })

  const draw = () => {
    const { current } = settings
    const said = voice().phrases.settings
    dialog.lang = voice().language
    const close = createButton('plugmark-plain', () => dialog.close(), icon('close'))
    close.setAttribute('aria-label', said.close)
    const command = 'PLUGMARK_API=https://directory.example npm run build'
    const nameOf = (key: 'profile' | 'cli', label: string, hint: string, isName: typeof isProfileName) =>
      createName(key, { ...current, label, hint, bad: said.badName }, isName, (name) => change({ [key]: name }))

    const pageSwitch = (name: PageSwitch) =>
      createCheckbox(said.pageKinds[name], !current.pagesOff.includes(name), (isOn) =>
        change({ pagesOff: withName(settings.current.pagesOff, name, !isOn) }),
      )

    dialog.replaceChildren(
      element(
        'header',
        {},
        element('div', { id: 'plugmark-settings-title', class: 'plugmark-title' }, said.title),
        close,
      ),
      nameOf('profile', said.profile, said.profileHint, isProfileName),
      nameOf('cli', said.cli, said.cliHint, isProgramName),
      createSelect(said.language, { auto: said.automatic, en: 'English', zh: '中文' }, current.language, (language) => {
        change({ language })
        draw()
        dialog.querySelector('select')!.focus()
      }),
      createSection(
        said.pages,
        element('div', { class: 'plugmark-columns' }, ...PAGE_KINDS.map(({ name }) => pageSwitch(name))),
      ),
      createSection(
        said.onPage,
        pageSwitch('repository'),
        createCheckbox(said.showSummary, !current.summaryHidden, (isOn) => change({ summaryHidden: !isOn })),
        createCheckbox(`${said.paused} (${host})`, current.pausedOn.includes(host), (isOn) =>
          change({ pausedOn: withName(settings.current.pausedOn, host, isOn) }),
        ),
      ),
      createSection(
        said.directory,
        element('div', {}, element('code', {}, api)),
        element('div', { class: 'plugmark-muted' }, said.directoryHint, ' ', element('code', {}, command)),
        createCopyPart(options),
      ),
      createSection(
        said.privacy,
        element('div', { class: 'plugmark-muted' }, said.stores),
        element('div', { class: 'plugmark-muted' }, said.sends),
      ),
    )
  }

  draw()
  const opener = document.activeElement
  dialog.addEventListener('close', () => {
    dialog.remove()
    // A change made here may have had its button drawn anew.
    if (!opener?.isConnected) document.querySelector<HTMLElement>(OPENER)?.focus()
  })
  // The code host's single-key shortcuts are of the page behind it.
  dialog.addEventListener('keydown', (event) => event.stopPropagation())
  document.documentElement.append(dialog)
  dialog.showModal()
}
