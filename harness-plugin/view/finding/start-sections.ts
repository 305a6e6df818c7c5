import type { Entry } from '../../search/entry.ts'

/** Rows of each section. */
export const START_ROWS = 3
/** Number of plugins from which on the list has a start: fewer are seen at a glance. */
export const LEAST_FOR_START = 20

/** Sections above the list before anything is searched. */
export type SectionId = 'new' | 'pushed' | 'checked'

export interface StartSection {
  readonly id: SectionId
  readonly entries: readonly Entry[]
  /** Number of plugins that the section leads to. */
  readonly count: number
}

/**
 * Returns two sections: plugins that are new here, or those that were pushed recently when none is; and those whose
 * install check is recent.
 *
 * @param entries the plugins that the list shows
 * @param fresh the new ones, of any verdict
 */
export function startSections(entries: readonly Entry[], fresh: readonly Entry[]): readonly StartSection[] {
  const newest = (all: readonly Entry[], at: 'pushedAt' | 'checkedAt') => latest(all, at).slice(0, START_ROWS)
  const first: StartSection =
    fresh.length > 0
      ? { id: 'new', entries: newest(fresh, 'pushedAt'), count: fresh.length }
      : { id: 'pushed', entries: newest(entries, 'pushedAt'), count: entries.length }
  return [first, { id: 'checked', entries: newest(entries, 'checkedAt'), count: entries.length }]
}

/** Returns the entries with the latest times, the latest first, in one pass; unknown times last. */
function latest(entries: readonly Entry[], key: 'pushedAt' | 'checkedAt'): readonly Entry[] {
  const top: Entry[] = []
  const timeOf = ({ listing }: Entry) => listing[key] ?? ''
  for (const entry of entries) {
    const at = top.findIndex((one) => timeOf(entry) > timeOf(one))
    if (at >= 0) top.splice(at, 0, entry)
    else if (top.length < START_ROWS) top.push(entry)
    if (top.length > START_ROWS) top.pop()
  }
  return top
}
