import type { StartWords } from '../i18n/start-words.ts'
import type { BadgeData } from './stored-badges.ts'

const fill = (pattern: string, values: Readonly<Record<string, string | number>>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

export const labelText = ({ category, count }: BadgeData, { categories, pluginCount }: StartWords): string =>
  count > 1 ? fill(pluginCount, { count }) : (categories[category ?? 'other'] ?? categories.other!)

/** Returns the accessible name of a badge. It begins with the visible text. */
export const badgeName = (data: BadgeData, name: string, words: StartWords): string =>
  fill(data.count > 1 ? words.plugins : words.plugin, { text: labelText(data, words), name })

/** Numbers of different repositories that a page shows. */
export interface Count {
  readonly plugins: number
  /** Null in prose, which is not a list. */
  readonly repositories: number | null
}

/** Returns the caption of the box; empty without a plugin. */
export function captionOf({ plugins, repositories: all }: Count, words: StartWords): string {
  if (plugins === 0) return ''
  if (all === null) return fill(plugins === 1 ? words.oneInProse : words.inProse, { plugins })
  return fill(plugins === 1 ? words.oneInList : words.inList, { plugins, all })
}
