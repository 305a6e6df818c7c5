import { DEFAULTS } from '@plugmark/shared/contract'
import { LOCALES, type Locale } from '@plugmark/shared/i18n/locale'
import { isProfileName, isProgramName } from '@plugmark/shared/install'
import type { LinkStyle } from '../github/links.ts'

/** Where the script shows something: badges at links of one style, or the card on the page of a plugin. */
export type Place = LinkStyle | 'card'
export const PLACES: readonly Place[] = ['list', 'prose', 'card']

export interface Settings {
  readonly profile: string
  readonly cli: string
  readonly language: Locale | 'auto'
  readonly placesOff: readonly string[]
  /** Host names of the sites on which the script is paused. */
  readonly pausedOn: readonly string[]
  readonly summaryHidden: boolean
}

const PLAIN = ['profile', 'cli', 'language', 'summaryHidden'] as const
const plainKey = (name: (typeof PLAIN)[number]) => `setting ${name}`
/** Beginnings of the keys of the entries of the two lists. The value is `true` for one that is in it. */
const LISTS = { placesOff: 'off ', pausedOn: 'paused ' } as const

/** Returns the keys of all stored values that matter on a host. */
export const storedKeys = (host: string): string[] => [
  ...PLAIN.map(plainKey),
  ...PLACES.map((name) => LISTS.placesOff + name),
  LISTS.pausedOn + host,
]

/** Returns the values to store for a change of settings, by key. */
export function toStored(patch: Partial<Settings>, current: Settings): Map<string, string> {
  const values = new Map<string, string>()
  for (const name of PLAIN) if (patch[name] !== undefined) values.set(plainKey(name), String(patch[name]))
  for (const list of ['placesOff', 'pausedOn'] as const) {
    const names = patch[list]
    if (names === undefined) continue
    for (const name of new Set([...names, ...current[list]])) {
      const isIn = names.includes(name)
      if (isIn !== current[list].includes(name)) values.set(LISTS[list] + name, String(isIn))
    }
  }
  return values
}

const isLanguage = (text: unknown): text is Settings['language'] =>
  text === 'auto' || LOCALES.some((locale) => locale === text)

/** Returns the settings for the values that are stored. A missing or invalid one does not affect the others. */
export function fromStored(values: ReadonlyMap<string, string>): Settings {
  const read = <T>(name: (typeof PLAIN)[number], isValid: (value: unknown) => value is T, byDefault: T): T => {
    const value = values.get(plainKey(name))
    return isValid(value) ? value : byDefault
  }
  const isOn = (name: (typeof PLAIN)[number]) => values.get(plainKey(name)) === 'true'
  const listOf = (prefix: string) =>
    // Sorted, so that equal settings are equal as text.
    [...values]
      .flatMap(([key, value]) => (key.startsWith(prefix) && value === 'true' ? key.slice(prefix.length) : []))
      .sort()
  return {
    profile: read('profile', isProfileName, DEFAULTS.profile),
    cli: read('cli', isProgramName, DEFAULTS.cli),
    language: read('language', isLanguage, 'auto'),
    placesOff: listOf(LISTS.placesOff),
    pausedOn: listOf(LISTS.pausedOn),
    summaryHidden: isOn('summaryHidden'),
  }
}

export const withName = (list: readonly string[], name: string, isIn: boolean): string[] => [
  ...list.filter((other) => other !== name),
  ...(isIn ? [name] : []),
]

const isAllOff = ({ placesOff }: Settings): boolean => PLACES.every((name) => placesOff.includes(name))

/** Returns true if nothing is shown on a host. To switch off every place is a pause, and needs the same way back. */
export const isPausedOn = (settings: Settings, host: string): boolean =>
  settings.pausedOn.includes(host) || isAllOff(settings)

/** Returns the change that pauses or resumes the script on a host. */
export const withPause = (settings: Settings, host: string, isPaused: boolean): Partial<Settings> => ({
  pausedOn: withName(settings.pausedOn, host, isPaused),
  ...(isAllOff(settings) && { placesOff: [] }),
})
