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
  /** Names of the `PageSwitch`es that are off. */
  pagesOff: NamesSchema,
  /** Host names of the sites on which the script is paused. */
  pausedOn: NamesSchema,
  summaryHidden: FlagSchema,
  dimOthers: FlagSchema,
  /** Writes reports to the console. */
  diagnostics: FlagSchema,
  /** Time of the last change, ms since 1970. Grows with each change, even if the clock is set back. */
  revision: v.fallback(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
})

/** The settings of a person. */
export type Settings = Readonly<v.InferOutput<typeof SettingsSchema>>

const DEFAULT_SETTINGS: Settings = v.parse(SettingsSchema, {})

const StoredSchema = v.fallback(v.pipe(v.string(), v.parseJson(), SettingsSchema), () => ({ ...DEFAULT_SETTINGS }))

/** Parses settings as the manager stores them: JSON. Accepts any value and never throws. */
export const parseSettings = (stored: unknown): Settings => v.parse(StoredSchema, stored)

/** Returns the list with the name added or removed. */
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
