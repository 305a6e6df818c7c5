import { DEFAULTS } from '@plugmark/shared/contract'
import { LOCALES } from '@plugmark/shared/i18n/locale'
import { isProfileName, isProgramName } from '@plugmark/shared/install'
import * as v from 'valibot'
import { PAGE_KINDS, type PageName } from '../github/page-kinds.ts'

/** A switch of the settings: the badges of one kind of page, or the card on a repository's own page. */
export type PageSwitch = PageName | 'repository'
export const PAGE_SWITCHES: readonly PageSwitch[] = [...PAGE_KINDS.map(({ name }) => name), 'repository']

const NamesSchema = v.fallback(v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(50)), [])
const FlagSchema = v.fallback(v.boolean(), false)

/** Each field has its own fallback: a missing or invalid field does not affect the others. */
const SettingsSchema = v.object({
  profile: v.fallback(v.custom<string>(isProfileName), DEFAULTS.profile),
  cli: v.fallback(v.custom<string>(isProgramName), DEFAULTS.cli),
  language: v.fallback(v.picklist(['auto', ...LOCALES]), 'auto'),
  pagesOff: NamesSchema,
  /** Host names of the sites on which the script is paused. */
  pausedOn: NamesSchema,
  summaryHidden: FlagSchema,
  dimOthers: FlagSchema,
  /** Writes reports to the console. */
  diagnostics: FlagSchema,
})

export type Settings = Readonly<v.InferOutput<typeof SettingsSchema>>

const DEFAULT_SETTINGS: Settings = v.parse(SettingsSchema, {})

const StoredSchema = v.fallback(v.pipe(v.string(), v.parseJson(), SettingsSchema), () => ({ ...DEFAULT_SETTINGS }))

/** Parses all settings as one JSON value. Accepts any value and never throws. */
export const parseSettings = (stored: unknown): Settings => v.parse(StoredSchema, stored)

const JsonSchema = v.fallback(v.pipe(v.string(), v.parseJson()), undefined)

/** Key under which earlier versions stored all settings. It is read, and never written. */
export const LEGACY_KEY = 'settings'

const PLAIN = ['profile', 'cli', 'language', 'summaryHidden', 'dimOthers', 'diagnostics'] as const
const plainKey = (name: (typeof PLAIN)[number]) => `setting ${name}`
/** Keys of the entries of the two lists: `true` for one that is in it. */
const LISTS = { pagesOff: 'off ', pausedOn: 'paused ' } as const

/** Returns the keys of all stored values that matter on a host. */
export const storedKeys = (host: string): string[] => [
  ...PLAIN.map(plainKey),
  ...PAGE_SWITCHES.map((name) => LISTS.pagesOff + name),
  LISTS.pausedOn + host,
]

/** Returns the values to store for a change of settings, by key. */
export function toStored(patch: Partial<Settings>, current: Settings): Map<string, string> {
  const values = new Map<string, string>()
  for (const name of PLAIN) if (patch[name] !== undefined) values.set(plainKey(name), JSON.stringify(patch[name]))
  for (const list of ['pagesOff', 'pausedOn'] as const) {
    const names = patch[list]
    if (names === undefined) continue
    for (const name of new Set([...names, ...current[list]])) {
      const isIn = names.includes(name)
      if (isIn !== current[list].includes(name)) values.set(LISTS[list] + name, String(isIn))
    }
  }
  return values
}

/** Returns the settings of an earlier version, changed by the values that are stored since, by key. */
export function fromStored(legacy: Settings, values: ReadonlyMap<string, string>): Settings {
  const plain = Object.fromEntries(
    PLAIN.flatMap((name) => {
      const value = values.get(plainKey(name))
      return value === undefined ? [] : [[name, v.parse(JsonSchema, value)]]
    }),
  )
  const listOf = (list: keyof typeof LISTS) => {
    const names = new Set(legacy[list])
    for (const [key, value] of values) {
      if (!key.startsWith(LISTS[list])) continue
      const name = key.slice(LISTS[list].length)
      if (value === 'true') names.add(name)
      else names.delete(name)
    }
    // Sorted, so that equal settings are equal as text.
    return [...names].sort()
  }
  return v.parse(SettingsSchema, { ...legacy, ...plain, pagesOff: listOf('pagesOff'), pausedOn: listOf('pausedOn') })
}

export const withName = (list: readonly string[], name: string, isIn: boolean): string[] => [
  ...list.filter((other) => other !== name),
  ...(isIn ? [name] : []),
]

const isAllOff = ({ pagesOff }: Settings): boolean => PAGE_SWITCHES.every((name) => pagesOff.includes(name))

/** Returns true if nothing is shown on a host. To switch off every kind of page is a pause, and needs the same way back. */
export const isPausedOn = (settings: Settings, host: string): boolean =>
  settings.pausedOn.includes(host) || isAllOff(settings)

/** Returns the change that pauses or resumes the script on a host. */
export const withPause = (settings: Settings, host: string, isPaused: boolean): Partial<Settings> => ({
  pausedOn: withName(settings.pausedOn, host, isPaused),
  ...(isAllOff(settings) && { pagesOff: [] }),
})
