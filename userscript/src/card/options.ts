import type { IndexListing, PluginRecord, Verdict } from '@plugmark/shared/contract'
import type { Language, Words } from '@plugmark/shared/locale'
import type { Phrases } from '../i18n/types.ts'
import type { OfferedCommand } from '../plugins/install-command.ts'
import type { CommandOptions } from './view.ts'

/** What a card speaks, offers, and can do. */
export interface CardOptions extends CommandOptions {
  readonly language: Language
  readonly words: Words
  readonly phrases: Phrases
  /** Origin of the code host's main site. */
  readonly codeHost: string
  /** Where listings have their pages; null when it is not known. */
  readonly site: () => Promise<string | null>
  /** The record of a listing, from the directory or kept. */
  readonly record: (fullName: string, options?: { readonly force?: boolean }) => Promise<PluginRecord | null>
  /** How the install check of its command went, where a record at hand says. */
  readonly verdictOf: (listing: IndexListing) => Verdict | null
  /** Copies a command and tells the person. True when it is in the clipboard. */
  readonly copy: (offered: OfferedCommand) => Promise<boolean>
  readonly openSettings: () => void
}
