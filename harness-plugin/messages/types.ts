import type { RefusalCode } from '../protocol/index.ts'
import type { FindingWords } from './finding/types.ts'
import type { InstalledWords } from './installed/types.ts'
import type { InstallingWords } from './installing/types.ts'
import type { OutcomesWords } from './outcomes/types.ts'

/** Every word of the screen that is not an id of the contract; those are in `@plugmark/shared/i18n`. */
export interface StoreWords extends InstalledWords, InstallingWords, OutcomesWords {
  readonly finding: FindingWords
  readonly title: string
  readonly subtitle: string
  readonly broken: string
  readonly category: string
  stars(count: string): string
  readonly install: string
  installNamed(name: string): string
  readonly queued: string
  readonly installed: string
  readonly update: string
  readonly remove: string
  /** Beside a command, where nothing can be installed from here. */
  readonly byHand: string
  readonly back: string
  readonly noSummary: string
  readonly source: string
  sourceOf(name: string): string
  readonly license: string
  readonly noLicense: string
  readonly package: string
  readonly language: string
  readonly check: string
  checkedOn(verdict: string, date: string | null): string
  readonly risks: string
  readonly noRisks: string
  readonly builds: string
  readonly buildsSentence: string
  harnessMissing(cli: string): string
  readonly noProfiles: string
  /** In the Desktop app. */
  readonly desktop: string
  /** Why a call was refused, and what to do. */
  readonly refused: Readonly<Record<RefusalCode, string>>
}
