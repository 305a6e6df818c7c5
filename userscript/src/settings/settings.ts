import { DEFAULTS } from '@plugmark/shared/contract'
import { isProfileName, isProgramName } from '@plugmark/shared/install'
import { PAGE_KINDS, type PageName } from '../github/page-kinds.ts'

const LANGUAGE_CHOICES = ['auto', 'en', 'zh'] as const

/** What can be switched off by itself: the badges of one kind of page, or the card on a repository's own page. */
export type PageSwitch = PageName | 'repository'
export const PAGE_SWITCHES: readonly PageSwitch[] = [...PAGE_KINDS.map(({ name }) => name), 'repository']

/** Names kept in a list, and characters of each. */
const MOST_NAMES = 50
const LONGEST_NAME = 100

/** What a person can set. */
export interface Settings {
  readonly profile: string
  readonly cli: string
  readonly language: (typeof LANGUAGE_CHOICES)[number]
  /** Names of the kinds of pages that are left alone. */
  readonly pagesOff: readonly string[]
  /** Host names of the sites the script does nothing on. */
  readonly pausedOn: readonly string[]
  readonly summaryHidden: boolean
  readonly dimOthers: boolean
  /** When they were changed last, ms since 1970; grows with each change, whatever the clock does. */
  readonly revision: number
}

/**
 * Settings as they were written. Each field for itself: one that is missing, or no longer understood, is the default and
 * takes no other with it. Total: takes any value. By hand, because every page waits for it.
 */
export function parseSettings(text: unknown): Settings {
  const kept = readFields(text)
  return {
    profile: isProfileName(kept.profile) ? kept.profile : DEFAULTS.profile,
    cli: isProgramName(kept.cli) ? kept.cli : DEFAULTS.cli,
    language: LANGUAGE_CHOICES.find((choice) => choice === kept.language) ?? 'auto',
    pagesOff: isNames(kept.pagesOff) ? kept.pagesOff : [],
    pausedOn: isNames(kept.pausedOn) ? kept.pausedOn : [],
    summaryHidden: kept.summaryHidden === true,
    dimOthers: kept.dimOthers === true,
    revision: Number.isSafeInteger(kept.revision) && Number(kept.revision) >= 0 ? Number(kept.revision) : 0,
  }
}

function readFields(text: unknown): Partial<Record<keyof Settings, unknown>> {
  if (typeof text !== 'string') return {}
  try {
    const kept: unknown = JSON.parse(text)
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    // Not written by this script.
    return {}
  }
}

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= MOST_NAMES &&
  value.every((name) => typeof name === 'string' && name.length <= LONGEST_NAME)

/** The list with the name in it, or without it. */
export const withName = (list: readonly string[], name: string, isIn: boolean): string[] => [
  ...list.filter((other) => other !== name),
  ...(isIn ? [name] : []),
]

/** Whether everything is switched off. That equals a pause, and needs a way back as one does. */
export const isAllOff = (pagesOff: readonly string[]): boolean => PAGE_SWITCHES.every((name) => pagesOff.includes(name))
