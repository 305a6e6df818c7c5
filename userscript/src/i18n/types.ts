import type { CardPhrases } from './card.ts'
import type { SettingsPhrases } from './settings.ts'
import type { SummaryPhrases } from './summary.ts'

/** What this script says besides the words of the contract's ids. */
export interface Phrases {
  readonly pluginOf: (fullName: string) => string
  /**
   * How a badge is read out; it begins with what is to be seen.
   *
   * @param name of a plugin, or of a repository with several
   */
  readonly badgeOf: (text: string, name: string) => string
  readonly isPlugin: string
  readonly pluginCount: (count: number) => string
  readonly copyCommandOf: (fullName: string) => string
  readonly chooseCommand: (fullName: string) => string
  /** Precedes the reason. */
  readonly noCommand: string
  readonly copied: (command: string) => string
  readonly copyFailed: (command: string) => string
  /** The directory could not be asked, and there is nothing older to show. */
  readonly unreachable: { readonly text: string; readonly retry: string; readonly retrying: string }
  readonly card: CardPhrases
  readonly settings: SettingsPhrases
  readonly summary: SummaryPhrases
}
