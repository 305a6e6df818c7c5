import type { Locale } from '@plugmark/shared/i18n/locale'
import { report } from '../base/report.ts'
import type { StartWords } from '../i18n/start-words.ts'

/** Key of a value of the manager, which every change of a setting replaces. */
export const CHANGED_KEY = 'changed'

/** The settings that a start needs: one line of text beside the badges, as the whole script last read them. */
export interface StoredStart {
  /** The value of `CHANGED_KEY` then: with another one now, the settings have changed. */
  readonly stamp: string
  readonly cli: string
  readonly language: Locale | 'auto'
  readonly placesOff: readonly string[]
  /** True if the script is paused on this host. */
  readonly isPaused: boolean
  readonly summaryHidden: boolean
  /** Caption of the command in the manager's menu. */
  readonly menu: string
  readonly words: StartWords
}

/** @param api address of the directory */
export const startKey = (api: string): string => `plugmark start ${api}`

/**
 * Reads what an earlier page has stored.
 *
 * @param version of this script: another one has other words
 * @returns null when there is nothing, or something else
 */
export function readStart(key: string, version: string): StoredStart | null {
  try {
    const text = localStorage.getItem(key) ?? ''
    const end = text.indexOf(' ')
    if (text.slice(0, end) !== version) return null
    const start = JSON.parse(text.slice(end)) as StoredStart
    // The site can write there too.
    return isStart(start) ? start : null
  } catch (error) {
    report('start: read', error)
    return null
  }
}

export function writeStart(key: string, version: string, start: StoredStart): void {
  try {
    const text = `${version} ${JSON.stringify(start)}`
    if (localStorage.getItem(key) !== text) localStorage.setItem(key, text)
  } catch (error) {
    // Each page reads the settings of the manager then.
    report('start: write', error)
  }
}

export function removeStart(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch (error) {
    report('start: remove', error)
  }
}

const isText = (value: unknown): boolean => typeof value === 'string'

function isStart({ stamp, cli, language, placesOff, menu, words }: StoredStart): boolean {
  const { categories, locale, pluginCount, plugin, plugins, inList, oneInList, inProse, oneInProse } = words
  const texts = [pluginCount, plugin, plugins, inList, oneInList, inProse, oneInProse, categories.other]
  const others = [stamp, cli, language, menu, locale, ...placesOff, ...Object.values(categories)]
  return [...texts, ...others].every(isText)
}
