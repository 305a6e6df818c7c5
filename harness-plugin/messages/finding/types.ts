import type { Key, Sort, Trait, VerdictFilter } from '../../search/filters.ts'

interface Message {
  readonly title: string
  readonly text: string
}

/** Words of finding a plugin. Counts come as they are written in the language. */
export interface FindingWords {
  readonly search: string
  readonly searchHint: string
  readonly completions: string
  readonly plugins: string
  readonly results: string
  /** `how many` of what is shown. */
  count(shown: string, isOne: boolean): string
  readonly asking: string
  readonly askFailed: string
  /** Rows that wait until nobody points at the list. */
  waiting(count: string, isOne: boolean): string
  readonly refresh: string
  readonly filters: string
  filtersOn(count: number): string
  readonly closeFilters: string
  readonly clear: string
  readonly chips: string
  /** A value that says nothing without its facet. */
  facetValue(facet: string, value: string): string
  removeChip(name: string): string
  readonly more: string
  readonly fewer: string
  readonly sort: string
  readonly bestMatch: string
  readonly sorts: Readonly<Record<Sort, string>>
  readonly verdict: string
  readonly verdicts: Readonly<Record<VerdictFilter, string>>
  readonly traits: string
  readonly trait: Readonly<Record<Trait, string>>
  readonly noFlags: string
  unknownKey(key: string): string
  unknownValue(key: Key, values: string): string
  readonly row: {
    readonly notInstallable: string
    /** Instead of Install, where there is something to decide first. */
    readonly review: string
    reviewNamed(name: string): string
  }
  readonly details: {
    readonly title: string
    readonly loading: string
    failed(message: string): string
    readonly otherLanguage: string
    readonly more: string
    readonly less: string
    readonly stars: string
    readonly pushed: string
    readonly command: string
    readonly copy: string
    readonly copied: string
    readonly copyFailed: string
    /** Leads to a command that failed in the check. */
    readonly showAnyway: string
    readonly whyNot: string
    readonly options: string
    readonly optionsNote: string
    readonly optionOther: string
    readonly siblings: string
    readonly page: string
    readonly undescribed: string
  }
  readonly none: { readonly title: string; readonly clearSearch: string }
  /** Whatever the install check says of them. */
  searchAll(count: string): string
  /** The words that were meant stand between the two. */
  readonly didYouMean: string
  readonly didYouMeanEnd: string
  readonly nothingPassed: Message
  readonly emptyDirectory: Message
  readonly unverifiable: Message
  readonly loading: string
  readonly failed: string
  readonly offline: Message
  readonly retry: string
  /** Which copy is shown: how old it is, and of when. */
  copyOf(age: string, time: string): string
  readonly partCopy: string
  readonly offlineNow: string
  rejected(count: string, isOne: boolean): string
  readonly download: {
    readonly title: string
    readonly start: string
    running(done: string, total: string | null): string
    readonly stop: string
    done(time: string): string
  }
}
