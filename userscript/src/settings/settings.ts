import { DEFAULTS } from '@plugmark/shared/contract'
import { isProfileName, isProgramName } from '@plugmark/shared/install'
import * as v from 'valibot'

const LANGUAGE_CHOICES = ['auto', 'en', 'zh'] as const
const names = () => v.fallback(v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(50)), [])
const flag = () => v.fallback(v.boolean(), false)

/** Each field for itself: one that is no longer understood does not take the others with it. */
const SettingsSchema = v.object({
  profile: v.fallback(v.custom<string>(isProfileName), DEFAULTS.profile),
  cli: v.fallback(v.custom<string>(isProgramName), DEFAULTS.cli),
  language: v.fallback(v.picklist(LANGUAGE_CHOICES), 'auto'),
  /** Names of the kinds of pages that are left alone. */
  pagesOff: names(),
  /** Host names of the sites the script does nothing on. */
  pausedOn: names(),
  summaryHidden: flag(),
  dimOthers: flag(),
  /** When they were changed last, ms since 1970; grows with each change, whatever the clock does. */
  revision: v.fallback(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
})

/** What a person can set. */
export type Settings = v.InferOutput<typeof SettingsSchema>

/** Settings as they were written; what is missing or wrong is the default. Total: takes any value. */
export function parseSettings(text: unknown): Settings {
  let kept: unknown
  try {
    kept = JSON.parse(String(text))
  } catch {
    // Nothing was kept, or not by this script.
  }
  return v.parse(SettingsSchema, typeof kept === 'object' && kept !== null ? kept : {})
}

/** The list with the name in it, or without it. */
export const withName = (list: readonly string[], name: string, isIn: boolean): string[] => [
  ...list.filter((other) => other !== name),
  ...(isIn ? [name] : []),
]
