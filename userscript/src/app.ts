import type { Messages } from './i18n/index.ts'
import type { Manager } from './manager/manager.ts'
import type { Directory } from './plugins/directory.ts'
import type { Verdicts } from './plugins/verdicts.ts'
import type { SettingsStore } from './settings/store.ts'

/** What the parts of the script share. */
export interface App {
  /** Address of the directory this build reads. */
  readonly api: string
  readonly manager: Manager
  readonly settings: SettingsStore
  readonly directory: Directory
  readonly verdicts: Verdicts
  /** The language of the page or the person, as of now. */
  readonly messages: () => Messages
  /** Says a sentence to screen readers. */
  readonly say: (sentence: string) => void
  readonly openSettings: () => void
}
